internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let signIn: [Mutant<World>] = [
        .password("sign-in.password.completes", "returns another user") { _, base, credential async throws(AuthError) in
            let step = try await base.signIn(with: credential)
            guard var session = step.session else { return step }
            session.user.email = "another-user@example.com"
            return .complete(session)
        },
        .password("sign-in.password.own-account", "returns an invented user id") {
            context, base, credential async throws(AuthError) in
            let step = try await base.signIn(with: credential)
            guard context.contract == "sign-in.password.own-account", var session = step.session else { return step }
            session.user.id = "another-user"
            return .complete(session)
        },
        .password("sign-in.password.own-account", "drops the tag of an address") {
            context, base, credential async throws(AuthError) in
            guard context.contract == "sign-in.password.own-account" else { return try await base.signIn(with: credential) }
            let email = credential.email.replacing("+tag@", with: "@")
            return try await base.signIn(with: .password(email: email, password: credential.password))
        },
        .password("sign-in.password.rejects-wrong", "clears the store") { context, base, credential async throws(AuthError) in
            do throws(AuthError) {
                return try await base.signIn(with: credential)
            } catch {
                if error.code == .invalidCredentials { try? await context.store.remove(context.sessionKey) }
                throw error
            }
        },
        .password("sign-in.password.unknown-like-wrong", "swaps the two codes") {
            context, base, credential async throws(AuthError) in
            do throws(AuthError) {
                return try await base.signIn(with: credential)
            } catch {
                guard await !context.isKnown(credential.email) else { throw error }
                switch error.code {
                case .invalidCredentials: throw error.renamed(.userNotFound)
                case .userNotFound: throw error.renamed(.invalidCredentials)
                default: throw error
                }
            }
        },
        .password("sign-in.password.unverified-is-a-step", "throws an error instead") {
            _, base, credential async throws(AuthError) in
            let step = try await base.signIn(with: credential)
            if step.challenge?.flow.kind == .confirmation {
                throw AuthError(.verificationRequired, "The address is not verified yet.")
            }
            return step
        },
        .renaming("sign-in.password.disabled", "reports a wrong password", .userDisabled, .invalidCredentials),
        .password("sign-in.password.empty-refused", "sends a request") { context, base, credential async throws(AuthError) in
            if credential.email.isEmpty || credential.password.isEmpty { await context.waste() }
            return try await base.signIn(with: credential)
        },
        .renaming("sign-in.password.switched-off", "reports the method as unsupported", .notEnabled, .unsupported),
        .password("sign-in.replaces-session", "keeps the old user") { _, base, credential async throws(AuthError) in
            let before = base.state
            let step = try await base.signIn(with: credential)
            guard case .signedIn(let old) = before, var session = step.session else { return step }
            session.user = old.user
            return .complete(session)
        },
        .client("sign-in.link.completes", "only confirms the address") { faulty, _ in
            faulty.onHandle = { base, url in
                if base.pending?.flow?.capability == .emailLinkSignIn, base.pending?.flow?.kind == .signIn {
                    return .refused(AuthError(.notSignedIn, "The address is verified now."))
                }
                return await base.handle(url)
            }
        },
        .client("sign-in.link.unknown-address", "reveals an unknown address") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let link = credential as? EmailLinkCredential, await !context.isKnown(link.email) else {
                    return try await base.signIn(with: credential)
                }
                do throws(AuthError) {
                    _ = try await base.signIn(with: credential)
                } catch  where error.code == .userNotFound {
                    return .verify(context.forgedChallenge)
                }
                throw AuthError(.userNotFound, "No user has this address.")
            }
        },
        .client(
            "sign-in.link.unknown-address", "creates an account first",
            matters: [Condition("unknown addresses get no account") { $0.unknownAddressAtLink != .createsAccount }]
        ) { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if let link = credential as? EmailLinkCredential, await !context.isKnown(link.email) {
                    _ = try? await context.environment.administrator?.create(
                        email: link.email, password: "Correct-Horse-9", isEmailVerified: true, displayName: nil)
                }
                return try await base.signIn(with: credential)
            }
        },
        .client("sign-in.link.address-not-from-url", "shows the URL's address in its state") { faulty, context in
            faulty.onHandle = { base, url in
                context.notebook["address"] = (try? Callback(url))?.parameters["email"].map { Secret($0) }
                return await base.handle(url)
            }
            faulty.seeing = { state in
                guard case .signedIn(var session) = state, let address = context.notebook["address"] else { return state }
                session.user.email = address.reveal()
                return .signedIn(session)
            }
        },
        .client("sign-in.link.address-not-from-url", "trusts the address in the URL") { faulty, _ in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard let email = (try? Callback(url))?.parameters["email"] else { return outcome }
                if case .step(.complete(var session)) = outcome {
                    session.user.email = email
                    return .step(.complete(session))
                }
                return outcome
            }
        },
        .client("sign-in.email-code.completes", "uses the code for a confirmation") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if flow.capability == .emailCodeSignIn { throw AuthError(.invalidCode, "The code is for something else.") }
                return try await base.respond(to: flow, with: response)
            }
        },
        .client("sign-in.email-code.unknown-address", "does the opposite of the declaration") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard context.contract == "sign-in.email-code.unknown-address", let code = credential as? EmailCodeCredential,
                    await !context.isKnown(code.email)
                else { return try await base.signIn(with: credential) }
                do throws(AuthError) {
                    _ = try await base.signIn(with: credential)
                } catch  where error.code == .userNotFound {
                    return .verify(context.forgedChallenge)
                }
                throw AuthError(.userNotFound, "No user has this address.")
            }
        },
        .client("sign-in.step.kept", "forgets the step") { faulty, _ in faulty.pendingStep = { _ in nil } },
        .password("sign-in.step.unknown-status", "treats an unknown status as complete") {
            context, base, credential async throws(AuthError) in
            let step = try await base.signIn(with: credential)
            if case .other = step { return .complete(context.forged(email: credential.email)) }
            return step
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant whose client changes an error code of a sign-in.
    static func renaming(
        _ breaks: String, _ summary: String, _ code: AuthError.Code, _ other: AuthError.Code
    ) -> Mutant<World> {
        .client(breaks, summary) { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    throw error.code == code ? error.renamed(other) : error
                }
            }
        }
    }
}
