internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let errors: [Mutant] = [
        .renaming("error.unknown-code", "maps to network", .unknown, .network),
        .failingSignIn("error.rate-limited", "loses the time") { error, _ in
            if error.code == .tooManyRequests { error.retry = .now }
        },
        .failingSignIn("privacy.canary", "shows the password in an error") { error, password in
            if let password { error.message += " (\(password.reveal()))" }
        },
        .failingSignIn("privacy.quotations", "hands on what the backend quotes in base64") { error, password in
            if let password { error.provider?.message = Base64.encode(Array(password.reveal().utf8)) }
        },
        .client("privacy.canary", "shows the address in an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if let password = credential as? PasswordCredential {
                    context.events(AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "signIn " + password.email]))
                }
                return try await base.signIn(with: credential)
            }
        },
        .client("privacy.canary", "shows the token that was refused in the line of a sign-out") { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                let token = base.state.session?.refreshToken.reveal()
                context.events(
                    AuthEvent(.sessionEnded, at: context.environment.clock.now, [.reason: "revoked", .verdict: token ?? ""]))
                try await base.signOut(scope, discardingGuest: discarding)
            }
        },
        .client("privacy.canary", "tells of a request by its whole address") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if let id = step.session?.user.id {
                    context.events(AuthEvent(.requestBegan, at: context.environment.clock.now, [.route: "/users/" + id]))
                }
                return step
            }
        },
    ]

    static let capabilities: [Mutant] =
        [
            .client("capability.claims-are-strategies", "claims more") { faulty, _ in
                faulty.claims = { $0.union([Capability(rawValue: "teleport")]) }
            }
        ]
        + Capability.all.map { trying($0) }

    /// A client that tries what is not claimed, and reports the refusal only then.
    private static func trying(_ capability: Capability) -> Mutant {
        .client("capability.\(capability.dotted).refused-unclaimed", "tries it") { faulty, context in
            let isClaimed = faulty.base.capabilities.contains(capability)
            @Sendable func wasting<Response: Sendable>(
                _ tried: Bool, _ call: @Sendable () async throws(AuthError) -> Response
            ) async throws(AuthError) -> Response {
                if tried, !isClaimed { await context.waste() }
                return try await call()
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                try await wasting(type(of: credential).capability == capability) { () async throws(AuthError) in
                    try await base.signIn(with: credential)
                }
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                try await wasting(response.tries == capability) { () async throws(AuthError) in
                    try await base.respond(to: flow, with: response)
                }
            }
            faulty.onReset = { base, email async throws(AuthError) in
                try await wasting(capability == .passwordReset) { () async throws(AuthError) in
                    try await base.requestPasswordReset(email: email)
                }
            }
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                try await wasting(name != nil && capability == .displayName || photo != nil && capability == .photo) {
                    () async throws(AuthError) in try await base.update(displayName: name, photoURL: photo)
                }
            }
            faulty.onMetadata = { base, metadata async throws(AuthError) in
                try await wasting(capability == .userMetadata) { () async throws(AuthError) in
                    try await base.update(metadata: metadata)
                }
            }
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                try await wasting(capability == .passwordChange) { () async throws(AuthError) in
                    try await base.changePassword(to: new, current: current)
                }
            }
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                try await wasting(capability == .emailChange) { () async throws(AuthError) in
                    try await base.changeEmail(to: email)
                }
            }
            faulty.onUnlink = { base, identity async throws(AuthError) in
                try await wasting(capability == .linking) { () async throws(AuthError) in try await base.unlink(identity) }
            }
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                try await wasting(capability == .factorEnrolment) { () async throws(AuthError) in
                    try await base.addFactor(factor)
                }
            }
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                try await wasting(capability == .reauthentication) { () async throws(AuthError) in
                    try await base.reauthenticate(with: credential, thenRetry: retry)
                }
            }
            faulty.onDelete = { base async throws(AuthError) in
                try await wasting(capability == .accountDeletion) { () async throws(AuthError) in try await base.deleteAccount() }
            }
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
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

extension ChallengeResponse {
    /// The capability that the catalogue's trials try by this answer; other answers of the same kinds are not theirs.
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
