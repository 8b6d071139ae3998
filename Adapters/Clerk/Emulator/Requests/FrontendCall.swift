import LockstepPrimitives

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
        let new = try ClientRepository(context: context).make()
        client = new
        return new
    }

    /// Saves a change of the client.
    func save(_ client: ClientRecord) throws {
        var copy = client
        try ClientRepository(context: context).save(&copy)
        self.client = copy
    }

    /// The client as it is in the database now.
    func reloadClient() throws {
        if let id = client?.id { client = try ClientRepository(context: context).find(id: id) }
    }

    /// The session that the request acts in: the one it names, or the client's current one.
    func session() throws -> SessionRecord {
        guard let client else { throw ClerkError.unauthenticated }
        guard let id = request.sessionID ?? client.lastActiveSessionID else { throw ClerkError.signedOut }
        guard let session = try SessionRepository(context: context).find(id), session.clientID == client.id, session.isLive else {
            throw ClerkError.unauthenticated
        }
        return session
    }

    /// The user of ``session()``.
    func user() throws -> UserRecord {
        guard let user = try UserRepository(context: context).find(try session().userID) else {
            throw ClerkError.unauthenticated
        }
        return user
    }

    /// The user, whose first factor must be younger than ten minutes where the instance asks for that.
    func freshUser() throws -> UserRecord {
        let session = try session()
        if settings.asksAgain {
            let age = session.firstFactorAt.map { context.now - $0 } ?? .seconds(1_000_000)
            if age >= .seconds(600) { throw ClerkError.reverificationRequired }
        }
        return try user()
    }
}
