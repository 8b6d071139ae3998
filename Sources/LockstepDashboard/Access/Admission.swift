internal import LockstepEmulation
internal import LockstepPrimitives

/// The access control of the dashboard.
///
/// A browser sends a cookie to every port of a host, and `SameSite` compares neither ports nor schemes. Only the browser's
/// headers about the requesting page distinguish this dashboard from another server on this machine. The server has checked the
/// host name before.
struct Admission: Sendable {
    let sessions: BrowserSessions
    let port: UInt16
    /// Whether a token is the control token of one of the emulators.
    let isControlToken: @Sendable (String) -> Bool

    /// The cookie's name, which depends on the port, so that two dashboards on a host have different cookies.
    private var cookieName: String { "lockstep-\(port)" }

    /// The route that returns a link to a program.
    ///
    /// It requires a control token, and browsers may not call it.
    static let linkPath = "/link"

    /// The route that ends all sessions, for `lockstep open --forget`; it requires the same.
    static let forgetPath = "/forget"

    /// The routes that reveal nothing about the emulators.
    static let openPaths: Set<String> = ["/style.css", "/script.js", "/icon.svg"]

    /// Returns the response to a rejected request, or to one that exchanges a key; `nil` if the request is allowed.
    func answer(to request: EmulatorRequest) -> EmulatorResponse? {
        guard ["GET", "POST"].contains(request.method) else {
            return ErrorPage(405, "Method \(request.method) is not allowed. Use GET or POST.").response.with("Allow", "GET, POST")
        }
        if [Self.linkPath, Self.forgetPath].contains(request.rawPath) { return refusalOfProgram(request) }
        if let refusal = refusalOfForeignPage(request) { return refusal }
        if Self.openPaths.contains(request.rawPath) { return nil }
        if request.method == "GET", request.rawPath == "/", let key = request.query["key"] {
            return exchange(Secret(key), request)
        }
        guard let session = session(of: request) else {
            return ErrorPage(
                401,
                "This browser has no access to the dashboard. Run \"lockstep open\" in a terminal, and open the link that it prints."
            ).response
        }
        guard request.method == "POST" else { return nil }
        guard let token = request.form()["token"], Secret(token) == session.formToken else {
            return ErrorPage(403, "The form belongs to another session. Go back, reload the page, and send the form again.")
                .response
        }
        return nil
    }

    /// Returns the session of a request's cookie.
    func session(of request: EmulatorRequest) -> BrowserSession? {
        request.cookie(cookieName).flatMap { sessions.session(of: Secret($0)) }
    }

    /// Exchanges the key of a link, which works once, and removes it from the address.
    private func exchange(_ key: Secret, _ request: EmulatorRequest) -> EmulatorResponse {
        if let session = sessions.open(with: key) {
            let life = sessions.areKept ? "; Max-Age=\(KeptSession.longestLife.components.seconds)" : ""
            let cookie = "\(cookieName)=\(session.cookie.reveal()); Path=/; HttpOnly; SameSite=Strict\(life)"
            return .redirect(to: "/").with("Set-Cookie", cookie)
        }
        if session(of: request) != nil { return .redirect(to: "/") }
        return ErrorPage(
            401,
            "This link was already used, or is from an earlier start. Run \"lockstep open\" in a terminal, and open the new link."
        ).response
    }

    private func refusalOfProgram(_ request: EmulatorRequest) -> EmulatorResponse? {
        guard request.headers.all("origin").isEmpty, request.headers.all("sec-fetch-site").isEmpty,
            let token = request.bearer, isControlToken(token)
        else {
            return .json(
                ["error": "Missing or wrong control token. Send the Authorization header from \"control\" in the ready line."],
                status: 401)
        }
        return nil
    }

    /// Rejects requests from pages of another origin: another site, port or scheme.
    private func refusalOfForeignPage(_ request: EmulatorRequest) -> EmulatorResponse? {
        let sites = request.headers.all("sec-fetch-site").map { $0.lowercased() }
        let origins = request.headers.all("origin").map { $0.lowercased() }
        let own = "http://" + (request.headers["host"] ?? "").lowercased()
        let isPost = request.method == "POST"
        let isOwnPage = sites == ["same-origin"]
        // What a person types or opens from another program is of no page.
        let isOwnSite = sites.isEmpty || isOwnPage || !isPost && sites == ["none"]
        // These pages send no referrer, and then a browser writes "null" for a form.
        let isOwnOrigin = origins.allSatisfy { $0 == own || isOwnPage && $0 == "null" } && origins.count < 2
        let isKnown = !isPost || isOwnPage || origins == [own]
        if isOwnSite, isOwnOrigin, isKnown { return nil }
        return ErrorPage(
            403, "Requests from other sites and other ports are blocked. Open the dashboard's own address in a new tab."
        ).response
    }
}
