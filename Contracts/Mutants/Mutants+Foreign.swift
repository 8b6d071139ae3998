internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let foreign: [Mutant<World>] = [
        .alone("session.call.foreign-refusal", "treats a proxy's 401 at a reload as a revoked session") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.refreshUser()
                } catch {
                    if error.provider?.status == 401, error.provider?.code == nil {
                        try await base.signOut(.local, discardingAnonymousUser: true)
                    }
                    throw error
                }
            }
        },
        .alone("session.call.foreign-refusal", "treats an unknown code at a reload as a revoked session") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.refreshUser()
                } catch {
                    if error.code == .unknown { try await base.signOut(.local, discardingAnonymousUser: true) }
                    throw error
                }
            }
        },
        .alone("session.call.foreign-refusal", "treats a proxy's error at a name change as the end of the session") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.update(displayName: name, photoURL: photo)
                } catch {
                    throw error.code == .invalidResponse ? error.renamed(.sessionRevoked) : error
                }
            }
        },
        .alone("session.call.foreign-refusal", "treats a portal's page as the user") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.refreshUser()
                } catch {
                    guard error.code == .invalidResponse, let user = base.state.session?.user else { throw error }
                    return user
                }
            }
        },
        .alone("error.foreign.everywhere", "treats a proxy's error at a sign-in as a wrong password") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    throw error.code == .invalidResponse ? error.renamed(.invalidCredentials) : error
                }
            }
        },
        .alone("error.foreign.everywhere", "advises to repeat a request that a proxy rejected") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    var hasty = error
                    if error.code == .invalidResponse { hasty.retry = .now }
                    throw hasty
                }
            }
        },
        .alone("error.foreign.everywhere", "treats an unknown code at a verification as a wrong code") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    throw error.code == .unknown ? error.renamed(.invalidCode) : error
                }
            }
        },
        .alone("error.foreign.everywhere", "cancels the flow after a portal's page") { faulty, _ in
            faulty.onResend = { base, flow async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.resend(flow)
                } catch {
                    if error.code == .invalidResponse { try await base.cancel(flow) }
                    throw error
                }
            }
        },
        .alone("error.foreign.everywhere", "returns an unknown step after a rejected reset") { faulty, context in
            faulty.onReset = { base, email async throws(AuthError) in
                let step = try await base.requestPasswordReset(email: email)
                return .other(OtherStep(flow: step.flow ?? context.forgedChallenge.flow, status: "mutant"))
            }
        },
        .alone("error.foreign.everywhere", "treats a proxy's error at a reset as a sent message") { faulty, context in
            faulty.onReset = { base, email async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.requestPasswordReset(email: email)
                } catch {
                    guard error.code == .invalidResponse else { throw error }
                    return .verify(context.forgedChallenge)
                }
            }
        },
    ]
}
