internal import LockstepEmulation
import LockstepPrimitives

/// The sender of a request to the Frontend API, as the request describes it before any lookup
/// (https://clerk.com/docs/reference/frontend-api).
struct Sender {
    /// Whether a native app sends the request.
    private(set) var isNative = false
    private(set) var origin: String?
    private(set) var userAgent = ""
    /// The token that identifies the client, from a header, a cookie or the query.
    private(set) var clientToken: String?
    /// The token of a browser that cannot store cookies, on a development instance.
    private(set) var devBrowser: String?
    /// The id of the request's session, if the request contains it.
    private(set) var sessionID: String?
    private(set) var isOldVersion = false
    private var usesHeader = false

    /// Creates a value without a sender: the request is for the Backend API, or there is no request.
    init() {}

    /// - Throws: an error of the request as such: version, mode, header.
    init(_ request: EmulatorRequest, settings: ClerkSettings) throws(ClerkError) {
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
    }

    /// Whether the device stores its token itself, and not as a cookie.
    var keepsTokenInHeader: Bool { isNative || usesHeader }
}

/// The versions of the API by date (https://clerk.com/docs/backend-requests/versioning/overview).
enum APIVersion {
    static let known = ["2021-02-05", "2024-10-01", "2025-04-10", "2025-11-10", "2026-05-12"]

    /// Returns whether the requested version has session tokens of the first format; the default version is the newest.
    static func read(header: String?, query: String?) throws(ClerkError) -> Bool {
        if header != nil, query != nil { throw .apiVersion("it was given both as a header and in the query") }
        guard let version = header ?? query else { return false }
        guard known.contains(version) else { throw .apiVersion("\(version.prefix(40)) is not a version") }
        return version < "2025-04-10"
    }
}
