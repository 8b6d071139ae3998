internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let signUp: [Mutant<World>] = [
        .client("sign-up.password.asks-for-proof", "completes immediately") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                let step = try await base.signUp(with: credential, displayName: name)
                return step.session == nil
                    ? .complete(context.forged(email: credential.identifier))
                    : .other(OtherStep(flow: context.forgedChallenge.flow, status: "late"))
            }
        },
        .client("sign-up.password.not-repeated", "sends the sign-up again") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch  where error.code == .network {
                    return try await base.signUp(with: credential, displayName: name)
                }
            }
        },
        .client("sign-up.password.unverified-is-not-signed-in", "shows an unverified user as signed in") { faulty, context in
            faulty.seeing = { state in
                if case .unverified(let pending) = state { .signedIn(pending.session ?? context.forged()) } else { state }
            }
        },
        .token("sign-up.password.unverified-is-not-signed-in", "reports that no user is signed in", claims: [.confirmationCode]) {
            _, base async throws(AuthError) in
            do throws(AuthError) {
                return try await base.accessToken()
            } catch  where error.code == .verificationRequired {
                throw AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn])
            }
        },
        .client("sign-up.password.keeps-display-name", "drops the name") { faulty, _ in
            faulty.onSignUp = { base, credential, _ async throws(AuthError) in
                try await base.signUp(with: credential, displayName: nil)
            }
        },
        .client("sign-up.password.keeps-metadata", "drops the metadata") { faulty, _ in
            faulty.onMetadataAtSignUp = { base, credential, name, _ async throws(AuthError) in
                try await base.signUp(with: credential, displayName: name)
            }
        },
        .client("sign-up.password.weak-refused", "ignores the error") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch  where error.code == .weakPassword {
                    return .verify(context.forgedChallenge)
                }
            }
        },
        .client("sign-up.password.weak-refused", "keeps the account of a rejected sign-up") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch {
                    if error.code == .weakPassword, let email = credential.identifier {
                        _ = try? await context.environment.administrator?.create(
                            email: email, password: "Correct-Horse-9", isEmailVerified: false, displayName: nil)
                    }
                    throw error
                }
            }
        },
        .client("sign-up.password.malformed-address-refused", "sends a message anyway") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch  where error.code == .invalidEmail {
                    return try await base.signUp(with: .password(email: "postmaster@example.com", password: "Cr-nobody-9!vx"))
                }
            }
        },
        .client("sign-up.password.known-address", "overwrites the password") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                if let password = credential as? PasswordCredential { context.notebook[password.email] = password.password }
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if let password = credential as? PasswordCredential, let newest = context.notebook[password.email],
                    newest != password.password
                {
                    throw AuthError(.invalidCredentials, "Another password was set in the meantime.")
                }
                return try await base.signIn(with: credential)
            }
        },
        .password("sign-up.password.address-case", "compares addresses exactly") { _, base, credential async throws(AuthError) in
            guard !credential.email.contains(where: \.isUppercase) else {
                throw AuthError(.invalidCredentials, "Incorrect e-mail address or password.")
            }
            return try await base.signIn(with: credential)
        },
        .password("sign-up.password.address-case", "shows the address as the user typed it") {
            _, base, credential async throws(AuthError) in
            let step = try await base.signIn(with: credential)
            guard case .complete(var session) = step else { return step }
            session.user.email = credential.email
            return .complete(session)
        },
        .client("sign-up.send-failed", "starts the countdown anyway") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                guard context.notebook["lost"] == nil else {
                    throw AuthError(.tooManyRequests, "Wait.", retry: .after(.seconds(60)))
                }
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch {
                    if error.code == .messageNotSent { context.notebook["lost"] = "yes" }
                    throw error
                }
            }
        },
        .client("sign-up.interrupted", "does not report what was done") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch {
                    var forgetful = error
                    forgetful.completed = []
                    throw forgetful
                }
            }
        },
    ]
}
