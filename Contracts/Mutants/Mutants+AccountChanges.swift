internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let accountChanges: [Mutant<World>] = [
        .alone("account.update.keeps-the-rest", "removes the photo when the name changes", claims: [.displayName, .photo]) {
            faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                try await base.update(displayName: name, photoURL: photo ?? "")
            }
        },
        .alone(
            "account.update.keeps-the-rest", "removes the name when the metadata changes", claims: [.displayName, .userMetadata]
        ) {
            faulty, _ in
            faulty.onMetadata = { base, metadata async throws(AuthError) in
                var user = try await base.update(metadata: metadata)
                user.displayName = nil
                return user
            }
        },
        .alone("account.update.keeps-the-rest", "replaces all metadata", claims: [.userMetadata]) { faulty, _ in
            faulty.onMetadata = { base, metadata async throws(AuthError) in
                var whole = metadata
                if whole["lockstep_note"] == nil { whole["lockstep_note"] = .null }
                return try await base.update(metadata: whole)
            }
        },
        .alone(
            "account.update.keeps-other-devices", "sends its own old metadata with the name",
            claims: [.displayName, .userMetadata]
        ) { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                let old = base.state.session?.user.metadata ?? [:]
                let user = try await base.update(displayName: name, photoURL: photo)
                return old.isEmpty ? user : try await base.update(metadata: old)
            }
        },
        .alone("account.update.keeps-other-devices", "removes metadata that this device does not know", claims: [.userMetadata]) {
            faulty, _ in
            faulty.onMetadata = { base, metadata async throws(AuthError) in
                let known = base.state.session?.user.metadata ?? [:]
                var user = try await base.update(metadata: metadata)
                for (name, _) in user.metadata ?? [:] where known[name] == nil && metadata[name] == nil {
                    user = try await base.update(metadata: [name: .null])
                }
                return user
            }
        },
        .alone("account.update.photo", "loses the photo when the token is renewed") { faulty, _ in
            faulty.onSession = { base, requirement async throws(AuthError) in
                var session = try await base.session(requiring: requirement)
                session.user.photoURL = nil
                return session
            }
        },
        .alone("account.password.begin", "reports success without setting the password") { faulty, _ in
            faulty.onBeginPasswordChange = { base, new async throws(AuthError) in
                guard let session = base.state.session else { return try await base.beginPasswordChange(to: new) }
                return .complete(session)
            }
        },
        .alone("account.password.begin", "requires the current password only if the declaration does not") { faulty, context in
            faulty.onBeginPasswordChange = { base, new async throws(AuthError) in
                guard context.behavior.currentPassword == .required, let session = base.state.session else {
                    throw AuthError(.invalidInput, "The current password is missing.")
                }
                return .complete(session)
            }
        },
        .alone("account.password.begin", "sets a different password") { faulty, _ in
            @Sendable func another(_ new: Secret) -> Secret { Secret(new.reveal().replacing("+", with: " ")) }
            faulty.onBeginPasswordChange = { base, new async throws(AuthError) in
                try await base.beginPasswordChange(to: another(new))
            }
            // If the backend also requires the current password, this call sets the new one.
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                try await base.changePassword(to: another(new), current: current)
            }
        },
        .alone("account.password.begin", "reports an incomplete change as done") { faulty, _ in
            faulty.onBeginPasswordChange = { base, new async throws(AuthError) in
                do throws(AuthError) {
                    let step = try await base.beginPasswordChange(to: new)
                    return base.state.session.map { .complete($0) } ?? step
                } catch {
                    guard error.code == .reauthenticationRequired, let session = base.state.session else { throw error }
                    return .complete(session)
                }
            }
        },
        .alone("account.password.change", "treats a plus in the new password as a space") { faulty, _ in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                try await base.changePassword(to: Secret(new.reveal().replacing("+", with: " ")), current: current)
            }
        },
        .alone("reset.completes", "treats a plus in the new password as a space") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard case .newPassword(let new) = response else { return try await base.respond(to: flow, with: response) }
                let read = Secret(new.reveal().replacing("+", with: " "))
                return try await base.respond(to: flow, with: .newPassword(read))
            }
        },
        .alone("reset.completes", "signs in another user") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                return response.kind == .newPassword ? .complete(context.forged()) : step
            }
        },
        .alone("sign-up.password.keeps-display-name", "removes non-ASCII letters from a name") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                try await base.signUp(with: credential, displayName: name.map { $0.filter(\.isASCII) })
            }
        },
        .alone("sign-up.password.keeps-display-name", "reads the account's creation date in the wrong unit") { faulty, _ in
            @Sendable func dated(_ step: AuthStep) -> AuthStep {
                guard case .complete(var session) = step else { return step }
                session.user.createdAt = session.user.createdAt.map { $0 + .seconds(1_000_000_000) }
                return .complete(session)
            }
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                dated(try await base.signUp(with: credential, displayName: name))
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                dated(try await base.respond(to: flow, with: response))
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .step(let step) = outcome else { return outcome }
                return .step(dated(step))
            }
        },
        .alone("sign-in.id-token.new-and-again", "loses the verified address of the token") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard case .complete(var session) = try await base.signIn(with: credential) else {
                    throw AuthError(.unknown, "The mutant supports only sessions.")
                }
                session.user.isEmailVerified = false
                return .complete(session)
            }
        },
        .alone("sign-in.id-token.first-name-kept", "accepts every name that is sent with a token") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .complete(var session) = step, let name = (credential as? IDTokenCredential)?.name else { return step }
                session.user.displayName = name
                return .complete(session)
            }
        },
        .alone("verification.poll.sees-it", "keeps the claims from before the verification") { faulty, _ in
            faulty.onSession = { base, requirement async throws(AuthError) in
                var session = try await base.session(requiring: requirement)
                session.claims["email_verified"] = false
                return session
            }
        },
        .alone("session.fault.server", "loses the time to wait of a 503") { faulty, _ in
            faulty.onToken = { base async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.accessToken()
                } catch {
                    var altered = error
                    if error.code == .serverUnavailable { altered.retry = .now }
                    throw altered
                }
            }
        },
        .alone("account.photo.upload", "returns the user from before the upload") { faulty, _ in
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                let before = base.state.session?.user
                let user = try await base.setPhoto(photo)
                return before ?? user
            }
        },
        .alone("account.photo.upload", "does not remove the photo") { faulty, _ in
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                guard photo == nil, let user = base.state.session?.user else { return try await base.setPhoto(photo) }
                return user
            }
        },
        .alone("account.photo.upload", "sends a file that is not a photo") { faulty, context in
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                if photo?.bytes.isEmpty == true { await context.waste() }
                return try await base.setPhoto(photo)
            }
        },
    ]
}
