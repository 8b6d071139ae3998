internal import LockstepEmulation
public import LockstepPrimitives
internal import LockstepTokens

extension ClerkAdministrator {
    /// Creates a ticket for one sign-in of a user, like `POST /v1/sign_in_tokens`.
    ///
    /// - Parameters:
    ///   - userID: The user's id.
    ///   - lifetime: The lifetime of the ticket. Default: an hour.
    /// - Throws: ``ClerkAdministratorError`` if the user does not exist.
    public func signInTicket(for userID: String, lifetime: Duration = .seconds(3600)) throws -> Secret {
        try perform { context in
            guard try context.users.find(userID) != nil else { throw Self.noSuchUser }
            let ticket = TicketRecord(
                id: context.id(.signInToken), kind: .signInToken, token: Tickets.newToken(context), status: "pending",
                userID: userID,
                emailAddress: nil, publicMetadata: [:], redirectURL: nil, actor: nil, expireAt: context.now + lifetime,
                createdAt: context.now, updatedAt: context.now)
            try context.db.save(ticket)
            return Secret(ticket.token)
        }
    }

    /// Returns whether a session token comes from this instance, is still valid, and belongs to an active session.
    ///
    /// A server that checks only the signature accepts the token until it expires, even if the session has ended.
    ///
    /// - Throws: An error of the emulator's database.
    public func accepts(sessionToken: Secret) throws -> Bool {
        guard let key = state.signingKey.current else { return false }
        let rules = TokenRules(issuers: [state.base], audiences: .notInTokens, leeway: .seconds(10))
        let verifier = TokenVerifier(keys: [key.verificationKey], rules: rules)
        guard let token = try? verifier.verify(sessionToken.reveal(), at: state.environment.now) else { return false }
        return try perform { context in
            guard let id = token.claims["sid"]?.string, let session = try context.sessions.find(id) else {
                return false
            }
            return session.isLive && session.expireAt > context.now && session.abandonAt > context.now
        }
    }

    /// Returns whether the instance would issue a new session token for a client token.
    ///
    /// The instance issues the token if it knows the client, and if a user is signed in on that client.
    ///
    /// - Throws: An error of the emulator's database.
    public func accepts(clientToken: Secret) throws -> Bool {
        try perform { context in
            let clients = context.clients
            guard let client = try clients.find(token: clientToken.reveal()) else { return false }
            return try clients.sessions(of: client).contains(where: \.isLive)
        }
    }

    /// Runs `body` in its own transaction; a Clerk error becomes an error with the same code.
    func perform<Value: Sendable>(_ body: (RequestContext) throws -> Value) throws -> Value {
        defer { state.sendEvents() }
        do {
            return try TransactionRunner(state).perform(body)
        } catch let refusal as ClerkError {
            throw ClerkAdministratorError(code: refusal.code)
        }
    }

    /// Runs `body` like ``perform(_:)``, for a body that needs deferred work, such as password hashes.
    func performWithDeferredWork<Value: Sendable>(_ body: (RequestContext) throws -> Value) async throws -> Value {
        defer { state.sendEvents() }
        do {
            return try await TransactionRunner(state).performWithDeferredWork(body)
        } catch let refusal as ClerkError {
            throw ClerkAdministratorError(code: refusal.code)
        }
    }
}
