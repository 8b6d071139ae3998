internal import LockstepEmulation
public import LockstepPrimitives
internal import LockstepTokens

extension ClerkAdministrator {
    /// A ticket that signs a user in once, as `POST /v1/sign_in_tokens` makes it.
    public func signInTicket(for userID: String, lifetime: Duration = .seconds(3600)) throws -> Secret {
        try perform { exchange in
            guard try UserDirectory(exchange: exchange).find(userID) != nil else { throw Self.nobody }
            let ticket = TicketRecord(
                id: exchange.id(.signInToken), kind: .signInToken, token: Tickets.newToken(exchange), status: "pending",
                userID: userID,
                emailAddress: nil, publicMetadata: [:], redirectURL: nil, actor: nil, expireAt: exchange.now + lifetime,
                createdAt: exchange.now, updatedAt: exchange.now)
            try exchange.store.save(ticket)
            return Secret(ticket.token)
        }
    }

    /// Whether a session token is this instance's, has not expired, and belongs to a live session.
    ///
    /// A server that checks only the signature accepts the token until it expires, even if the session has ended.
    public func accepts(sessionToken: Secret) throws -> Bool {
        guard let key = instance.signingKey.current else { return false }
        let rules = TokenRules(issuers: [instance.base], audiences: .notInTokens, leeway: .seconds(10))
        let verifier = TokenVerifier(keys: [key.verificationKey], rules: rules)
        guard let token = try? verifier.verify(sessionToken.reveal(), at: instance.environment.now) else { return false }
        return try perform { exchange in
            guard let id = token.claims["sid"]?.string, let session = try SessionBook(exchange: exchange).find(id) else {
                return false
            }
            return session.isLive && session.expireAt > exchange.now && session.abandonAt > exchange.now
        }
    }

    /// Whether the instance would give a new session token for this client token now: the client is known and signed in.
    public func accepts(clientToken: Secret) throws -> Bool {
        try perform { exchange in
            let clients = ClientBook(exchange: exchange)
            guard let client = try clients.find(token: clientToken.reveal()) else { return false }
            return try clients.sessions(of: client).contains(where: \.isLive)
        }
    }

    /// Runs `body` in a transaction of its own; a refusal becomes an error with its code.
    func perform<Value: Sendable>(answers: [DeferredWork: DeferredWorkResult] = [:], _ body: (Exchange) throws -> Value) throws
        -> Value
    {
        do {
            return try instance.transact(answers: answers, body).get()
        } catch let refusal as ClerkError {
            throw ClerkAdministratorError(code: refusal.code)
        }
    }

    /// The same for a body that needs deferred work, such as password hashes.
    func performWithDeferredWork<Value: Sendable>(_ body: (Exchange) throws -> Value) async throws -> Value {
        var answers: [DeferredWork: DeferredWorkResult] = [:]
        while true {
            do {
                return try perform(answers: answers, body)
            } catch let deferredWork as DeferredWork {
                guard answers[deferredWork] == nil else { throw ClerkAdministratorError(code: "internal_clerk_error") }
                answers[deferredWork] = try await instance.run(deferredWork)
            }
        }
    }
}
