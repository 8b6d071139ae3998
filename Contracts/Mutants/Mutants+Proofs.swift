internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let proofs: [Mutant<World>] = [
        .answering("verification.code.expires", "reports an expired code as wrong") { _, _, flow, _, error in
            error.code == .codeExpired && error.provider != nil && flow.isProofOfAddress
                ? .failure(error.renamed(.invalidCode)) : .failure(error)
        },
        .answering("verification.code.bound-to-address", "accepts the code of another address") {
            context, _, flow, response, error in
            guard error.code == .invalidCode, flow.isProofOfAddress,
                context.notebook["reset"] == nil || flow.capability == .phoneCode,
                await context.wasSent(response)
            else { return .failure(error) }
            return .success(.complete(context.forged()))
        },
        .answering("verification.code.bound-to-purpose", "tries the code for every purpose") {
            context, _, flow, response, error in
            guard error.code == .invalidCode, flow.kind == .confirmation, context.notebook["reset"] != nil,
                await context.wasSent(response)
            else { return .failure(error) }
            return .success(.complete(context.forged()))
        },
        .client("verification.link.expires", "reports an expired link as invalid") { faulty, _ in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused(let error) = outcome, error.code == .linkExpired else { return outcome }
                return .refused(error.renamed(.linkInvalid))
            }
        },
        .handling("verification.link.prefetch", "does the opposite of the declaration") { context, base, url in
            let outcome = await base.handle(url)
            if context.behavior.scannedLink == .spent { return .step(.complete(context.forged())) }
            return outcome.isComplete ? .refused(AuthError(.linkExpired, "The link is used up.")) : outcome
        },
        .alone("verification.link.prefetch", "takes the scanner for the owner", claims: [.poll]) { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard error.code == .notConfirmedYet else { throw error }
                    return .complete(context.forged())
                }
            }
        },
        .handling("verification.link.other-device", "sends a request anyway") { context, base, url in
            if base.pending == nil { await context.waste() }
            return await base.handle(url)
        },
        .handling("verification.link-and-code-agree", "loses the name after a link") { _, base, url in
            guard case .step(.complete(var session)) = await base.handle(url) else { return .notOurs }
            session.user.displayName = nil
            return .step(.complete(session))
        },
        .client("verification.relaunch-each-way", "forgets the key of a link") { faulty, context in
            guard context.contract == "verification.relaunch-each-way" else { return }
            let isRestored = Keeper<Bool>()
            faulty.onRestore = { base in
                isRestored.value = true
                return await base.restore()
            }
            faulty.onHandle = { base, url in
                guard isRestored.value == true else { return await base.handle(url) }
                return .refused(AuthError(.linkInvalid, "The key is lost."))
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard isRestored.value == true else {
                    return try await base.respond(to: flow, with: response)
                }
                throw AuthError(.flowNotFound, "The key is lost.")
            }
        },
        .client("verification.offers-what-comes", "offers a code that the message does not contain") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .verify(var challenge) = step, credential is EmailLinkCredential || credential is EmailCodeCredential
                else { return step }
                challenge.accepts.formUnion([.code, .link])
                return .verify(challenge)
            }
        },
    ]

    static let flows: [Mutant<World>] = [
        .client("verification.two-flows", "cancels the flows of other devices") { faulty, context in
            guard context.contract == "verification.two-flows" else { return }
            faulty.onCancel = { base, flow async throws(AuthError) in
                context.notebook["cancelled"] = "yes"
                try await base.cancel(flow)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard context.notebook["cancelled"] != nil else {
                    return try await base.respond(to: flow, with: response)
                }
                throw AuthError(.flowAbandoned, "Another flow was cancelled.")
            }
            faulty.onHandle = { base, url in
                guard context.notebook["cancelled"] != nil else { return await base.handle(url) }
                return .refused(AuthError(.flowAbandoned, "Another flow was cancelled."))
            }
        },
        .alone("verification.two-flows", "stops the polls of other devices", claims: [.poll]) { faulty, context in
            faulty.onCancel = { base, flow async throws(AuthError) in
                context.notebook["cancelled"] = "yes"
                try await base.cancel(flow)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard response.kind == .poll, context.notebook["cancelled"] != nil else {
                    return try await base.respond(to: flow, with: response)
                }
                throw AuthError(.flowAbandoned, "Another flow was cancelled.")
            }
        },
        .client("verification.secrets-wiped", "leaves the secrets in the store") { faulty, context in
            guard context.contract == "verification.secrets-wiped" else { return }
            let key = StoreKey(provider: context.adapter.name, backend: context.adapter.backend, slot: .flow)
            faulty.onCancel = { base, flow async throws(AuthError) in
                let bytes = (try? await context.store.load(key)) ?? nil
                try await base.cancel(flow)
                guard let bytes else { return }
                _ = try? await context.store.replace(key, with: bytes.bytes, unlessChangedSince: nil)
            }
        },
        .answering("verification.proof.resumes", "cancels the flow after a fault") { _, base, flow, _, error in
            try? await base.cancel(flow)
            return .failure(error)
        },
        .client("sign-up.fault", "reports the user's own address as taken") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                if context.contract == "sign-up.fault", context.notebook.count(credential.identifier ?? "") > 1 {
                    throw AuthError(.emailAlreadyInUse, "The address has an account.")
                }
                return try await base.signUp(with: credential, displayName: name)
            }
        },
        .client("sign-up.password.repeat-before-proof", "sends no second message") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                if context.contract == "sign-up.password.repeat-before-proof",
                    context.notebook.count(credential.identifier ?? "") > 1
                {
                    return .verify(context.forgedChallenge)
                }
                return try await base.signUp(with: credential, displayName: name)
            }
        },
    ]
}

