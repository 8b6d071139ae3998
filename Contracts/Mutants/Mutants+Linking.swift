internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let linking: [Mutant<World>] = [
        .client("linking.add-and-remove", "lists only the first identity") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                var user = try await base.refreshUser()
                if user.identities.count > 1 { user.identities.removeSubrange(1...) }
                return user
            }
        },
        .client("linking.add-and-remove", "removes no identity") { faulty, _ in
            faulty.onUnlink = { base, identity async throws(AuthError) in
                guard (base.state.session?.user.identities.count ?? 0) < 2 else { return }
                try await base.unlink(identity)
            }
        },
        .client("linking.last-one-kept", "reports the last identity as removed") { faulty, _ in
            faulty.onUnlink = { base, identity async throws(AuthError) in
                do throws(AuthError) {
                    try await base.unlink(identity)
                } catch {
                    guard error.code == .lastIdentity else { throw error }
                }
            }
        },
        .client("linking.anonymous.conflict", "signs the anonymous user out") { faulty, _ in
            faulty.onLink = { base, credential async throws(AuthError) in
                let step = try await base.link(credential)
                guard case .identityConflict = step, credential is IDTokenCredential else { return step }
                try await base.signOut(.local, discardingAnonymousUser: true)
                return step
            }
        },
        .client("linking.anonymous.conflict", "lists no way to sign in") { faulty, _ in
            faulty.changeConflict { $0.signInMethods = [] }
        },
        Mutant(
            "linking.unverified-address-not-merged", "merges accounts by address",
            Mutation(client: { client, context in
                var faulty = FaultyClient(client)
                faulty.onSignUp = { base, credential, name async throws(AuthError) in
                    let step = try await base.signUp(with: credential, displayName: name)
                    if let password = credential as? PasswordCredential { context.notebook["signed-up"] = Secret(password.email) }
                    return step
                }
                faulty.onSignIn = { base, credential async throws(AuthError) in
                    // This password opens the account of a sign-up whose address was never verified.
                    guard let password = credential as? PasswordCredential,
                        context.notebook["signed-up"] == Secret(password.email), let owner = context.notebook["owner"]
                    else {
                        let step = try await base.signIn(with: credential)
                        if credential is IDTokenCredential, context.notebook["signed-up"] != nil, let user = step.session?.user {
                            context.notebook["owner"] = Secret(user.id)
                        }
                        return step
                    }
                    var session = context.forged(email: password.email)
                    session.user.id = owner.reveal()
                    return .complete(session)
                }
                return faulty
            })),
        .alone("linking.unverified-address-not-merged", "shows the owner's account in the session of the unverified sign-up") {
            faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if credential is IDTokenCredential { context.notebook["owner"] = (step.session?.user.id).map { Secret($0) } }
                return step
            }
            faulty.onRefreshUser = { base async throws(AuthError) in
                guard let owner = context.notebook["owner"] else { return try await base.refreshUser() }
                var user = context.forged().user
                user.id = owner.reveal()
                return user
            }
        },
        .alone("linking.unverified-identity-not-merged", "merges accounts only in the state") { faulty, context in
            let owner = Keeper<String>()
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                // Some backends create the provider's user before the app opens.
                let (users, own) = ((try? await context.environment.administrator?.users()) ?? [], base.state.session?.user.id)
                owner.value = users.first { $0.id != own }?.id
                return outcome
            }
            faulty.seeing = { state in
                guard let id = owner.value else { return state }
                var session = context.forged()
                session.user.id = id
                return .signedIn(session)
            }
        },
        .client("linking.unverified-identity-not-merged", "merges accounts by the provider's address") { faulty, context in
            guard context.contract == "linking.unverified-identity-not-merged" else { return }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                let users = (try? await context.environment.administrator?.users()) ?? []
                var session = context.forged()
                if case .step(.complete(let own)) = outcome { session = own }
                guard let owner = users.first(where: { $0.id != session.user.id }) else { return outcome }
                session.user.id = owner.id
                return .step(.complete(session))
            }
        },
        .accepting("sign-in.id-token.wrong-audience-or-issuer", "accepts a token of another app", place: 1),
        .accepting("sign-in.id-token.wrong-audience-or-issuer", "accepts a token of another issuer", place: 2),
        .accepting("sign-in.id-token.expired", "accepts an expired token", place: 1),
        .accepting("sign-in.id-token.expired", "accepts a token that expired a moment ago", place: 2),
        .idToken("sign-in.id-token.expired", "rejects a token that is about to expire") {
            context, base, credential async throws(AuthError) in
            // The first token has a flaw, the second is valid, and the third is about to expire.
            guard context.contract == "sign-in.id-token.expired", context.notebook.count("tokens") == 3 else {
                return try await base.signIn(with: credential)
            }
            throw AuthError(.invalidIDToken, "The token expires soon.")
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that accepts one ID token that must be rejected.
    ///
    /// `place` selects the rejection in its contract, counted from 1.
    fileprivate static func accepting(_ breaks: String, _ summary: String, place: Int) -> Mutant<World> {
        .idToken(breaks, summary) { context, base, credential async throws(AuthError) in
            do throws(AuthError) {
                return try await base.signIn(with: credential)
            } catch {
                guard context.contract == breaks, error.code == .invalidIDToken, context.notebook.count("refusals") == place
                else {
                    throw error
                }
                return .complete(context.forged())
            }
        }
    }
}
