import LockstepEmulation
import LockstepPrimitives

/// The parameters of a form or a query: each is validated before it is used.
struct Form: Sendable {
    private var values: [ExactString: [String]] = [:]
    private(set) var names: [String] = []

    /// The maximum length of a text in a form.
    static let limit = 16_384

    init(_ pairs: [(name: String, value: String)] = []) {
        for (name, value) in pairs {
            if values[name.exact] == nil { names.append(name) }
            values[name.exact, default: []].append(value)
        }
    }

    /// Rejects unknown and malformed parameters, and reports every error; without a schema, every parameter is
    /// accepted.
    func check(_ schema: BodySchema) throws(ClerkError) {
        guard schema.isChecked else { return }
        var refusals: [ClerkError] = []
        for name in names where !Self.isAlwaysAllowed(name) {
            guard let kind = schema.kind(of: name), let texts = values[name.exact] else {
                refusals.append(.unknown(String(name.prefix(100))))
                continue
            }
            if texts.count > 1, !kind.isList { refusals.append(.duplicate(name)) }
            if texts.contains(where: { $0.contains("\0") }) { refusals.append(.malformed(name, "\(name) must not contain NUL.")) }
            if texts.contains(where: { $0.utf8.count > Self.limit }) { refusals.append(.tooBig(name, bytes: Self.limit)) }
        }
        if let refusal = ClerkError.joined(refusals) { throw refusal }
    }

    /// Returns whether a parameter is one that SDKs add to any request (https://clerk.com/docs/reference/frontend-api).
    private static func isAlwaysAllowed(_ name: String) -> Bool {
        name.hasPrefix("captcha_")
            || ["_method", "locale", "proof_token", "__clerk_testing_token", "rotating_token_nonce"].contains(name)
    }

    /// Whether the parameter is present, even if it is empty.
    func has(_ name: String) -> Bool { values[name.exact] != nil }

    /// The text of a parameter, which may be empty; `nil` if the parameter is missing.
    subscript(name: String) -> String? { values[name.exact]?.last }

    /// Returns a text; `nil` if the parameter is missing or empty.
    func text(_ name: String) -> String? {
        guard let text = self[name], !text.isEmpty else { return nil }
        return text
    }

    /// Returns a text that must be present and must not be empty.
    func required(_ name: String) throws(ClerkError) -> String {
        guard let text = self[name] else { throw .missing(name) }
        guard !text.isEmpty else { throw .empty(name) }
        return text
    }

    /// All texts of that name.
    func list(_ name: String) -> [String] { (values[name.exact] ?? []).filter { !$0.isEmpty } }

    /// Returns `true` or `false`; `nil` if the parameter is missing.
    func flag(_ name: String) throws(ClerkError) -> Bool? {
        switch text(name)?.lowercased() {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        default: throw .wrongType(name, "boolean")
        }
    }

    /// Returns a JSON object that is written in one text.
    func object(_ name: String) throws(ClerkError) -> JSONObject? {
        guard let text = text(name) else { return nil }
        guard let object = (try? JSON.parse(text))?.object else { throw .wrongType(name, "object") }
        return object
    }

    /// Returns a person's name of at most 256 characters; an empty name clears it.
    func personName(_ name: String) throws(ClerkError) -> String?? {
        guard let text = self[name] else { return nil }
        guard text.count <= 256 else { throw .tooLong(name, 256) }
        return .some(text.isEmpty ? nil : text)
    }
}
