internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let proofs: [Mutant] = [
        .answering("verification.code.expires", "calls an ended code a wrong one") { _, _, flow, _, error in
            error.code == .codeExpired && error.provider != nil && flow.kind == .confirmation
                ? .failure(error.renamed(.invalidCode)) : .failure(error)
        },
        .answering("verification.code.bound-to-address", "takes a code of anybody's") { context, _, flow, response, error in
            guard error.code == .invalidCode, flow.kind == .confirmation, context.notebook["reset"] == nil,
                await context.wasSent(response)
            else { return .failure(error) }
            return .success(.complete(context.forged()))
        },
        .answering("verification.code.bound-to-purpose", "tries every purpose") { context, _, flow, response, error in
            guard error.code == .invalidCode, flow.kind == .confirmation, context.notebook["reset"] != nil,
                await context.wasSent(response)
            else { return .failure(error) }
            return .success(.complete(context.forged()))
        },
        .client("verification.link.expires", "calls it invalid") { faulty, _ in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused(let error) = outcome, error.code == .linkExpired else { return outcome }
                return .refused(error.renamed(.linkInvalid))
            }
        },
        .handling("verification.link.prefetch", "misdeclares what a scanner does", of: "Scanned") { context, base, url in
            let outcome = await base.handle(url)
            if context.behavior.scannedLink == .spent { return .step(.complete(context.forged())) }
            return outcome.isComplete ? .refused(AuthError(.linkExpired, "The link is spent.")) : outcome
        },
        .handling("verification.link.other-device", "asks the backend all the same", of: "Elsewhere") { context, base, url in
            if base.pending == nil { await context.waste() }
            return await base.handle(url)
        },
        .handling("verification.link-and-code-agree", "leaves the name out after a link", of: "Agreeing") { _, base, url in
            guard case .step(.complete(var session)) = await base.handle(url) else { return .notOurs }
            session.user.displayName = nil
            return .step(.complete(session))
        },
        .client("verification.relaunch-each-way", "forgets a link's key") { faulty, context in
            let isRestored = Keeper<Bool>()
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                context.note(name)
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onRestore = { base in
                isRestored.value = true
                return await base.restore()
            }
            faulty.onHandle = { base, url in
                guard isRestored.value == true, context.isAbout("Relaunched") else { return await base.handle(url) }
                return .refused(AuthError(.linkInvalid, "The key is lost."))
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard isRestored.value == true, context.isAbout("Relaunched") else {
                    return try await base.respond(to: flow, with: response)
                }
                throw AuthError(.flowNotFound, "The key is lost.")
            }
        },
        .client("verification.offers-what-comes", "offers a code that no message has") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .verify(var challenge) = step, credential is EmailLinkCredential || credential is EmailCodeCredential
                else { return step }
                challenge.accepts.formUnion([.code, .link])
                return .verify(challenge)
            }
        },
    ]

    static let flows: [Mutant] = [
        .client("verification.two-flows", "cancels the flows of others") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                context.note(name)
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onCancel = { base, flow async throws(AuthError) in
                context.notebook["cancelled"] = "yes"
                try await base.cancel(flow)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard context.notebook["cancelled"] != nil, context.isAbout("Parallel") else {
                    return try await base.respond(to: flow, with: response)
                }
                throw AuthError(.flowAbandoned, "Another flow was cancelled.")
            }
            faulty.onHandle = { base, url in
                guard context.notebook["cancelled"] != nil, context.isAbout("Parallel") else { return await base.handle(url) }
                return .refused(AuthError(.flowAbandoned, "Another flow was cancelled."))
            }
        },
        .client("verification.secrets-wiped", "leaves them in the store") { faulty, context in
            let key = StoreKey(provider: context.adapter.name, backend: context.adapter.backend, slot: .flow)
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                context.note(name)
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onCancel = { base, flow async throws(AuthError) in
                let bytes = (try? await context.store.load(key)) ?? nil
                try await base.cancel(flow)
                guard context.isAbout("Wiped"), let bytes else { return }
                _ = try? await context.store.replace(key, with: bytes.bytes, unlessChangedSince: nil)
            }
        },
        .answering("verification.proof.resumes", "leaves the flow", of: "Resuming") { _, base, flow, _, error in
            try? await base.cancel(flow)
            return .failure(error)
        },
        .client("sign-up.fault", "calls one's own address taken") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                context.note(name)
                if context.isAbout("Unanswered"), context.notebook.count(credential.identifier ?? "") > 1 {
                    throw AuthError(.emailAlreadyInUse, "The address has an account.")
                }
                return try await base.signUp(with: credential, displayName: name)
            }
        },
        .client("sign-up.password.repeat-before-proof", "sends no other message") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                context.note(name)
                if context.isAbout("Repeating"), context.notebook.count(credential.identifier ?? "") > 1 {
                    return .verify(context.forgedChallenge)
                }
                return try await base.signUp(with: credential, displayName: name)
            }
        },
    ]
}

extension Mutation.Context {
    /// Notes the name that a sign-up gives: promises about one case give their user a name that tells it.
    func note(_ name: String?) {
        if let mark = name?.split(separator: " ").first { notebook["mark " + mark] = "yes" }
    }

    /// Whether a user of this first name has signed up.
    func isAbout(_ mark: String) -> Bool { notebook["mark " + mark] != nil }

    /// Whether a message holds this code.
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

extension Mutant {
    /// A mutant that changes what follows a refused answer.
    static func answering(
        _ breaks: String, _ summary: String, of mark: String? = nil,
        _ body:
            @escaping @Sendable (Mutation.Context, any PortableClient, Flow, ChallengeResponse, AuthError) async ->
            Result<SignInStep, AuthError>
    ) -> Mutant {
        .client(breaks, summary) { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                context.note(name)
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onReset = { base, email async throws(AuthError) in
                context.notebook["reset"] = "yes"
                return try await base.requestPasswordReset(email: email)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard mark.map(context.isAbout) ?? true else { throw error }
                    return try await body(context, base, flow, response, error).get()
                }
            }
        }
    }

    /// A mutant that takes URLs in its own way once a user of this first name has signed up.
    static func handling(
        _ breaks: String, _ summary: String, of mark: String,
        _ body: @escaping @Sendable (Mutation.Context, any PortableClient, String) async -> CallbackOutcome
    ) -> Mutant {
        .client(breaks, summary) { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                context.note(name)
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onHandle = { base, url in
                context.isAbout(mark) ? await body(context, base, url) : await base.handle(url)
            }
        }
    }
}
