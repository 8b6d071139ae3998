internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    /// Faults in flows other than a sign-up.
    static let messages: [Mutant<World>] = [
        .answering("verification.code.wrong-refused", "accepts any code except at a sign-up") { context, _, flow, _, error in
            guard error.code == .invalidCode, flow.kind != .confirmation else { return .failure(error) }
            return .success(.complete(context.forged()))
        },
        .answering("verification.code.expires", "accepts an expired code except at a sign-up") { context, _, flow, _, error in
            guard error.code == .codeExpired, flow.kind != .confirmation else { return .failure(error) }
            return .success(.complete(context.forged()))
        },
        .handling("verification.link.expires", "accepts an expired link except at a sign-up") { context, base, url in
            let kind = base.pending?.flow?.kind
            let outcome = await base.handle(url)
            guard case .refused(let error) = outcome, error.code == .linkExpired, kind != .confirmation else { return outcome }
            return .step(.complete(context.forged()))
        },
        .handling("verification.code.bound-to-address", "accepts the link of another person") { context, base, url in
            let outcome = await base.handle(url)
            guard case .refused(let error) = outcome, [.flowStartedElsewhere, .linkInvalid].contains(error.code) else {
                return outcome
            }
            return .step(.complete(context.forged()))
        },
        .answering("verification.code.single-use", "accepts a used code except at a sign-up") { context, _, flow, _, error in
            guard error.code != .invalidCode, flow.kind != .confirmation else { return .failure(error) }
            return .success(.complete(context.forged()))
        },
        .handling("verification.link.used", "accepts a used link except at a sign-up") { context, base, url in
            let kind = base.pending?.flow?.kind
            let outcome = await base.handle(url)
            guard case .refused = outcome, kind != .confirmation else { return outcome }
            return .step(.complete(context.forged()))
        },
        .client("verification.resend.newest-works", "resends nothing except at a sign-up") { faulty, context in
            guard context.contract == "verification.resend.newest-works" else { return }
            faulty.onResend = { base, flow async throws(AuthError) in
                if flow.kind != .confirmation, let challenge = base.pending?.challenge { return challenge }
                return try await base.resend(flow)
            }
        },
        .recipient("shows the whole address") { challenge in challenge.destination = "ada@example.com" },
        .recipient("reports the wrong channel") { challenge in challenge.channel = challenge.channel == .sms ? .email : .sms },
        .client("verification.names-the-recipient", "reports no recipient after a resend") { faulty, context in
            guard context.contract == "verification.names-the-recipient" else { return }
            faulty.onResend = { base, flow async throws(AuthError) in
                var challenge = try await base.resend(flow)
                challenge.destination = ""
                return challenge
            }
        },
        .client("verification.relaunch-each-way", "forgets all steps except email verifications") { faulty, context in
            guard context.contract == "verification.relaunch-each-way" else { return }
            let isRestored = Flag()
            faulty.onRestore = { base in
                isRestored.raise()
                return await base.restore()
            }
            faulty.pendingStep = { step in
                guard isRestored.isUp else { return step }
                if case .verify(let challenge) = step, challenge.channel == .email { return step }
                return nil
            }
        },
    ]

    static let everyWay: [Mutant<World>] = [
        .client("sign-in.second-factor.every-way", "requires the factor only after a password") { faulty, context in
            guard context.contract == "sign-in.second-factor.every-way" else { return }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .secondFactor = step else { return step }
                return .complete(context.forged())
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                guard case .secondFactor = step, response.kind != .factor else { return step }
                return .complete(context.forged())
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .step(.secondFactor) = outcome else { return outcome }
                return .step(.complete(context.forged()))
            }
        },
        .alone("sign-in.second-factor.every-way", "stores a session before the second factor") {
            $0.storeSessionBeforeFactor($1)
        },
        .alone("sign-in.message.makes-no-account", "creates an account anyway", matters: [.mayMakeNone]) { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if let email = credential.identifier, await !context.isKnown(email) {
                    _ = try? await context.environment.administrator?.create(
                        email: email, password: "Made-by-itself-9", isEmailVerified: true, displayName: nil)
                }
                return try await base.signIn(with: credential)
            }
        },
        .alone("sign-in.message.makes-no-account", "creates an account at a resend", matters: [.mayMakeNone]) { faulty, context in
            let address = Keeper<String>()
            faulty.onSignIn = { base, credential async throws(AuthError) in
                address.value = credential.identifier
                return try await base.signIn(with: credential)
            }
            faulty.onResend = { base, flow async throws(AuthError) in
                _ = try? await context.environment.administrator?.create(
                    email: address.value ?? "", password: "Made-by-itself-9", isEmailVerified: true, displayName: nil)
                return try await base.resend(flow)
            }
        },
        .alone(
            "sign-in.message.makes-no-account", "lets the resent message create an account",
            matters: [.mayMakeNone, .messagesMakeAccounts]
        ) { faulty, context in
            let address = Keeper<String>()
            faulty.onSignIn = { base, credential async throws(AuthError) in
                address.value = credential.identifier
                return try await base.signIn(with: credential)
            }
            faulty.onResend = { base, flow async throws(AuthError) in
                let email = address.value ?? ""
                let step =
                    flow.capability == .emailLinkSignIn
                    ? try await base.signIn(with: .emailLink(email)) : try await base.signIn(with: .emailCode(email))
                guard let challenge = step.challenge else { throw AuthError(.unknown, "No message was sent.") }
                return challenge
            }
        },
        .client("sign-up.every-way.keeps-display-name", "drops the name") { faulty, context in
            guard context.contract == "sign-up.every-way.keeps-display-name" else { return }
            faulty.onSignUp = { base, credential, _ async throws(AuthError) in
                try await base.signUp(with: credential, displayName: nil)
            }
        },
        .client("sign-in.oauth.callback-mixed", "accepts a callback with another flow's parameters") { faulty, context in
            guard context.contract == "sign-in.oauth.callback-mixed" else { return }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused = outcome else { return outcome }
                return .step(.complete(context.forged()))
            }
        },
        .client("sign-in.oauth.parameters", "drops the parameters") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard var oauth = credential as? OAuthCredential else { return try await base.signIn(with: credential) }
                oauth.parameters = [:]
                return try await base.signIn(with: oauth)
            }
        },
        .answering("sign-in.passkey.single-use", "accepts a used signature") { context, _, flow, response, error in
            response.kind == .passkey && context.environment.clock.now - flow.startedAt <= .seconds(60)
                ? .success(.complete(context.forged())) : .failure(error)
        },
        .answering("sign-in.passkey.single-use", "accepts a signature after its challenge expired") {
            context, _, flow, response, error in
            let age = context.environment.clock.now - flow.startedAt
            return response.kind == .passkey && age > .seconds(60) ? .success(.complete(context.forged())) : .failure(error)
        },
        .client("sign-in.oauth.state-mismatch", "does the opposite of the declaration") { faulty, context in
            guard context.contract == "sign-in.oauth.state-mismatch" else { return }
            faulty.onHandle = { base, url in
                guard base.pending != nil else { return await base.handle(url) }
                if context.behavior.callbackOfAnotherFlow == .refusedByClient {
                    await context.waste()
                } else {
                    return .refused(AuthError(.linkInvalid, "It is not asked about."))
                }
                return await base.handle(url)
            }
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that changes the recipient in a challenge.
    fileprivate static func recipient(_ summary: String, _ alter: @escaping @Sendable (inout Challenge) -> Void) -> Mutant<World>
    {
        .client("verification.names-the-recipient", summary) { faulty, context in
            guard context.contract == "verification.names-the-recipient" else { return }
            @Sendable func altered(_ step: AuthStep) -> AuthStep {
                guard case .verify(var challenge) = step else { return step }
                alter(&challenge)
                return .verify(challenge)
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in altered(try await base.signIn(with: credential)) }
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                altered(try await base.signUp(with: credential, displayName: name))
            }
            faulty.onReset = { base, email async throws(AuthError) in altered(try await base.requestPasswordReset(email: email)) }
        }
    }
}

extension FaultyClient {
    /// Makes the client write to the session's slot in the store when a call returns a second-factor step.
    mutating func storeSessionBeforeFactor(_ context: Mutation.Context) {
        onSignIn = { base, credential async throws(AuthError) in
            let step = try await base.signIn(with: credential)
            if case .secondFactor = step { await context.storeSession() }
            return step
        }
        onRespond = { base, flow, response async throws(AuthError) in
            let step = try await base.respond(to: flow, with: response)
            if case .secondFactor = step { await context.storeSession() }
            return step
        }
        onHandle = { base, url in
            let outcome = await base.handle(url)
            if case .step(.secondFactor) = outcome { await context.storeSession() }
            return outcome
        }
    }
}

extension Condition {
    /// The condition that a sign-in by link or code can be prevented from creating an account.
    fileprivate static let mayMakeNone = Condition("a sign-in can be prevented from creating an account") {
        $0.unknownAddressWithoutAccount != .createsAccount
    }

    /// The condition that a permitted sign-in by link or code creates an account for an unknown address.
    fileprivate static let messagesMakeAccounts = Condition("a sign-in by message creates accounts") {
        $0.unknownAddressAtLink == .createsAccount
    }
}
