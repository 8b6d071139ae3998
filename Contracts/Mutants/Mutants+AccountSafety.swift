internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let accountSafety: [Mutant<World>] = [
        .client("account.update.photo", "drops the photo") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                guard photo != nil, base.capabilities.contains(.photo), let user = base.state.session?.user else {
                    return try await base.update(displayName: name, photoURL: photo)
                }
                return try await base.update(displayName: name ?? user.displayName ?? "Ada", photoURL: nil)
            }
        },
        passwordOthers,
        .alone(
            "account.password.others", "goes on with a session that was renewed before",
            matters: [Condition("a new password ends the user's other sessions") { $0.sessionsAfterPasswordChange != .goesOn }]
        ) { $0.keepRenewedSessions($1) },
        .client("account.reauthenticate.other-user", "accepts any user") { faulty, _ in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.reauthenticate(with: credential, thenRetry: retry)
                } catch {
                    guard let session = base.state.session, let password = credential as? PasswordCredential,
                        password.email != session.user.email, error.code == .userMismatch
                    else { throw error }
                    return .complete(session)
                }
            }
        },
        .client("account.reauthenticate.cancelled", "runs a waiting call that was cancelled") { faulty, _ in
            let left = Keeper<SensitiveCall>()
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                let step: AuthStep
                do throws(AuthError) {
                    step = try await base.reauthenticate(with: credential, thenRetry: retry)
                } catch {
                    if error.code == .invalidCredentials { left.value = retry }
                    throw error
                }
                if retry == nil, case .changePassword(let new, let current)? = left.value {
                    left.value = nil
                    try await base.changePassword(to: new, current: current)
                }
                return step
            }
        },
        .client("account.delete.fault", "treats any response as a successful deletion") { faulty, _ in
            faulty.onDelete = { base async throws(AuthError) in
                do throws(AuthError) {
                    try await base.deleteAccount()
                } catch {
                    guard error.code == .invalidResponse else { throw error }
                    try await base.signOut(.local, discardingAnonymousUser: true)
                }
            }
        },
        .client("account.update.fault", "treats any response as a successful name change") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.update(displayName: name, photoURL: photo)
                } catch {
                    guard error.code == .invalidResponse, let user = base.state.session?.user else { throw error }
                    return user
                }
            }
        },
        .client("account.update.fault", "treats any response as a successful password change") { faulty, _ in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                do throws(AuthError) {
                    try await base.changePassword(to: new, current: current)
                } catch  where error.code == .invalidResponse {
                    // Ignores the error, as if the password had changed.
                }
            }
        },
        .client("account.delete.answer-lost", "shows the deleted user as signed in") { faulty, _ in
            let isLost = Flag()
            let kept = Keeper<AuthState>()
            faulty.onDelete = { base async throws(AuthError) in
                kept.value = base.state
                do throws(AuthError) {
                    try await base.deleteAccount()
                    isLost.lower()
                } catch {
                    if error.code == .network { isLost.raise() }
                    throw error
                }
            }
            faulty.seeing = { isLost.isUp && $0.session == nil ? kept.value ?? $0 : $0 }
        },
        .client("account.email.needs-proof", "changes the address immediately") { faulty, _ in
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                let step = try await base.changeEmail(to: email)
                guard var session = base.state.session else { return step }
                session.user.email = email
                return .complete(session)
            }
        },
        .alone("account.email.taken-meanwhile", "reports the change as done") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard flow.kind == .emailChange, let session = base.state.session else { throw error }
                    return .complete(session)
                }
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused = outcome, let session = base.state.session else { return outcome }
                return .step(.complete(session))
            }
        },
        .alone("account.email.former-messages", "signs the user in by a message to the former address") { faulty, context in
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                context.notebook["moved"] = base.state.session.map { Secret($0.user.id) }
                return try await base.changeEmail(to: email)
            }
            @Sendable func entered() -> AuthStep? {
                guard let id = context.notebook["moved"] else { return nil }
                var session = context.forged()
                session.user.id = id.reveal()
                return .complete(session)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard let step = entered() else { throw error }
                    return step
                }
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused = outcome, let step = entered() else { return outcome }
                return .step(step)
            }
        },
        .client(
            "account.email.taken", "starts a change to a taken address",
            matters: [Condition("the backend rejects taken addresses") { $0.takenAddressAtChange == .refused }]
        ) { faulty, context in
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.changeEmail(to: email)
                } catch  where error.code == .emailAlreadyInUse {
                    return .verify(context.forgedChallenge)
                }
            }
        },
    ]

    /// Hides the reason if a session ends after a password change.
    ///
    /// Ends the session if it should continue.
    private static let passwordOthers = Mutant.client("account.password.others", "reports no reason") { faulty, context in
        let hasEnded = Flag()
        let reason = context.behavior.sessionsAfterPasswordChange.reason
        faulty.onChangePassword = { base, new, current async throws(AuthError) in
            try await base.changePassword(to: new, current: current)
            context.notebook["password changed"] = "yes"
        }
        faulty.onToken = { base async throws(AuthError) in
            let isOld = base.hasOldToken(context) && context.notebook["password changed"] != nil
            do throws(AuthError) {
                let token = try await base.accessToken()
                if isOld, reason == nil { try await base.signOut(.local, discardingAnonymousUser: true) }
                return token
            } catch {
                if isOld, let reason, base.state == .signedOut(reason) { hasEnded.raise() }
                throw error
            }
        }
        faulty.seeing = { hasEnded.isUp && $0.session == nil ? .signedOut(.neverSignedIn) : $0 }
    }
}
