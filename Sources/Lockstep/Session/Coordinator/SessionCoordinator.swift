internal import LockstepPrimitives
internal import Synchronization

/// Everything that a client does with its session: restoring, refreshing, signing out, revocations and pending writes.
///
/// The rules are in ``SessionMachine`` and its operations; this runs them against store and backend.
final class SessionCoordinator: Sendable {
    let context: ClientContext
    let restoring = Shared<Void>()

    init(_ context: ClientContext) { self.context = context }

    var adapter: any AuthAdapter { context.adapter }
    var effects: Effects { context.effects }
    var options: AuthClient.Options { context.options }

    /// Who is signed in, as far as memory knows.
    var state: AuthState { context.state.withLock { $0.authState } }

    var isRestored: Bool { context.state.withLock { $0.isRestored } }

    /// Changes the state, publishes it to the subscribers, and then, with no lock held, to the event sink.
    ///
    /// - Parameter latency: how long the refresh behind the change took.
    @discardableResult
    func change<Result: Sendable>(
        after latency: Duration? = nil, _ body: @Sendable (inout ClientState) -> Result
    ) -> Result {
        let (result, notes, published) = context.state.withLock { core in
            let result = body(&core)
            core.forgetBoundCall()
            defer { core.sessions.notes = [] }
            return (result, core.sessions.notes, core.publish())
        }
        for note in notes { effects.tell(note.event, note.fields(after: latency)) }
        if let published { effects.tell(.stateChanged, published.eventFields) }
        retryPendingWritesLater()
        return result
    }

    // MARK: Calls

    /// Runs one call of the app: restores first, ends by the deadline, and sends the events for its begin and end.
    func call<Answer: Sendable>(
        _ name: String, _ body: @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        try await context.inTime { () async throws(AuthError) in
            try await context.told(name) { () async throws(AuthError) in
                if !self.isRestored { try await self.ensureRestored() }
                await self.endOldFlows()
                return try await body()
            }
        }
    }

    /// Ends expired flows, so that abandoned ones do not keep their secrets for ever.
    private func endOldFlows() async {
        let now = effects.clock.now
        guard context.state.withLock({ $0.hasOldFlow(at: now) }) else { return }
        change { core in
            core.endOldFlows(at: now)
            core.askForProof(self.adapter, self.effects)
        }
        await persist(.flow)
    }

    /// Asks the adapter, and sends the revocations that could not reach the backend where it answers again.
    ///
    /// - Throws: as ``ClientContext/ask(within:late:_:)``.
    func ask<Answer: Sendable>(
        within deadline: Duration? = nil, late: @escaping @Sendable (Answer) async -> Void = { _ in },
        _ question: @escaping @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let answer = try await context.ask(within: deadline, late: late, question)
        if context.state.withLock({ $0.owesRevocations }) {
            context.inBackground("sendRevocations") { await self.sendRevocations() }
        }
        return answer
    }

    /// Asks about the signed-in user; where the backend refuses the access token, once more with a new one.
    ///
    /// This is the one place for that: there is one refresh, shared by all whose token was refused, and the second refusal is
    /// final. It is also where a refusal gets its remedies.
    ///
    /// - Throws: what `question` throws, and the error of a failed refresh.
    func asUser<Answer: Sendable>(
        _ question: @Sendable (Session) async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let (session, renewals) = try await validSessionAndRenewals()
        do throws(AuthError) {
            return try await question(session)
        } catch  where error.code == .accessTokenRefused {
            let renewed = try await self.session(serving: .otherThan(session.accessToken, since: renewals))
            guard renewed.user.id == session.user.id else { throw .anotherUser }
            do throws(AuthError) { return try await question(renewed) } catch { throw remedied(error, renewed) }
        } catch {
            throw remedied(error, session)
        }
    }

    /// Adds the ways to sign in again where the backend asks for that.
    private func remedied(_ error: AuthError, _ session: Session) -> AuthError {
        guard error.code == .reauthenticationRequired, error.remedies.isEmpty, let reauthentication = adapter.reauthentication
        else { return error }
        var error = error
        error.remedies = [.reauthenticate(reauthentication.ways(for: session))]
        return error
    }
}

extension AuthState {
    fileprivate var eventFields: [Event.Field: String] {
        switch self {
        case .restoring: [.state: "restoring"]
        case .signedOut(let reason): [.state: "signedOut", .reason: reason.rawValue]
        case .anonymous: [.state: "anonymous"]
        case .unverified: [.state: "unverified"]
        case .signedIn: [.state: "signedIn"]
        case .unavailable(let failure): [.state: "unavailable", .code: failure.code.rawValue]
        }
    }
}
