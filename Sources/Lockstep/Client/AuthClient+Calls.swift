internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Asks the adapter, on its own executor, and ends by the deadline even where backend or adapter do not.
    ///
    /// - Parameters:
    ///   - deadline: The limit; the call's own time where that is shorter.
    ///   - late: Takes an answer that came after its caller had gone on: what the backend has done must not be lost.
    /// - Throws: what the adapter throws; `timedOut` at the deadline; `cancelled` when the caller's task is cancelled.
    func ask<Answer: Sendable>(
        within deadline: Duration? = nil, late: @escaping @Sendable (Answer) async -> Void = { _ in },
        _ question: @escaping @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let limit = CallDeadline.left(of: deadline ?? options.deadline, on: effects.clock)
        let lateAnswer: @Sendable (Result<Answer, AuthError>) async -> Void = { result in
            guard case .success(let answer) = result else { return }
            // The call's time is over; the late answer is handled without its deadline.
            await CallDeadline.$uptime.withValue(nil) { await late(answer) }
        }
        let end = await effects.clock.wait(atMost: limit, on: adapter.executor, late: lateAnswer) {
            do throws(AuthError) { return .success(try await question()) } catch { return .failure(error) }
        }
        guard case .value(let result) = end else { throw self.end(of: end) }
        let answer = try result.get()
        // The backend answers again: send the revocations that could not reach it.
        if core.withLock({ $0.owesRevocations }) { inBackground("sendRevocations") { await self.sendRevocations() } }
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

    /// Runs one call of the app: restores first, ends by the deadline, and sends the events for its begin and end.
    func call<Answer: Sendable>(
        _ name: String, _ body: @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        try await inTime { () async throws(AuthError) in
            try await told(name) { () async throws(AuthError) in
                try await ensureRestored()
                await endOldFlows()
                return try await body()
            }
        }
    }

    /// Gives all waits of `body` one deadline.
    func inTime<Answer: Sendable>(
        _ body: @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let result: Result<Answer, AuthError> = await CallDeadline.$uptime.withValue(effects.clock.uptime + options.deadline) {
            do throws(AuthError) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// The error for callers whose wait ended without a value.
    func end<Value>(of end: WaitEnd<Value>) -> AuthError {
        if case .cancelled = end { return .cancelled }
        return AuthError(
            .timedOut, "The call has not ended within \(options.deadline). It may have reached the backend.", retry: .now)
    }

    /// Refuses what the adapter cannot do, before any request.
    func unsupported(_ capability: Capability) -> AuthError {
        .unsupported(capability, by: adapter.name)
    }
}
