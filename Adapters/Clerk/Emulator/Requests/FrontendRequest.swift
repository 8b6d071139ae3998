internal import LockstepEmulation
import LockstepPrimitives

/// The metadata of a request to the Frontend API, validated before any lookup (https://clerk.com/docs/reference/frontend-api).
struct FrontendRequest {
    let form: Form
    let query: Form
    /// Whether a native app sends the request.
    let isNative: Bool
    let origin: String?
    let userAgent: String
    /// The token that names the client, from a header, a cookie or the query.
    let clientToken: String?
    /// The token of a browser of a development instance that cannot keep cookies.
    let devBrowser: String?
    /// The session that the request acts in, where it names one.
    let sessionID: String?
    let isOldVersion: Bool
    /// The path parameters.
    let placeholders: [(name: String, value: String)]
    /// The files of a `multipart/form-data` body, by the names of their fields.
    private let files: [String: [UInt8]]

    /// - Throws: an error of the request as such: version, mode, header, content type.
    init(_ request: EmulatorRequest, settings: ClerkSettings) throws(ClerkError) {
        query = Form(request.query.pairs)
        isOldVersion = try APIVersion.read(
            header: request.headers["clerk-api-version"], query: request.query["__clerk_api_version"])
        isNative = ["1", "true"].contains(request.query["_is_native"]?.lowercased() ?? "")
        if isNative, !settings.allowsNativeAPI { throw .nativeDisabled }
        let authorization = request.headers["authorization"]?.trimmed ?? ""
        origin = request.headers["origin"].flatMap { $0.isEmpty ? nil : $0 }
        if origin != nil, !authorization.isEmpty { throw .conflictingHeaders }
        userAgent = request.headers["user-agent"] ?? ""
        let bare = authorization.lowercased().hasPrefix("bearer ") ? String(authorization.dropFirst(7)).trimmed : authorization
        let named = bare.lowercased() == "bearer" ? "" : bare
        clientToken = named.isEmpty ? (isNative ? nil : request.cookie("__client")) : named
        usesHeader = !named.isEmpty
        devBrowser = isNative ? nil : request.query["__clerk_db_jwt"] ?? request.query["__dev_session"]
        sessionID = request.query["_clerk_session_id"].flatMap { $0.isEmpty ? nil : $0 }
        placeholders = request.placeholders
        (form, files) = try Self.form(request)
    }

    /// An uploaded file, which must be there.
    func file(_ name: String) throws(ClerkError) -> [UInt8] {
        guard let bytes = files[name] else { throw .missing(name) }
        return bytes
    }

    /// Whether the device stores its token itself, and not as a cookie.
    var keepsTokenInHeader: Bool { isNative || usesHeader }

    private let usesHeader: Bool

    /// The value of a path parameter.
    func piece(_ name: String) -> String { placeholders.first { $0.name == name }?.value ?? "" }

    private static func form(_ request: EmulatorRequest) throws(ClerkError) -> (Form, [String: [UInt8]]) {
        guard !request.body.isEmpty else { return (Form(), [:]) }
        switch request.mediaType {
        case "application/x-www-form-urlencoded", "":
            guard let text = String(validating: request.body, as: UTF8.self), let pairs = Percent.decodeForm(text) else {
                throw .malformedBody("The form is not encoded rightly. Check its percent signs, and that it is UTF-8.")
            }
            return (Form(pairs), [:])
        case "multipart/form-data":
            guard let parts = Multipart(request.body, contentType: request.headers["content-type"] ?? "") else {
                throw .malformedBody("The body is no multipart/form-data. Check its boundary.")
            }
            return (Form(parts.fields), parts.files)
        // How clerk-js sends a picture that it was given as a data URL: the bytes in base 64.
        case "application/octet-stream":
            guard let text = String(validating: request.body, as: UTF8.self), let bytes = Base64.decode(text.trimmed) else {
                throw .malformedBody("A body of application/octet-stream must be the file in base 64.")
            }
            return (Form(), ["file": bytes])
        default: throw .contentType(request.mediaType, expected: "application/x-www-form-urlencoded")
        }
    }
}

