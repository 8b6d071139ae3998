internal import LockstepEmulation
import LockstepPrimitives

/// Runs a handler in its transaction, and again after each deferred work that it needs.
struct RequestRunner: Sendable {
    let instance: Instance

    /// The answer: immediate where no deferred work is needed, later otherwise.
    func reply(
        _ body: @escaping @Sendable (Exchange) throws -> EmulatorResponse,
        refused: @escaping @Sendable (ClerkError) -> EmulatorResponse
    ) -> Reply {
        do {
            return .now(try attempt([:], body, refused))
        } catch let deferredWork as DeferredWork {
            return .later { await finish(deferredWork, body, refused) }
        } catch {
            return .now(refused(.internalError))
        }
    }

    private func finish(
        _ first: DeferredWork, _ body: @Sendable (Exchange) throws -> EmulatorResponse,
        _ refused: @Sendable (ClerkError) -> EmulatorResponse
    ) async -> EmulatorResponse {
        var answers: [DeferredWork: DeferredWorkResult] = [:]
        var next = first
        // No handler needs more than a few; a handler that never stops asking is a bug, and must not hang.
        for _ in 0..<8 {
            do {
                answers[next] = try await instance.run(next)
                return try attempt(answers, body, refused)
            } catch let deferredWork as DeferredWork {
                next = deferredWork
            } catch {
                return refused(.internalError)
            }
        }
        return refused(.internalError)
    }

    private func attempt(
        _ answers: [DeferredWork: DeferredWorkResult], _ body: (Exchange) throws -> EmulatorResponse,
        _ refused: (ClerkError) -> EmulatorResponse
    ) throws -> EmulatorResponse {
        do {
            switch try instance.transact(answers: answers, body) {
            case .success(let response): return response
            case .failure(let refusal): return refused(refusal)
            }
        } catch let refusal as ClerkError {
            return refused(refusal)
        }
    }
}
