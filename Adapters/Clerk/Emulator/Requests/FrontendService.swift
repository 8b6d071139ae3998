internal import LockstepEmulation
import LockstepPrimitives

/// Takes requests to the Frontend API through identity, handler and envelope.
struct FrontendService: Sendable {
    typealias Handler = @Sendable (FrontendCall) throws -> FrontendResponse

    let state: ServerState

    func reply(_ request: EmulatorRequest, _ handler: @escaping Handler) -> Reply {
        let settings = state.settings
        if settings.limitsRates, let refusal = state.gate.refusal(of: request) {
            return .now(state.response(to: refusal))
        }
        let parsed: FrontendRequest
        do throws(ClerkError) {
            parsed = try FrontendRequest(request, settings: settings)
        } catch {
            return .now(state.response(to: error))
        }
        return TransactionRunner(state).reply(to: request, settings: settings) { context in
            let call = FrontendCall(context: context, request: parsed)
            try identify(call)
            return try response(call, handler(call))
        }.then { state.sendEvents() }
    }

    /// Finds the client that the request names: by its token, or by the browser of a development instance.
    private func identify(_ call: FrontendCall) throws {
        let clients = call.context.clients
        if let token = call.request.clientToken { call.client = try clients.find(token: token) }
        guard call.client == nil, let browser = call.request.devBrowser else { return }
        guard let row = try call.context.db.find(NonceRecord.self, "nonce = \(browser) AND kind = 'dev_browser'") else {
            throw ClerkError.devBrowser
        }
        if let id = row.subject { call.client = try clients.find(id: id) }
    }

    private func response(_ call: FrontendCall, _ answer: FrontendResponse) throws -> EmulatorResponse {
        var response: EmulatorResponse
        if let location = call.redirect {
            response = .redirect(to: location, status: call.redirectStatus)
        } else {
            response = try body(call, answer)
        }
        try identity(call, &response)
        for cookie in call.cookies { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    private func body(_ call: FrontendCall, _ answer: FrontendResponse) throws -> EmulatorResponse {
        switch answer {
        case .bare(let json): return .json(json)
        case .page(let page): return .html(page)
        case .file(let bytes, let type): return EmulatorResponse(status: 200, headers: ["Content-Type": type], body: bytes)
        case .client: return .json(["response": try client(call), "client": nil])
        case .resource(let resource): return .json(["response": resource, "client": try client(call)])
        case .created(let resource): return .json(["response": resource, "client": try client(call)], status: 201)
        }
    }

    private func client(_ call: FrontendCall) throws -> JSON {
        try call.reloadClient()
        return try call.client.map { try ClientJSON(context: call.context, audience: call.audience).client($0) } ?? .null
    }

    /// Sends the device its token where it lacks the current one, as a header or a cookie.
    private func identity(_ call: FrontendCall, _ response: inout EmulatorResponse) throws {
        let request = call.request
        if call.clearsIdentity {
            // A scheme without a token means "delete yours", because an empty header cannot be sent
            // (https://clerk.com/docs/reference/frontend-api).
            if request.keepsTokenInHeader { response.headers.add("Authorization", "Bearer") }
            response.headers.add("Set-Cookie", Cookies.client("", lifetime: 0))
            return
        }
        guard let client = call.client, client.token != request.clientToken else { return }
        if request.keepsTokenInHeader { return response.headers.add("Authorization", client.token) }
        if let browser = request.devBrowser {
            try call.context.db.run("UPDATE nonces SET subject = \(client.id) WHERE nonce = \(browser)")
        }
        response.headers.add("Set-Cookie", Cookies.client(client.token, lifetime: 315_360_000))
    }
}

/// The result of a handler of the Frontend API, without its envelope.
enum FrontendResponse {
    /// `{"response": …, "client": …}`
    case resource(JSON)
    /// The same with 201, where the document says so.
    case created(JSON)
    /// `{"response": client, "client": null}`
    case client
    /// The body as it is.
    case bare(JSON)
    /// Bytes of that media type.
    case file([UInt8], type: String)
    /// A sentence for a person with a browser, where the request names no redirect.
    case page(String)
}

/// Cookies of browser mode.
enum Cookies {
    /// The client's own, on the host of the Frontend API; without `Secure`, because loopback has no TLS.
    static func client(_ token: String, lifetime: Int) -> String {
        "__client=\(token); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Lax"
    }
}

/// One request to the Frontend API inside its transaction: the client, the parameters, and the response besides the body.
final class FrontendCall {
    let context: RequestContext
    let request: FrontendRequest
    /// Whether the device must delete its token.
    var clearsIdentity = false
    /// The redirect of a browser, in place of an answer.
    var redirect: String?
    /// The kind of redirect.
    var redirectStatus = 303
    /// Cookies beside the client's own.
    var cookies: [String] = []

    init(context: RequestContext, request: FrontendRequest) {
        self.context = context
        self.request = request
    }

    /// The client of the request, once there is one.
    var client: ClientRecord? {
        get { context.caller }
        set { context.caller = newValue }
    }

    var form: Form { request.form }
    var settings: ClerkSettings { context.settings }
    var audience: TokenAudience { TokenAudience(origin: request.isNative ? nil : request.origin, isOld: request.isOldVersion) }

    /// The client, created where there is none yet.
    func clientOrNew() throws -> ClientRecord {
        if let client { return client }
        let new = try context.clients.make()
        client = new
        return new
    }

    /// Saves a change of the client.
    func save(_ client: ClientRecord) throws {
        var copy = client
        try context.clients.save(&copy)
        self.client = copy
    }

    /// The client as it is in the database now.
    func reloadClient() throws {
        if let id = client?.id { client = try context.clients.find(id: id) }
    }

    /// The session that the request acts in: the one it names, or the client's current one.
    func session() throws -> SessionRecord {
        guard let client else { throw ClerkError.unauthenticated }
        guard let id = request.sessionID ?? client.lastActiveSessionID else { throw ClerkError.signedOut }
        guard let session = try context.sessions.find(id), session.clientID == client.id, session.isLive else {
            throw ClerkError.unauthenticated
        }
        return session
    }

    /// The user of ``session()``.
    func user() throws -> UserRecord {
        guard let user = try context.users.find(try session().userID) else {
            throw ClerkError.unauthenticated
        }
        return user
    }

    /// The user, whose last proof must be younger than ten minutes where the instance asks for that.
    ///
    /// It is that of the second factor where the user has one and has given it (`strict`:
    /// https://clerk.com/docs/guides/secure/reverification). The code of a new device is none: no reverification asks for it.
    func freshUser() throws -> UserRecord {
        let (session, user) = (try session(), try user())
        if settings.asksAgain {
            let hasSecond = try !FactorList(context: context, user: user).second().isEmpty
            let proven = hasSecond ? session.secondFactorAt ?? session.firstFactorAt : session.firstFactorAt
            let age = proven.map { context.now - $0 } ?? .seconds(1_000_000)
            if age >= .seconds(600) { throw ClerkError.reverificationRequired }
        }
        return user
    }
}

extension Reply {
    /// The same answer, with `work` begun when it is there.
    func then(_ work: @escaping @Sendable () -> Void) -> Reply {
        switch self {
        case .now(let response):
            work()
            return .now(response)
        case .later(let answer):
            return .later {
                let response = try await answer()
                work()
                return response
            }
        }
    }
}
