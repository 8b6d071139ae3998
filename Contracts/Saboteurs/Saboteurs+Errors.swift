internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Saboteurs {
    static let errors: [Saboteur] = [
        .renaming("error.unknown-code", "maps to network", .unknown, .network),
        .client("error.rate-limited", "loses the time") { impostor, _ in
            impostor.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    var hasty = error
                    if error.code == .tooManyRequests { hasty.retry = .now }
                    throw hasty
                }
            }
        },
        .client("privacy.canary", "shows the password in an error") { impostor, _ in
            impostor.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    var talkative = error
                    if let password = credential as? PasswordCredential {
                        talkative.message += " (\(password.password.reveal()))"
                    }
                    throw talkative
                }
            }
        },
        .client("privacy.quotations", "hands on what the backend quotes in base64") { impostor, _ in
            impostor.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    var talkative = error
                    if let password = credential as? PasswordCredential {
                        talkative.provider?.message = Base64.encode(Array(password.password.reveal().utf8))
                    }
                    throw talkative
                }
            }
        },
        .client("privacy.canary", "shows the address in an event") { impostor, scene in
            impostor.onSignIn = { base, credential async throws(AuthError) in
                if let password = credential as? PasswordCredential {
                    scene.events(Event(.callBegan, at: scene.stage.clock.now, [.call: "signIn " + password.email]))
                }
                return try await base.signIn(with: credential)
            }
        },
        .client("privacy.canary", "shows the token that was refused in the line of a sign-out") { impostor, scene in
            impostor.onSignOut = { base, scope, discarding async throws(AuthError) in
                let token = base.state.session?.refreshToken.reveal()
                scene.events(Event(.sessionEnded, at: scene.stage.clock.now, [.reason: "revoked", .verdict: token ?? ""]))
                try await base.signOut(scope, discardingGuest: discarding)
            }
        },
        .client("privacy.canary", "tells of a request by its whole address") { impostor, scene in
            impostor.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if let id = step.session?.user.id {
                    scene.events(Event(.requestBegan, at: scene.stage.clock.now, [.route: "/users/" + id]))
                }
                return step
            }
        },
    ]

    static let capabilities: [Saboteur] =
        [
            .client("capability.claims-are-strategies", "claims more") { impostor, _ in
                impostor.claims = { $0.union([Capability(rawValue: "teleport")]) }
            }
        ]
        + Capability.all.map { trying($0) }

    /// A client that tries what is not claimed, and tells of the refusal only then.
    private static func trying(_ capability: Capability) -> Saboteur {
        .client("capability.\(capability.dotted).refused-unclaimed", "tries it") { impostor, scene in
            let isClaimed = impostor.base.capabilities.contains(capability)
            @Sendable func wasting<Answer: Sendable>(
                _ tried: Bool, _ call: @Sendable () async throws(AuthError) -> Answer
            ) async throws(AuthError) -> Answer {
                if tried, !isClaimed { await scene.waste() }
                return try await call()
            }
            impostor.onSignIn = { base, credential async throws(AuthError) in
                try await wasting(type(of: credential).capability == capability) { () async throws(AuthError) in
                    try await base.signIn(with: credential)
                }
            }
            impostor.onProceed = { base, flow, answer async throws(AuthError) in
                try await wasting(answer.tries == capability) { () async throws(AuthError) in
                    try await base.proceed(flow, with: answer)
                }
            }
            impostor.onReset = { base, email async throws(AuthError) in
                try await wasting(capability == .passwordReset) { () async throws(AuthError) in
                    try await base.requestPasswordReset(email: email)
                }
            }
            impostor.onUpdate = { base, name, photo async throws(AuthError) in
                try await wasting(name != nil && capability == .displayName || photo != nil && capability == .photo) {
                    () async throws(AuthError) in try await base.update(displayName: name, photoURL: photo)
                }
            }
            impostor.onMetadata = { base, metadata async throws(AuthError) in
                try await wasting(capability == .userMetadata) { () async throws(AuthError) in
                    try await base.update(metadata: metadata)
                }
            }
            impostor.onChangePassword = { base, new, current async throws(AuthError) in
                try await wasting(capability == .passwordChange) { () async throws(AuthError) in
                    try await base.changePassword(to: new, current: current)
                }
            }
            impostor.onChangeEmail = { base, email async throws(AuthError) in
                try await wasting(capability == .emailChange) { () async throws(AuthError) in
                    try await base.changeEmail(to: email)
                }
            }
            impostor.onUnlink = { base, identity async throws(AuthError) in
                try await wasting(capability == .linking) { () async throws(AuthError) in try await base.unlink(identity) }
            }
            impostor.onAddFactor = { base, factor async throws(AuthError) in
                try await wasting(capability == .factorEnrolment) { () async throws(AuthError) in
                    try await base.addFactor(factor)
                }
            }
            impostor.onReauthenticate = { base, credential, retry async throws(AuthError) in
                try await wasting(capability == .reauthentication) { () async throws(AuthError) in
                    try await base.reauthenticate(with: credential, thenRetry: retry)
                }
            }
            impostor.onDelete = { base async throws(AuthError) in
                try await wasting(capability == .accountDeletion) { () async throws(AuthError) in try await base.deleteAccount() }
            }
            impostor.onSignOut = { base, scope, discarding async throws(AuthError) in
                let wanted: Capability? =
                    switch scope {
                    case .local: nil
                    case .others: .signOutOthers
                    case .everywhere: .signOutEverywhere
                    }
                try await wasting(wanted == capability) { () async throws(AuthError) in
                    try await base.signOut(scope, discardingGuest: discarding)
                }
            }
        }
    }
}

extension Answer {
    /// What the trials of the catalogue try by this answer; other answers of the same kinds are not theirs.
    fileprivate var tries: Capability? {
        switch self {
        case .code("654321"): .confirmationCode
        case .link("app://nowhere/"): .confirmationLink
        case .poll: .poll
        case .newPassword("Tried-out-9x"): .newPasswordStep
        case .factor(FactorChoice(id: "none", kind: .authenticatorApp)): .secondFactor
        case .factor(FactorChoice(id: "none", kind: .backupCode)): .backupCode
        case .fields([.lastName: "Lovelace"]): .requirements
        case .passkey: .passkey
        case .code, .link, .newPassword, .factor, .fields: nil
        }
    }
}
