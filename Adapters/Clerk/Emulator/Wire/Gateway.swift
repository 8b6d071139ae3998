import LockstepEmulation
import LockstepPrimitives

/// One endpoint of either API.
typealias Endpoint = LockstepEmulation.Endpoint<ServerState>

extension ServerState {
    /// The callers that an endpoint admits, which also determine its API.
    enum Access: Sendable, Hashable {
        /// The Frontend API: any client, or a device without a client.
        case anyone
        /// The Frontend API, with a client that has a session and a user.
        case user
        /// The Frontend API: a user with a verification in the last ten minutes, if the instance requires it.
        case freshUser
        /// The Backend API: a server with the secret key.
        case server
    }

    /// An administrator in this process sends no request.
    var ownCall: Call { Call() }

    /// Reads sender, credentials and body.
    func call(of request: EmulatorRequest, to endpoint: Endpoint, _ settings: ClerkSettings) throws(ClerkError) -> Call {
        var call = Call()
        call.query = Form(request.query.pairs)
        if endpoint.access == .server {
            call.api = .backend
            try checkSecretKey(of: request)
            if settings.limitsRates, let refusal = gate.refusal(ofBackend: request, allowing: settings.backendRateLimit) {
                throw refusal
            }
            try call.readFields(request)
        } else {
            if settings.limitsRates, let refusal = gate.refusal(of: request) { throw refusal }
            call.sender = try Sender(request, settings: settings)
            try call.readForm(request)
        }
        return call
    }

    /// Checks the credentials of a request to the Backend API.
    func checkSecretKey(of request: EmulatorRequest) throws(ClerkError) {
        guard let bearer = request.bearer else { throw .authorizationFormat }
        guard Secret(bearer) == secretKey else { throw .secretKey }
        _ = try APIVersion.read(header: request.headers["clerk-api-version"], query: nil)
    }

    /// Finds the client, the session and the user, and checks the names in the body.
    func admit(_ context: RequestContext, to endpoint: Endpoint) throws {
        if endpoint.access == .server {
            try context.fields.check(endpoint.body)
            for element in context.elements { try element.check(endpoint.body) }
            return
        }
        // Finding a client ends its expired sessions. An endpoint that only reads is about the instance, not about a
        // client.
        if endpoint.run != .reads, endpoint.run != .repeatsReading { try identify(context) }
        if endpoint.access != .anyone { try findUser(context) }
        try context.form.check(endpoint.body)
        if endpoint.access == .freshUser { _ = try context.freshUser() }
    }

    /// Finds the client of the request: by its token, or by the browser of a development instance.
    private func identify(_ context: RequestContext) throws {
        if let token = context.sender.clientToken { context.client = try context.clients.find(token: token) }
        guard context.client == nil, let browser = context.sender.devBrowser else { return }
        guard let row = try context.db.find(NonceRecord.self, "nonce = \(browser) AND kind = 'dev_browser'") else {
            throw ClerkError.devBrowser
        }
        if let id = row.subject { context.client = try context.clients.find(id: id) }
    }

    /// Finds the session of the request (the one in the request, or the client's current one), and its user.
    private func findUser(_ context: RequestContext) throws {
        guard let client = context.client else { throw ClerkError.unauthenticated }
        guard let id = context.sender.sessionID ?? client.lastActiveSessionID else { throw ClerkError.signedOut }
        guard let session = try context.sessions.find(id), session.clientID?.exact == client.id.exact, session.isLive,
            let user = try context.users.find(session.userID)
        else { throw ClerkError.unauthenticated }
        (context.call.session, context.call.user) = (session, user)
    }

    /// Wraps the result of a handler in the envelope of its API.
    func response(with answer: Answer, in context: RequestContext) throws -> EmulatorResponse {
        if context.call.api == .backend { return try body(answer, in: context) }
        var response =
            if let location = context.call.redirect {
                EmulatorResponse.redirect(to: location, status: context.call.redirectStatus)
            } else {
                try body(answer, in: context)
            }
        try identity(context, &response)
        for cookie in context.call.cookies { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    private func body(_ answer: Answer, in context: RequestContext) throws -> EmulatorResponse {
        func envelope(_ resource: JSON) throws -> JSON {
            context.call.api == .frontend ? ["response": resource, "client": try client(context)] : resource
        }
        return switch answer {
        case .resource(let resource): .json(try envelope(resource))
        case .created(let resource): .json(try envelope(resource), status: 201)
        case .client: .json(["response": try client(context), "client": nil])
        case .bare(let json): .json(json)
        case .file(let bytes, let type): EmulatorResponse(status: 200, headers: ["Content-Type": type], body: bytes)
        case .page(let page): .html(page)
        case .nothing: .empty()
        }
    }

    private func client(_ context: RequestContext) throws -> JSON {
        try context.reloadClient()
        return try context.client.map { try ClientJSON(context: context, audience: context.audience).client($0) } ?? .null
    }

    /// Sends the device its current token as a header or a cookie, unless the device has it.
    private func identity(_ context: RequestContext, _ response: inout EmulatorResponse) throws {
        let sender = context.sender
        if context.call.clearsIdentity {
            // A scheme without a token means "delete yours", because an empty header cannot be sent
            // (https://clerk.com/docs/reference/frontend-api).
            if sender.keepsTokenInHeader { response.headers.add("Authorization", "Bearer") }
            response.headers.add("Set-Cookie", Cookies.client("", lifetime: 0))
            return
        }
        guard let client = context.client, client.token != sender.clientToken else { return }
        if sender.keepsTokenInHeader { return response.headers.add("Authorization", client.token) }
        if let browser = sender.devBrowser {
            try context.db.run("UPDATE nonces SET subject = \(client.id) WHERE nonce = \(browser)")
        }
        response.headers.add("Set-Cookie", Cookies.client(client.token, lifetime: 315_360_000))
    }
}

/// Cookies of browser mode.
enum Cookies {
    /// The client's own cookie, on the host of the Frontend API; without `Secure`, because loopback has no TLS.
    static func client(_ token: String, lifetime: Int) -> String {
        "__client=\(token); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Lax"
    }
}
