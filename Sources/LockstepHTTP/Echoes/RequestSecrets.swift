public import LockstepPrimitives

/// The secrets of a request.
///
/// Nothing that is shown of its response may repeat them.
///
/// Servers quote what they could not read, and hostile servers quote what they like. A quoted secret is under no known
/// name and need not look like a secret. So the search covers every form in which servers are likely to quote:
/// percent-encoded, escaped as in JSON and HTML, as base64, as hexadecimal digits, as a list of numbers, and in upper and
/// lower case. Long secrets are also found in part. If a secret itself is base64 or hexadecimal, its decoded bytes are
/// found, too.
public struct RequestSecrets: Sendable {
    private let search: EchoSearch

    /// Collects the secrets of a request.
    ///
    /// These are the values under names of secrets in its URL, headers and body, and the secrets that it lists
    /// (``HTTPRequest/secrets``).
    ///
    /// - Parameter request: The request.
    public init(of request: HTTPRequest) {
        var found = request.secrets.map { $0.reveal() }
        for field in request.headers where Redaction.isSecret(field) {
            found.append(field.value)
            // The scheme before a token is not secret.
            if let space = field.value.firstIndex(of: " ") {
                found.append(String(field.value[field.value.index(after: space)...]))
            }
        }
        found += Self.inner(request.url)
        found += Self.inBody(request.body.bytes, type: request.fields["Content-Type"] ?? "")
        search = EchoSearch(for: found)
    }

    /// Returns a text with ``Secret/mask`` in place of each secret.
    ///
    /// - Parameter text: The text, usually from the response.
    /// - Returns: The text without the secrets.
    public func withheld(from text: String) -> String { search.mask(text) }

    /// Returns a JSON value with ``Secret/mask`` in place of each secret, in names, strings and numbers.
    ///
    /// - Parameters:
    ///   - value: The value, usually from the response.
    ///   - isPublic: Whether a whole string is one that the backend always writes, such as a code of its error table.
    /// - Returns: The value without the secrets.
    public func withheld(from value: JSON, except isPublic: (String) -> Bool = { _ in false }) -> JSON {
        switch value {
        case .object(let object):
            .object(JSONObject(object.map { (search.mask($0.name), withheld(from: $0.value, except: isPublic)) }))
        case .array(let elements) where isQuotation(elements): .string(Secret.mask)
        case .array(let elements): .array(elements.map { withheld(from: $0, except: isPublic) })
        case .string(let text): .string(isPublic(text) ? text : search.mask(text))
        case .int, .double:
            search.mask(value.text()) == value.text() ? value : .string(Secret.mask)
        default: value
        }
    }

    /// Whether numbers are the bytes of a secret, one by one.
    private func isQuotation(_ elements: [JSON]) -> Bool {
        let bytes = elements.compactMap(\.int).filter { (0..<256).contains($0) }
        guard bytes.count == elements.count else { return false }
        let list = bytes.map { String($0) }.joined(separator: ",")
        return search.mask(list) != list
    }

    private static func inBody(_ bytes: [UInt8], type: String) -> [String] {
        if type.hasPrefix("application/x-www-form-urlencoded") {
            return inForm(String(decoding: bytes, as: UTF8.self))
        }
        var found: [String] = []
        if let json = try? JSON.parse(bytes, rules: .answer) { collect(json, under: "", into: &found) }
        return found
    }

    private static func inForm(_ text: some StringProtocol) -> [String] {
        // Some requests carry a form inside of a form or of JSON, or a link.
        (Percent.decodeForm(text) ?? []).flatMap { name, value in
            (Redaction.isSecret(name) ? [value] : []) + inner(value)
        }
    }

    private static func collect(_ value: JSON, under name: String, into found: inout [String]) {
        switch value {
        case .object(let object): for member in object { collect(member.value, under: member.name, into: &found) }
        case .array(let elements): for element in elements { collect(element, under: name, into: &found) }
        case .string(let text): found += (Redaction.isSecret(name) ? [text] : []) + inner(text)
        case .int where Redaction.isSecret(name): found.append(value.text())
        default: break
        }
    }

    private static func inner(_ text: String) -> [String] {
        guard text.contains("="), !text.contains(" ") else { return [] }
        return text.split { $0 == "?" || $0 == "#" }.flatMap { part in
            part.contains("=") ? (Percent.decodeForm(part) ?? []).filter { Redaction.isSecret($0.name) }.map(\.value) : []
        }
    }
}
