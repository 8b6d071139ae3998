internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension FaultyClient {
    /// Changes the errors of sign-in, sign-up, responses, tokens, resets, sign-out, links and account deletion.
    mutating func refuse(_ change: @escaping @Sendable (AuthError) -> AuthError) {
        onSignIn = { base, credential async throws(AuthError) in
            do throws(AuthError) { return try await base.signIn(with: credential) } catch { throw change(error) }
        }
        onSignUp = { base, credential, name async throws(AuthError) in
            do throws(AuthError) { return try await base.signUp(with: credential, displayName: name) } catch {
                throw change(error)
            }
        }
        onRespond = { base, flow, response async throws(AuthError) in
            do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch { throw change(error) }
        }
        onResend = { base, flow async throws(AuthError) in
            do throws(AuthError) { return try await base.resend(flow) } catch { throw change(error) }
        }
        onReset = { base, email async throws(AuthError) in
            do throws(AuthError) { return try await base.requestPasswordReset(email: email) } catch { throw change(error) }
        }
        onToken = { base async throws(AuthError) in
            do throws(AuthError) { return try await base.accessToken() } catch { throw change(error) }
        }
        onSignOut = { base, scope, discarding async throws(AuthError) in
            do throws(AuthError) { try await base.signOut(scope, discardingAnonymousUser: discarding) } catch {
                throw change(error)
            }
        }
        onLink = { base, credential async throws(AuthError) in
            do throws(AuthError) { return try await base.link(credential) } catch { throw change(error) }
        }
        onDelete = { base async throws(AuthError) in
            do throws(AuthError) { try await base.deleteAccount() } catch { throw change(error) }
        }
    }

    /// Changes the user in the client's state.
    mutating func seeUser(_ change: @escaping @Sendable (inout User) -> Void) {
        seeing = { state in
            guard var session = state.session else { return state }
            change(&session.user)
            if case .anonymous = state { return .anonymous(session) }
            if case .signedIn = state { return .signedIn(session) }
            return state
        }
    }

    /// Changes the identity conflict that a link returns.
    mutating func changeConflict(_ change: @escaping @Sendable (inout IdentityConflictStep) -> Void) {
        onLink = { base, credential async throws(AuthError) in
            let step = try await base.link(credential)
            guard case .identityConflict(var conflict) = step else { return step }
            change(&conflict)
            return .identityConflict(conflict)
        }
    }

    /// Changes every challenge that a call returns.
    mutating func change(_ change: @escaping @Sendable (inout Challenge) -> Void) {
        @Sendable func changed(_ step: SignInStep) -> SignInStep {
            guard case .verify(var challenge) = step else { return step }
            change(&challenge)
            return .verify(challenge)
        }
        onSignUp = { base, credential, name async throws(AuthError) in
            changed(try await base.signUp(with: credential, displayName: name))
        }
        onSignIn = { base, credential async throws(AuthError) in changed(try await base.signIn(with: credential)) }
        onReset = { base, email async throws(AuthError) in changed(try await base.requestPasswordReset(email: email)) }
        onResend = { base, flow async throws(AuthError) in
            var challenge = try await base.resend(flow)
            change(&challenge)
            return challenge
        }
    }
}
