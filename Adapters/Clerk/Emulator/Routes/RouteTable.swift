import LockstepEmulation

/// The routes of both APIs.
///
/// Clerk serves the APIs on two hosts; here they share one port.
enum RouteTable {
    /// The Frontend API, for apps (https://clerk.com/docs/reference/frontend-api).
    enum Frontend {}
    /// The Backend API, for servers with the secret key (https://clerk.com/docs/reference/backend-api).
    enum Backend {}

    /// The routes of the Frontend API, including those of extensions, each with and without a slash at its end.
    static let frontend = (Frontend.all + Extension.all.flatMap(\.frontend)).map { $0.mounted("") }
    /// The routes of the Backend API, which its tables list without `/v1`.
    static let backend = (Backend.all + Extension.all.flatMap(\.backend)).map { $0.mounted("/v1") }
}

extension Endpoint {
    fileprivate func mounted(_ prefix: String) -> Endpoint {
        Endpoint(method, prefix + pattern + "/?", access, body: body, run, handler)
    }
}

extension RouteSection {
    /// The Frontend API.
    static let frontend = RouteSection(rawValue: "frontend")
    /// The Backend API.
    static let backend = RouteSection(rawValue: "backend")
}
