internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let account: [Mutant<World>] = [
        .client("account.update.display-name", "changes the name only locally") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                guard let name, var user = base.state.session?.user else {
                    return try await base.update(displayName: name, photoURL: photo)
                }
                user.displayName = name
                return user
            }
        },
        .alone("account.update.display-name", "removes letters outside ASCII") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                try await base.update(displayName: name.map { String($0.filter(\.isASCII)) }, photoURL: photo)
            }
        },
        .alone("account.update.display-name", "joins a letter and its accent") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                let joined = name.map { name in
                    let accent = Array("e\u{301}".utf8)
                    guard Array(name.utf8.prefix(accent.count)) == accent else { return name }
                    return "\u{E9}" + String(decoding: name.utf8.dropFirst(accent.count), as: UTF8.self)
                }
                return try await base.update(displayName: joined, photoURL: photo)
            }
        },
        .client("account.update.metadata", "changes the metadata only locally") { faulty, _ in
            faulty.onMetadata = { base, metadata async throws(AuthError) in
                guard base.capabilities.contains(.userMetadata), var user = base.state.session?.user else {
                    return try await base.update(metadata: metadata)
                }
                for (name, value) in metadata { user.metadata = (user.metadata ?? [:]).with(name, value) }
                return user
            }
        },
        .client("account.update.metadata", "removes the members that the change does not contain") { faulty, _ in
            faulty.onMetadata = { base, metadata async throws(AuthError) in
                var whole = metadata
                for (name, _) in base.state.session?.user.metadata ?? [:]
                where whole[name] == nil && name.hasPrefix("lockstep_") {
                    whole[name] = .null
                }
                return try await base.update(metadata: whole)
            }
        },
        .client("account.password.change", "accepts both passwords") { faulty, context in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                try await base.changePassword(to: new, current: current)
                if let email = base.state.session?.user.email { context.notebook[email] = current }
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    guard let password = credential as? PasswordCredential, context.notebook[password.email] == password.password
                    else {
                        throw error
                    }
                    return .complete(context.forged(email: password.email))
                }
            }
        },
        .client("account.password.wrong-current", "uses the same message for both errors") { faulty, _ in
            @Sendable func plain(_ error: AuthError) -> AuthError {
                var error = error
                if error.code == .invalidCredentials { error.message = "Incorrect e-mail address or password." }
                return error
            }
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                do throws(AuthError) {
                    try await base.changePassword(to: new, current: current)
                } catch { throw plain(error) }
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) { return try await base.signIn(with: credential) } catch { throw plain(error) }
            }
        },
        .client("account.password.wrong-current", "accepts any current password") { faulty, _ in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                do throws(AuthError) {
                    try await base.changePassword(to: new, current: current)
                } catch {
                    guard error.code == .invalidCredentials else { throw error }
                    try await base.changePassword(to: new, current: nil)
                }
            }
        },
        .client("account.sensitive.asks-again", "runs the waiting call twice") { faulty, _ in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                let step = try await base.reauthenticate(with: credential, thenRetry: retry)
                if case .changePassword(let new, _) = retry { try? await base.changePassword(to: new, current: new) }
                return step
            }
        },
        .client("account.sensitive.factor", "drops the waiting call") { faulty, _ in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                try await base.reauthenticate(with: credential, thenRetry: credential is EmailCodeCredential ? nil : retry)
            }
        },
        .client("account.sensitive.factor", "runs the waiting call immediately") { faulty, _ in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                guard credential is EmailCodeCredential, case .changePassword(let new, let current)? = retry else {
                    return try await base.reauthenticate(with: credential, thenRetry: retry)
                }
                let step = try await base.reauthenticate(with: credential, thenRetry: nil)
                if let email = base.state.session?.user.email, let current {
                    _ = try? await base.reauthenticate(
                        with: PasswordCredential(email: email, password: current),
                        thenRetry: .changePassword(to: new, current: current))
                }
                return step
            }
        },
        .client("account.reauthenticate.second-factor", "accepts only the password") { faulty, _ in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                let step = try await base.reauthenticate(with: credential, thenRetry: retry)
                guard case .secondFactor = step, let session = base.state.session else { return step }
                return .complete(session)
            }
        },
        .client("account.reauthenticate.second-factor", "drops the waiting call") { faulty, _ in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                let step = try await base.reauthenticate(with: credential, thenRetry: retry)
                guard case .secondFactor = step else { return step }
                return try await base.reauthenticate(with: credential, thenRetry: nil)
            }
        },
        .client("account.reauthenticate.wrong", "signs out") { faulty, _ in
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.reauthenticate(with: credential, thenRetry: retry)
                } catch {
                    if error.code == .invalidCredentials { try await base.signOut(.local, discardingAnonymousUser: true) }
                    throw error
                }
            }
        },
        .client("account.delete", "deletes the account only locally") { faulty, _ in
            faulty.onDelete = { base async throws(AuthError) in
                guard base.capabilities.contains(.accountDeletion) else { return try await base.deleteAccount() }
                // Some backends receive no request for a local sign-out. A call without a request would break another contract.
                _ = try await base.refreshUser()
                try await base.signOut(.local, discardingAnonymousUser: true)
            }
        },
        .client("account.delete.offline", "clears the session before the request") { faulty, _ in
            faulty.onDelete = { base async throws(AuthError) in
                do throws(AuthError) {
                    try await base.deleteAccount()
                } catch {
                    if error.code == .network { try await base.signOut(.local, discardingAnonymousUser: true) }
                    throw error
                }
            }
        },
        .client("reset.completes", "does not set the new password") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if response.kind == .newPassword, flow.kind == .passwordReset { return .complete(context.forged()) }
                return try await base.respond(to: flow, with: response)
            }
        },
        .client("reset.unknown-address", "reports an unknown address") { faulty, context in
            faulty.onReset = { base, email async throws(AuthError) in
                if await context.isKnown(email) || !base.capabilities.contains(.passwordReset) {
                    return try await base.requestPasswordReset(email: email)
                }
                do throws(AuthError) {
                    _ = try await base.requestPasswordReset(email: email)
                } catch  where error.code == .userNotFound {
                    return .verify(context.forgedChallenge)
                }
                throw AuthError(.userNotFound, "No user has this address.")
            }
        },
        .client("reset.single-use", "reuses") { faulty, context in
            guard context.contract == "reset.single-use" else { return }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    let step = try await base.respond(to: flow, with: response)
                    if step.session != nil, flow.kind == .passwordReset { context.notebook["reset"] = "yes" }
                    return step
                } catch {
                    guard flow.kind == .passwordReset, context.notebook["reset"] != nil else { throw error }
                    return .complete(context.forged())
                }
            }
            faulty.onHandle = { base, url in
                let flow = base.pending?.flow
                let outcome = await base.handle(url)
                if case .refused = outcome, let flow, flow.kind == .passwordReset, context.notebook["reset"] != nil {
                    return .step(.newPassword(NewPasswordStep(flow: flow, reason: .reset)))
                }
                return outcome
            }
        },
    ]
}

extension JSONObject {
    fileprivate func with(_ name: String, _ value: JSON) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
