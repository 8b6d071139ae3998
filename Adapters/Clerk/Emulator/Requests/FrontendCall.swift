import LockstepPrimitives

/// One request to the Frontend API inside its transaction: the client, the parameters, and the response besides the body.
final class FrontendCall {
    let exchange: Exchange
    let request: FrontendRequest
    /// The client of the request, once there is one.
    var client: ClientRecord?
    /// Whether the device must delete its token.
    var clearsIdentity = false
    /// The redirect of a browser, in place of an answer.
    var redirect: String?
    /// The kind of redirect.
    var redirectStatus = 303
    /// Cookies beside the client's own.
    var cookies: [String] = []

    init(exchange: Exchange, request: FrontendRequest) {
        self.exchange = exchange
        self.request = request
    }

    var form: Form { request.form }
    var settings: ClerkSettings { exchange.settings }
    var store: Store { exchange.store }
    var audience: TokenAudience { TokenAudience(origin: request.isNative ? nil : request.origin, isOld: request.isOldVersion) }

    /// The client, created where there is none yet.
    func clientOrNew() throws -> ClientRecord {
        if let client { return client }
        let new = try ClientBook(exchange: exchange).make()
        client = new
        return new
    }

    /// Saves a change of the client.
    func save(_ client: ClientRecord) throws {
        var copy = client
        try ClientBook(exchange: exchange).save(&copy)
        self.client = copy
    }

    /// The client as it is in the database now.
    func reloadClient() throws {
        if let id = client?.id { client = try ClientBook(exchange: exchange).find(id: id) }
    }

    /// The session that the request acts in: the one it names, or the client's current one.
    func session() throws -> SessionRecord {
        guard let client else { throw ClerkError.unauthenticated }
        guard let id = request.sessionID ?? client.lastActiveSessionID else { throw ClerkError.signedOut }
        guard let session = try SessionBook(exchange: exchange).find(id), session.clientID == client.id, session.isLive else {
            throw ClerkError.unauthenticated
        }
        return session
    }

    /// The user of ``session()``.
    func user() throws -> UserRecord {
        guard let user = try UserDirectory(exchange: exchange).find(try session().userID) else {
            throw ClerkError.unauthenticated
        }
        return user
    }

    /// The user, whose first factor must be younger than ten minutes where the instance asks for that.
    func freshUser() throws -> UserRecord {
        let session = try session()
        if settings.asksAgain {
            let age = session.firstFactorAt.map { exchange.now - $0 } ?? .seconds(1_000_000)
            if age >= .seconds(600) { throw ClerkError.reverificationRequired }
        }
        return try user()
    }
}