/// The versions of the API by date (https://clerk.com/docs/backend-requests/versioning/overview).
enum APIVersion {
    static let known = ["2021-02-05", "2024-10-01", "2025-04-10", "2025-11-10", "2026-05-12"]

    /// Whether the requested version has session tokens of the first shape; the default version is the newest.
    static func read(header: String?, query: String?) throws(ClerkError) -> Bool {
        if header != nil, query != nil { throw .apiVersion("it was given both as a header and in the query") }
        guard let version = header ?? query else { return false }
        guard known.contains(version) else { throw .apiVersion("\(version.prefix(40)) is not a version") }
        return version < "2025-04-10"
    }
}

/// The parameters of a request, from its form or JSON body: each is validated before it is used.
struct Form {
    private var values: [String: [String]] = [:]
    private(set) var names: [String] = []

    /// No text of a form is longer.
    static let limit = 16_384

    init(_ pairs: [(name: String, value: String)] = []) {
        for (name, value) in pairs {
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value)
        }
    }

    /// Refuses parameters that are not in `allowed` or are malformed, and reports every error.
    func check(_ allowed: Set<String>, lists: Set<String> = []) throws(ClerkError) {
        var refusals: [ClerkError] = []
        for name in names {
            if Self.isAlwaysAllowed(name) { continue }
            if !allowed.contains(name) {
                refusals.append(.unknown(String(name.prefix(100))))
            } else if let texts = values[name] {
                if texts.count > 1, !lists.contains(name) { refusals.append(.duplicate(name)) }
                if texts.contains(where: { $0.contains("\0") }) {
                    refusals.append(.malformed(name, "\(name) must not contain NUL."))
                }
                if texts.contains(where: { $0.utf8.count > Self.limit }) { refusals.append(.tooBig(name, bytes: Self.limit)) }
            }
        }
        if let refusal = ClerkError.joined(refusals) { throw refusal }
    }

    /// Parameters that SDKs add to any request (https://clerk.com/docs/reference/frontend-api).
    private static func isAlwaysAllowed(_ name: String) -> Bool {
        name.hasPrefix("captcha_")
            || ["_method", "locale", "proof_token", "__clerk_testing_token", "rotating_token_nonce"].contains(name)
    }

    /// Whether it is present, empty or not.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The text; `nil` where it is missing; it may be empty.
    subscript(name: String) -> String? { values[name]?.last }

    /// The text; `nil` where it is missing or empty.
    func text(_ name: String) -> String? {
        guard let text = self[name], !text.isEmpty else { return nil }
        return text
    }

    /// The text, which must be there and not empty.
    func required(_ name: String) throws(ClerkError) -> String {
        guard let text = self[name] else { throw .missing(name) }
        guard !text.isEmpty else { throw .empty(name) }
        return text
    }

    /// All texts of that name.
    func list(_ name: String) -> [String] { (values[name] ?? []).filter { !$0.isEmpty } }

    /// `true`, `false`, or `nil` where there is none.
    func flag(_ name: String) throws(ClerkError) -> Bool? {
        switch text(name)?.lowercased() {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        default: throw .wrongType(name, "boolean")
        }
    }

    /// A JSON object in one text.
    func object(_ name: String) throws(ClerkError) -> JSONObject? {
        guard let text = text(name) else { return nil }
        guard let object = (try? JSON.parse(text))?.object else { throw .wrongType(name, "object") }
        return object
    }

    /// A name of a person: at most 256 characters; an empty one clears it.
    func personName(_ name: String) throws(ClerkError) -> String?? {
        guard let text = self[name] else { return nil }
        guard text.count <= 256 else { throw .tooLong(name, 256) }
        return .some(text.isEmpty ? nil : text)
    }
}
