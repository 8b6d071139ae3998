internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let links: [Mutant<World>] = [
        .handling("callback.additions", "reads every parameter strictly") { _, base, url in
            (try? Callback(url, deciding: { _ in true })) == nil
                ? .refused(AuthError(.linkInvalid, "A parameter is malformed or duplicated.")) : await base.handle(url)
        },
        .handling("callback.page-additions", "rejects a fragment") { _, base, url in
            url.contains("#") ? .refused(AuthError(.linkInvalid, "The callback has a fragment.")) : await base.handle(url)
        },
        .handling("callback.slash", "compares paths by their bytes") { context, base, url in
            guard let ours = context.environment.callbacks.first?.url, !url.hasPrefix(ours + "/") else { return .notOurs }
            return await base.handle(url)
        },
        .handling("callback.slash", "ignores all slashes at the end") { context, base, url in
            guard let ours = context.environment.callbacks.first?.url else { return await base.handle(url) }
            return await base.handle(url.replacing(ours + "//", with: ours))
        },
        .handling("callback.used-after-relaunch", "forgets used links after a relaunch") { _, base, url in
            let outcome = await base.handle(url)
            guard case .refused(let error) = outcome, error.code == .linkUsed else { return outcome }
            return .refused(AuthError(.flowStartedElsewhere, "This device did not start the flow of this link."))
        },
        .handling("callback.invitation", "accepts only links of its own flows") { _, base, url in
            let outcome = await base.handle(url)
            guard case .step = outcome else { return outcome }
            return .refused(AuthError(.flowStartedElsewhere, "This device did not start the flow of this link."))
        },
        .handling("callback.invitation", "replaces the session") { context, base, url in
            let outcome = await base.handle(url)
            guard outcome.code == .userMismatch else { return outcome }
            return .step(.complete(context.forged()))
        },
        .handling("callback.server-link", "names no call for the ticket") { _, _, _ in
            .refused(AuthError(.flowStartedElsewhere, "This device did not start the flow of this link."))
        },
        .handling("callback.server-link", "sends a request for a link that it rejects") { context, _, _ in
            await context.waste()
            return .refused(AuthError(.flowStartedElsewhere, "Pass the ticket to signIn(with: .ticket(…))."))
        },
        .handling("callback.server-link", "reports a broken link") { _, _, _ in
            .refused(AuthError(.linkInvalid, "Pass the ticket to signIn(with: .ticket(…))."))
        },
        .handling("callback.server-link", "signs in another user") { context, _, _ in .step(.complete(context.forged())) },
        .handling("callback.killed-request", "accepts only links of flows with a response") { context, base, url in
            let hadFlow = base.pending != nil
            let outcome = await base.handle(url)
            guard context.contract == "callback.killed-request", !hadFlow, outcome.code != .linkUsed else { return outcome }
            return .refused(AuthError(.flowStartedElsewhere, "This device did not start the flow of this link."))
        },
        .client("verification.link.password-first", "forgets the verifier of the first email") { faulty, context in
            guard context.contract == "verification.link.password-first" else { return }
            let hasSignedIn = Flag()
            faulty.onSignIn = { base, credential async throws(AuthError) in
                hasSignedIn.raise()
                return try await base.signIn(with: credential)
            }
            faulty.onHandle = { base, url in
                hasSignedIn.isUp
                    ? .refused(AuthError(.flowStartedElsewhere, "This device did not start the flow of this link."))
                    : await base.handle(url)
            }
        },
    ]
}

extension CallbackOutcome {
    fileprivate var code: AuthError.Code? {
        if case .refused(let error) = self { error.code } else { nil }
    }
}
