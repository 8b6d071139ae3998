internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let federated: [Mutant<World>] = [
        .idToken("sign-in.id-token.new-and-again", "returns a new user for each sign-in") {
            context, base, credential async throws(AuthError) in
            let step = try await base.signIn(with: credential)
            guard var session = step.session else { return step }
            session.user.id += "-\(context.notebook.count("sign-ins"))"
            return .complete(session)
        },
        .idToken("sign-in.id-token.bad-signature", "accepts") { context, base, credential async throws(AuthError) in
            do throws(AuthError) {
                return try await base.signIn(with: credential)
            } catch  where error.code == .invalidIDToken {
                return .complete(context.forged())
            }
        },
        .idToken("sign-in.id-token.nonce", "drops the nonce") { context, base, credential async throws(AuthError) in
            let isFirst = context.notebook["genuine"] == nil
            do throws(AuthError) {
                let step = try await base.signIn(with: credential)
                if !isFirst, context.behavior.nonce == .ignored, credential.nonce == nil {
                    throw AuthError(.invalidIDToken, "The nonce is different.")
                }
                context.notebook["genuine"] = "yes"
                return step
            } catch {
                guard error.code == .invalidIDToken, !isFirst, context.behavior.nonce != .ignored else { throw error }
                return .complete(context.forged())
            }
        },
        .idToken("sign-in.id-token.first-name-kept", "drops the name") { _, base, credential async throws(AuthError) in
            var nameless = credential
            nameless.name = nil
            return try await base.signIn(with: nameless)
        },
        .client("sign-in.redirect.page-of-the-web", "opens any address from the backend") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .redirect(var redirect) = step else { return step }
                redirect.url = "javascript:alert(document.cookie)"
                return .redirect(redirect)
            }
        },
        .client("sign-in.federated-is-signed-in", "shows the state unverified") { faulty, context in
            faulty.seeing = { state in
                guard case .signedIn(let session) = state, session.user.email == nil else { return state }
                return .unverified(PendingAccount(challenge: context.forgedChallenge, session: session))
            }
        },
    ]

    static let guests: [Mutant<World>] = [
        .client("sign-in.anonymous.state", "shows the state signedIn") { faulty, _ in
            faulty.seeing = { state in if case .anonymous(let session) = state { .signedIn(session) } else { state } }
        },
        .client("sign-in.anonymous.kept-and-renewed", "reuses the id of the discarded user") { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                if discarding, case .anonymous(let guest) = base.state { context.notebook["guest"] = Secret(guest.user.id) }
                try await base.signOut(scope, discardingAnonymousUser: discarding)
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard credential is AnonymousCredential, var session = step.session, let id = context.notebook["guest"] else {
                    return step
                }
                session.user.id = id.reveal()
                return .complete(session)
            }
        },
        .client("sign-in.anonymous.sign-out-asks", "signs out without discarding") { faulty, _ in
            faulty.onSignOut = { base, scope, _ async throws(AuthError) in
                try await base.signOut(scope, discardingAnonymousUser: true)
            }
        },
        .client("linking.anonymous.conflict-keeps-user", "signs the anonymous user out at a conflict") { faulty, _ in
            faulty.onLink = { base, credential async throws(AuthError) in
                let outcome: Result<AuthStep, AuthError>
                do throws(AuthError) { outcome = .success(try await base.link(credential)) } catch { outcome = .failure(error) }
                let isConflict =
                    switch outcome {
                    case .success(.identityConflict): true
                    case .success: false
                    case .failure(let error): [.emailAlreadyInUse, .identityAlreadyInUse].contains(error.code)
                    }
                if isConflict, case .anonymous = base.state { try await base.signOut(.local, discardingAnonymousUser: true) }
                return try outcome.get()
            }
        },
        .client("linking.anonymous.keeps-id", "creates a new account") { faulty, _ in
            faulty.onLink = { base, credential async throws(AuthError) in
                guard credential is PasswordCredential, case .anonymous = base.state else {
                    return try await base.link(credential)
                }
                try await base.signOut(.local, discardingAnonymousUser: true)
                return try await base.signUp(with: credential, displayName: nil)
            }
        },
        .client("linking.anonymous.copies-display-name", "overwrites") { faulty, _ in
            faulty.onLink = { base, credential async throws(AuthError) in
                let step = try await base.link(credential)
                if step.session != nil, let name = (credential as? IDTokenCredential)?.name {
                    _ = try await base.update(displayName: name, photoURL: nil)
                }
                return step
            }
        },
        .idToken("linking.anonymous.sign-in-links", "replaces the anonymous user") {
            _, base, credential async throws(AuthError) in
            if case .anonymous = base.state { try await base.signOut(.local, discardingAnonymousUser: true) }
            return try await base.signIn(with: credential)
        },
        .idToken("linking.anonymous.sign-in-links", "always rejects the sign-in") {
            context, base, credential async throws(AuthError) in
            guard context.contract == "linking.anonymous.sign-in-links", case .anonymous = base.state else {
                return try await base.signIn(with: credential)
            }
            throw AuthError(.anonymousUserWouldBeLost, "Sign out first.")
        },
        .idToken("linking.anonymous.sign-in-links", "replaces the anonymous user with the owner of the credential") {
            context, base, credential async throws(AuthError) in
            let wasGuest = if case .anonymous = base.state { true } else { false }
            let step = try await base.signIn(with: credential)
            guard context.contract == "linking.anonymous.sign-in-links", wasGuest, case .identityConflict = step else {
                return step
            }
            try await base.signOut(.local, discardingAnonymousUser: true)
            return try await base.signIn(with: credential)
        },
        .idToken("linking.only-by-intent", "links") { _, base, credential async throws(AuthError) in
            guard case .signedIn(let session) = base.state else { return try await base.signIn(with: credential) }
            do throws(AuthError) {
                return try await base.link(credential)
            } catch  where error.code == .unsupported {
                return .complete(session)
            }
        },
    ]
}
