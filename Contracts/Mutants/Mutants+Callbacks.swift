internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let callbacks: [Mutant<World>] = [
        .client("callback.not-ours", "compares only the prefix of the URL") { faulty, context in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .notOurs = outcome, let ours = context.environment.callbacks.first?.url, url.hasPrefix(ours) else {
                    return outcome
                }
                return .refused(AuthError(.linkInvalid, "The link contains no code."))
            }
        },
        .alone("callback.not-ours", "shows the state restoring after a foreign link") { faulty, _ in
            let isForeign = Flag()
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                if case .notOurs = outcome { isForeign.raise() }
                return outcome
            }
            faulty.seeing = { isForeign.isUp ? .restoring : $0 }
        },
        .client("callback.foreign-code", "accepts any code") { faulty, context in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .notOurs = outcome, let ours = context.environment.callbacks.first?.url, !url.hasPrefix(ours),
                    let mine = try? Callback(ours), let theirs = try? Callback(url), mine.scheme == theirs.scheme,
                    mine.host == theirs.host, mine.port == theirs.port, theirs.parameters["code"] != nil
                else { return outcome }
                return .refused(AuthError(.linkInvalid, "The code is not known."))
            }
        },
        .client("callback.error-kept-session", "signs out") { faulty, context in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                if url == context.environment.refusalCallback || url.contains("error=access_denied") {
                    try? await base.signOut(.local, discardingAnonymousUser: true)
                }
                return outcome
            }
        },
        .client("callback.twice", "exchanges the code twice") { faulty, context in
            faulty.onHandle = { base, url in
                if context.notebook.count(url) > 1 { await context.waste() }
                return await base.handle(url)
            }
        },
        .client("callback.after-sign-out", "returns the earlier session") { faulty, _ in
            let results = Keeper<[String: CallbackOutcome]>()
            faulty.onHandle = { base, url in
                if base.state.session == nil, let known = results.value?[url] { return known }
                let outcome = await base.handle(url)
                if case .step(.complete) = outcome { results.value = (results.value ?? [:]).merging([url: outcome]) { $1 } }
                return outcome
            }
        },
        .launched("sends two requests to the backend") { context, base, url in
            await context.waste()
            return await base.handle(url)
        },
        .launched("ignores the link") { _, _, _ in .notOurs },
        .launched("signs the user out after the link") { context, base, url in
            let outcome = await base.handle(url)
            guard case .step(.complete(let session)) = outcome else { return outcome }
            try? await base.signOut(.local, discardingAnonymousUser: true)
            return .step(.complete(session))
        },
        .client("callback.during-restore", "restores the state twice") { faulty, context in
            guard context.contract == "callback.during-restore" else { return }
            faulty.subscribing = { base in base.states.changed { place, state in place == 1 ? .restoring : state } }
        },
        .client("callback.malformed", "reports the URL as another app's") { faulty, _ in
            faulty.onHandle = { base, url in (try? Callback(url)) == nil ? .notOurs : await base.handle(url) }
        },
        .client("callback.refusal-then-consent", "returns the earlier error") { faulty, _ in
            let refusal = Keeper<AuthError>()
            faulty.onHandle = { base, url in
                if let refusal = refusal.value { return .refused(refusal) }
                let outcome = await base.handle(url)
                if case .refused(let error) = outcome, error.code == .providerRefused { refusal.value = error }
                return outcome
            }
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that changes how the app handles its launch URL.
    fileprivate static func launched(
        _ summary: String,
        _ body: @escaping @Sendable (Mutation.Context, any PortableClient, String) async -> CallbackOutcome
    ) -> Mutant<World> {
        .client("callback.during-restore", summary) { faulty, context in
            guard context.contract == "callback.during-restore" else { return }
            // A client that began the flow belongs to the previous launch of the app.
            let began = Flag()
            faulty.onSignIn = { base, credential async throws(AuthError) in
                began.raise()
                return try await base.signIn(with: credential)
            }
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                began.raise()
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onHandle = { base, url in
                began.isUp ? await base.handle(url) : await body(context, base, url)
            }
        }
    }
}