extension Mutation.Context {
    /// Returns whether a message contains this code.
    func wasSent(_ response: ChallengeResponse) async -> Bool {
        guard case .code(let code) = response else { return false }
        let messages = (try? await environment.outbox?.messages()) ?? []
        return messages.contains { $0.code == code.reveal() }
    }
}

extension CallbackOutcome {
    fileprivate var isComplete: Bool {
        if case .step(let step) = self { step.session != nil } else { false }
    }
}

extension Flow {
    /// Whether the flow's code verifies an address or a phone number.
    ///
    /// Some backends send codes by SMS only.
    var isProofOfAddress: Bool { kind == .confirmation || capability == .phoneCode }
}

extension Mutant<World> {
    /// Creates a mutant that changes the result of a rejected response.
    ///
    /// It is active only in the check of its contract.
    static func answering(
        _ breaks: String, _ summary: String,
        _ body:
            @escaping @Sendable (Mutation.Context, any PortableClient, Flow, ChallengeResponse, AuthError) async ->
            Result<AuthStep, AuthError>
    ) -> Mutant<World> {
        .client(breaks, summary) { faulty, context in
            guard context.contract == breaks else { return }
            faulty.onReset = { base, email async throws(AuthError) in
                context.notebook["reset"] = "yes"
                return try await base.requestPasswordReset(email: email)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    return try await body(context, base, flow, response, error).get()
                }
            }
        }
    }

    /// Creates a mutant that keeps the step's first token, and so fails for good.
    static func late(_ breaks: String, _ kind: ChallengeResponse.Kind) -> Mutant<World> {
        .alone(breaks, "does not renew the token of a step") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard response.kind != kind else { throw context.refusal(.accessTokenRefused) }
                return try await base.respond(to: flow, with: response)
            }
        }
    }

    /// Creates a mutant that changes how the client handles URLs.
    ///
    /// It is active only in the check of its contract.
    static func handling(
        _ breaks: String, _ summary: String,
        _ body: @escaping @Sendable (Mutation.Context, any PortableClient, String) async -> CallbackOutcome
    ) -> Mutant<World> {
        .client(breaks, summary) { faulty, context in
            guard context.contract == breaks else { return }
            faulty.onHandle = { base, url in await body(context, base, url) }
        }
    }
}
