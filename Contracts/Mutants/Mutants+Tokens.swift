internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let tokens: [Mutant<World>] = [
        .client("session.tokens.sendable", "accepts a token with a line break") { faulty, context in
            @Sendable func entering(
                _ call: @Sendable () async throws(AuthError) -> AuthStep
            ) async throws(AuthError) -> AuthStep {
                do throws(AuthError) {
                    return try await call()
                } catch {
                    guard error.code == .invalidResponse else { throw error }
                    return .complete(context.forged())
                }
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                try await entering { () async throws(AuthError) in try await base.signIn(with: credential) }
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                try await entering { () async throws(AuthError) in try await base.respond(to: flow, with: response) }
            }
        },
        .alone("session.tokens.sendable", "reports a token with a line break as a network error") { faulty, _ in
            faulty.onToken = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.accessToken()
                } catch {
                    throw error.code == .invalidResponse ? error.renamed(.network) : error
                }
            }
        },
    ]
}
