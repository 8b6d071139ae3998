import LockstepEmulation
import LockstepPrimitives

/// `/v1/client/sessions/{session_id}/verify…`: the reverification of a session (https://clerk.com/docs/reference/frontend-api).
struct ReverificationRoutes {
    let context: RequestContext

    /// The members of ``prepareFirst()``.
    static let prepareFirstBody: BodySchema = .form(
        "strategy", "email_address_id", "phone_number_id", "redirect_url", "enterprise_connection_id")

    func start() throws -> Answer {
        var session = try session()
        let text = try context.form.required("level")
        guard let asked = Reverification.Level(rawValue: text) else {
            throw ClerkError.invalidValue("level", String(text.prefix(60)))
        }
        let factors = try factors(session)
        let level = try asked != .firstFactor && factors.second().isEmpty ? .firstFactor : asked
        session.reverification = Reverification(
            level: level, status: level == .secondFactor ? .needsSecondFactor : .needsFirstFactor)
        return try answer(session)
    }

    func prepareFirst() throws -> Answer {
        var (session, state) = try current(.needsFirstFactor, "prepare")
        let strategy = try context.form.required("strategy")
        switch strategy {
        case _ where Extensions.strategy(strategy) != nil:
            state.first = try Extensions.strategy(strategy)?.sessionProof(context, session)
        case "passkey" where try offers("passkey", session):
            state.first = try context.passkeys.request(of: session.userID)
        default:
            state.first = try context.secondFactorProofs.prepare(
                strategy, offered: try factors(session).reverification(), after: state.first)
        }
        session.reverification = state
        return try answer(session)
    }

    func attemptFirst() throws -> Answer {
        var (session, state) = try current(.needsFirstFactor, "attempt")
        let user = try user(session)
        let strategy = try context.form.required("strategy")
        try context.lockout.check(user)
        if strategy == "password" {
            let password = try context.form.required("password")
            guard let isRight = try context.matches(password, user) else { throw ClerkError.strategyInvalidForUser }
            guard isRight else { throw try context.lockout.refusal(.wrongPassword, countedFor: user) }
            state.first = .password
        } else if strategy == "passkey" {
            state.first = try PasskeyRoutes(context: context).proof(of: user, to: state.first)
        } else {
            let refusal = try context.secondFactorProofs.attempt(
                strategy, code: try context.form.required("code"), offered: try factors(session).reverification(), &state.first,
                user
            )
            session.reverification = state
            if let refusal { throw try failed(refusal, session, user) }
        }
        state.status = state.level == .multiFactor ? .needsSecondFactor : .complete
        session.firstFactorAt = context.now
        session.reverification = state
        return try answer(session)
    }

    func prepareSecond() throws -> Answer {
        var (session, state) = try current(.needsSecondFactor, "prepare")
        let strategy = try context.form.required("strategy")
        state.second = try context.secondFactorProofs.prepare(
            strategy, offered: try factors(session).second(), after: state.second)
        session.reverification = state
        return try answer(session)
    }

    func attemptSecond() throws -> Answer {
        var (session, state) = try current(.needsSecondFactor, "attempt")
        let user = try user(session)
        try context.lockout.check(user)
        let refusal = try context.secondFactorProofs.attempt(
            try context.form.required("strategy"), code: try context.form.required("code"),
            offered: try factors(session).second(),
            &state.second, user)
        session.reverification = state
        if let refusal { throw try failed(refusal, session, user) }
        state.status = .complete
        session.secondFactorAt = context.now
        if state.level == .secondFactor { session.firstFactorAt = context.now }
        session.reverification = state
        return try answer(session)
    }

    private func offers(_ strategy: String, _ session: SessionRecord) throws -> Bool {
        try factors(session).reverification().contains { $0["strategy"]?.string == strategy }
    }

    private func failed(_ refusal: ClerkError, _ session: SessionRecord, _ user: UserRecord) throws -> ClerkError {
        guard refusal.code == ClerkError.wrongCode.code else { return refusal }
        try context.db.save(session)
        return try context.lockout.refusal(refusal, countedFor: user)
    }

    private func session() throws -> SessionRecord {
        let id = context.piece("session_id")
        guard let client = context.client else { throw ClerkError.unauthenticated }
        guard let session = try context.sessions.find(id), session.clientID?.exact == client.id.exact else {
            throw ClerkError.notFound(id)
        }
        guard session.isLive else { throw ClerkError.unauthenticated }
        return session
    }

    private func current(_ status: Reverification.Status, _ action: String) throws -> (SessionRecord, Reverification) {
        let session = try session()
        guard let state = session.reverification else { throw ClerkError.reverificationMissing }
        guard state.status == status else { throw ClerkError.reverificationAction(action, status.rawValue) }
        return (session, state)
    }

    private func user(_ session: SessionRecord) throws -> UserRecord {
        guard let user = try context.users.find(session.userID) else { throw ClerkError.unauthenticated }
        return user
    }

    private func factors(_ session: SessionRecord) throws -> FactorList {
        try FactorList(context: context, user: try user(session))
    }

    /// Stores the session and returns its status.
    private func answer(_ session: SessionRecord) throws -> Answer {
        try context.db.save(session)
        guard let state = session.reverification else { throw ClerkError.reverificationMissing }
        let factors = try factors(session)
        let isDone = state.status == .complete
        return .resource([
            "object": "session_reverification", "status": .string(state.status.rawValue), "level": .string(state.level.rawValue),
            "session": try context.sessionJSON.session(session, audience: context.audience),
            "supported_first_factors": isDone ? .null : .array(try factors.reverification().map { .object($0) }),
            "supported_second_factors": isDone ? .null : .array(try factors.second().map { .object($0) }),
            "first_factor_verification": state.first?.json(at: context.now) ?? .null,
            "second_factor_verification": state.second?.json(at: context.now) ?? .null,
        ])
    }
}
