internal import LockstepEmulation
import LockstepPrimitives

/// Runs a handler in its transaction, and again after each errand that it needs.
struct RequestRunner: Sendable {
    let instance: Instance

    /// The answer now, where no errand is needed; later otherwise.
    func reply(
        _ body: @escaping @Sendable (Exchange) throws -> EmulatorResponse,
        refused: @escaping @Sendable (ClerkError) -> EmulatorResponse
    ) -> Reply {
        do {
            return .now(try attempt([:], body, refused))
        } catch let errand as Errand {
            return .later { await finish(errand, body, refused) }
        } catch {
            return .now(refused(.internalError))
        }
    }

    private func finish(
        _ first: Errand, _ body: @Sendable (Exchange) throws -> EmulatorResponse,
        _ refused: @Sendable (ClerkError) -> EmulatorResponse
    ) async -> EmulatorResponse {
        var answers: [Errand: ErrandAnswer] = [:]
        var next = first
        // No handler needs more than a handful; one that asked for ever would be a mistake of ours, and must not hang.
        for _ in 0..<8 {
            do {
                answers[next] = try await instance.run(next)
                return try attempt(answers, body, refused)
            } catch let errand as Errand {
                next = errand
            } catch {
                return refused(.internalError)
            }
        }
        return refused(.internalError)
    }

    private func attempt(
        _ answers: [Errand: ErrandAnswer], _ body: (Exchange) throws -> EmulatorResponse,
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
