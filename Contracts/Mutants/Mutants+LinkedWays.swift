internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    /// Faults for the contracts about identities from a page, and about methods that a user adds by a message.
    static let linkedWays: [Mutant<World>] = [
        .alone("linking.page.add-and-remove", "removes no identity") { faulty, _ in
            faulty.onUnlink = { _, _ in }
        },
        .alone("linking.page.add-and-remove", "removes another identity") { faulty, _ in
            faulty.onUnlink = { base, identity async throws(AuthError) in
                let others = base.state.session?.user.identities.filter { $0.id != identity.id }
                try await base.unlink(others?.first ?? identity)
            }
        },
        .alone("linking.page.last-one-kept", "reports the last identity as removed") { faulty, _ in
            faulty.onUnlink = { _, _ in }
        },
        .alone("linking.page.unverified-address-not-merged", "opens the owner's account with the stranger's password") {
            faulty, context in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                if case .step(let step) = outcome { context.notebook["owner"] = (step.session?.user.id).map { Secret($0) } }
                return outcome
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard credential is PasswordCredential, let owner = context.notebook["owner"] else {
                    return try await base.signIn(with: credential)
                }
                var session = context.forged()
                session.user.id = owner.reveal()
                return .complete(session)
            }
        },
        .alone("linking.by-message", "loses the added address or number") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                var user = try await base.refreshUser()
                (user.email, user.phone) = (nil, nil)
                return user
            }
        },
        .alone("account.reauthenticate.unknown-address", "creates a user for an unknown address") { faulty, context in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                if let email = credential.identifier, !(await context.isKnown(email)) {
                    _ = try? await context.environment.administrator?.create(
                        email: email, password: "Long-enough-9", isEmailVerified: true, displayName: nil)
                }
                return try await base.reauthenticate(with: credential, thenRetry: retry)
            }
        },
    ]

    /// Faults for the contracts about a person who signed up with someone else's address.
    static let strangers: [Mutant<World>] = [
        .alone("sign-in.message.strangers-password", "does the opposite of the declaration") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let password = credential as? PasswordCredential else { return try await base.signIn(with: credential) }
                guard context.behavior.strangersPassword == .dies else {
                    throw AuthError(.invalidCredentials, "The mutant rejects the password.")
                }
                return .complete(context.forged(email: password.email))
            }
        },
        .alone("reset.unverified-account", "ends without a session or a step") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if case .newPassword = response {
                    _ = try await base.respond(to: flow, with: response)
                    return .other(OtherStep(flow: flow, status: "done"))
                }
                return try await base.respond(to: flow, with: response)
            }
        },
        .alone("reset.unverified-account", "accepts the first password, too") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    guard error.code == .invalidCredentials, let email = credential.identifier else { throw error }
                    return .complete(context.forged(email: email))
                }
            }
        },
    ]
}
