internal import LockstepEmulation
import LockstepPrimitives

/// The metadata of a request to the Frontend API, validated before any lookup (reference, section 1).
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
        form = try Self.form(request)
    }

    /// Whether the device stores its token itself, and not as a cookie.
    var keepsTokenInHeader: Bool { isNative || usesHeader }

    private let usesHeader: Bool

    /// The value of a path parameter.
    func piece(_ name: String) -> String { placeholders.first { $0.name == name }?.value ?? "" }

    private static func form(_ request: EmulatorRequest) throws(ClerkError) -> Form {
        guard !request.body.isEmpty else { return Form() }
        switch request.mediaType {
        case "application/x-www-form-urlencoded", "":
            guard let text = String(validating: request.body, as: UTF8.self), let pairs = Percent.decodeForm(text) else {
                throw .malformedBody("The form is not encoded rightly. Check its percent signs, and that it is UTF-8.")
            }
            return Form(pairs)
        case "multipart/form-data": return Form()
        default: throw .contentType(request.mediaType, expected: "application/x-www-form-urlencoded")
        }
    }
}

/// The versions of the API by date (reference, section 1.4).
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
