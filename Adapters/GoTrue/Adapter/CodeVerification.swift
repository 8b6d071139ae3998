import Lockstep
import LockstepPrimitives

/// Codes from messages; in a flow that waits for a second factor, codes of that.
struct CodeVerification: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .confirmationCode }

    func takes(_ answer: Answer.Kind, in kind: Flow.Kind) -> Bool { answer == .code }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        flow[.factor] == nil ? try await api.resend(in: flow) : try await SecondFactor(api: api).prepare(flow)
    }

    func attempt(_ answer: Answer, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .code(let code) = answer, let message = flow.text(.message).flatMap(Message.init) else {
            return try await SecondFactor(api: api).attempt(answer, in: flow)
        }
        if flow[.factor] != nil { return try await SecondFactor(api: api).attempt(answer, in: flow) }
        do {
            let given = try await verify(code, of: message, in: flow)
            // The code is spent: what follows is never answered by it again.
            flow.note(.message, nil)
            return try await api.step(for: given, in: flow)
        } catch let half as HalfConfirmed {
            return .verify(half.challenge)
        } catch let error as AuthError {
            throw await refined(error, message, in: flow)
        } catch {
            throw AuthError(.unknown, "The code could not be given.", underlying: error)
        }
    }
}
