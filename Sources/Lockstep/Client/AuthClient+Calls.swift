internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Asks the adapter, on its own executor, and ends by the deadline whatever the backend does.
    ///
    /// - Throws: what the adapter throws; `timedOut` at the deadline; `cancelled` when the caller's task is cancelled.
    func ask<Answer: Sendable>(
        within deadline: Duration? = nil, _ question: @escaping @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let deadline = deadline ?? options.deadline
        let clock = effects.clock
        let outcome = await withTaskGroup(of: Result<Answer, AuthError>.self) { group in
            group.addTask(executorPreference: adapter.executor) {
                do throws(AuthError) {
                    return .success(try await question())
                } catch {
                    return .failure(Task.isCancelled ? .cancelled : error)
                }
            }
            group.addTask {
                do {
                    try await clock.sleep(for: deadline)
                } catch {
                    return .failure(.cancelled)
                }
                let sentence = "The backend has not answered within \(deadline). The call may have reached it."
                return .failure(AuthError(.timedOut, sentence, retry: .now))
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        let answer = try outcome.get()
        // The backend answers again: it hears now of the sign-outs that could not reach it.
        if core.withLock({ $0.owesRevocations }) { inBackground("sendRevocations") { await self.sendRevocations() } }
        return answer
    }

    /// Runs one call of the app: restores first, and tells the sink how it begins and ends.
    func call<Answer: Sendable>(
        _ name: String, _ body: @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        try await told(name) { () async throws(AuthError) in
            try await ensureRestored()
            return try await body()
        }
    }

    /// Refuses what the adapter cannot do, before any request.
    func unsupported(_ capability: Capability) -> AuthError {
        .unsupported(capability, by: adapter.name)
    }
}
