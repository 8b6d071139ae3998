internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let errors: [Mutant] = [
        .renaming("error.unknown-code", "reports every error as a network error", .unknown, .network),
        .failingSignIn("error.rate-limited", "loses the time to wait") { error, _ in
            if error.code == .tooManyRequests { error.retry = .now }
        },
        .failingSignIn("privacy.canary", "shows the password in an error") { error, password in
            if let password { error.message += " (\(password.reveal()))" }
        },
        .failingSignIn("privacy.quotations", "shows the password in Base64 in the provider's message") { error, password in
            // The contract privacy.canary checks the other errors. This contract builds on it.
            if error.code == .unknown, let password { error.provider?.message = Base64.encode(Array(password.reveal().utf8)) }
        },
        .failingSignIn("privacy.own-sentences", "masks the password in the client's own messages") { error, password in
            let words = error.message.split(separator: " ").map { word in
                word.lowercased() == password?.reveal() ? Secret.mask : String(word)
            }
            error.message = words.joined(separator: " ")
        },
        .client("privacy.canary", "shows the address in an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if let password = credential as? PasswordCredential {
                    context.events(AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "signIn " + password.email]))
                }
                return try await base.signIn(with: credential)
            }
        },
        .alone("privacy.canary", "shows the session's id in an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if let id = step.session?.id {
                    context.events(AuthEvent(.sessionAdopted, at: context.environment.clock.now, [.session: id]))
                }
                return step
            }
        },
        .alone("privacy.canary", "adds an undocumented field to an event") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let field = AuthEvent.Field(rawValue: "mutant")
                context.events(AuthEvent(.stateChanged, at: context.environment.clock.now, [.state: "restoring", field: "yes"]))
                return try await base.signIn(with: credential)
            }
        },
        .client("privacy.canary", "shows the refresh token in the event of a sign-out") { faulty, context in
            faulty.onSignOut = { base, scope, discarding async throws(AuthError) in
                let token = base.state.session?.refreshToken.reveal()
                context.events(
                    AuthEvent(.sessionEnded, at: context.environment.clock.now, [.reason: "revoked", .verdict: token ?? ""]))
                try await base.signOut(scope, discardingAnonymousUser: discarding)
            }
        },
        .client("privacy.canary", "shows the complete URL of a request in an event") { faulty, context in
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
        Capability.all.map { capability in
            trying("refused-unclaimed", capability, "sends a request for an unclaimed capability") {
                isClaimed, context throws(AuthError) in
                if !isClaimed { await context.waste() }
            }
        }
        + Capability.all.filter { Catalog["capability.\($0.dotted).asked-where-claimed"] != nil }.map { capability in
            trying("asked-where-claimed", capability, "rejects a claimed capability as unsupported") {
                isClaimed, context throws(AuthError) in
                if isClaimed { throw .unsupported(capability, by: context.adapter.name) }
            }
        }

    /// Creates a mutant whose client does something else before a test call for a capability.
    private static func trying(
        _ promise: String, _ capability: Capability, _ summary: String,
        _ before: @escaping @Sendable (_ isClaimed: Bool, Mutation.Context) async throws(AuthError) -> Void
    ) -> Mutant {
        .client("capability.\(capability.dotted).\(promise)", summary) { faulty, context in
            let isClaimed = faulty.base.capabilities.contains(capability)
            @Sendable func wasting<Response: Sendable>(
                _ tried: Bool, _ call: @Sendable () async throws(AuthError) -> Response
            ) async throws(AuthError) -> Response {
                if tried { try await before(isClaimed, context) }
                return try await call()
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                try await wasting(type(of: credential).capability == capability && credential.isTrial) {
                    () async throws(AuthError) in
                    try await base.signIn(with: credential)
                }
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                try await wasting(response.tries == capability) { () async throws(AuthError) in
                    try await base.respond(to: flow, with: response)
                }
            }
            faulty.onReset = { base, email async throws(AuthError) in
                try await wasting(capability == .passwordReset && email == "nobody@example.com") { () async throws(AuthError) in
                    try await base.requestPasswordReset(email: email)
                }
            }
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                try await wasting(
                    name == "Ada" && capability == .displayName || photo == "https://example.com/ada.png" && capability == .photo
                ) {
                    () async throws(AuthError) in try await base.update(displayName: name, photoURL: photo)
                }
            }
            faulty.onMetadata = { base, metadata async throws(AuthError) in
                try await wasting(capability == .userMetadata && metadata["tried"] == true) { () async throws(AuthError) in
                    try await base.update(metadata: metadata)
                }
            }
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                try await wasting(capability == .passwordChange && new == "Long-enough-9") { () async throws(AuthError) in
                    try await base.changePassword(to: new, current: current)
                }
            }
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                try await wasting(capability == .emailChange && email == "nobody@example.com") { () async throws(AuthError) in
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
            faulty.onRenewBackupCodes = { base async throws(AuthError) in
                try await wasting(capability == .backupCodeRenewal) { () async throws(AuthError) in
                    try await base.renewBackupCodes()
                }
            }
            faulty.onPasskeys = { base async throws(AuthError) in
                try await wasting(capability == .passkeyManagement) { () async throws(AuthError) in try await base.passkeys() }
            }
            faulty.onRenamePasskey = { base, passkey, name async throws(AuthError) in
                try await wasting(capability == .passkeyRenaming) { () async throws(AuthError) in
                    try await base.renamePasskey(passkey, to: name)
                }
            }
            faulty.onOrganizations = { base async throws(AuthError) in
                try await wasting(capability == .organizations) { () async throws(AuthError) in try await base.organizations() }
            }
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                try await wasting(capability == .photoUpload) { () async throws(AuthError) in try await base.setPhoto(photo) }
            }
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                try await wasting(capability == .reauthentication && credential.isTrial) { () async throws(AuthError) in
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
                    try await base.signOut(scope, discardingAnonymousUser: discarding)
                }
            }
        }
    }
}

extension Credential {
    /// Whether a test call of the catalog uses this credential.
    ///
    /// Other checks use other credentials.
    fileprivate var isTrial: Bool {
        switch self {
        case let password as PasswordCredential: password.email == "nobody@example.com"
        case let link as EmailLinkCredential: link.email == "nobody@example.com"
        case let code as EmailCodeCredential: code.email == "nobody@example.com"
        case let token as IDTokenCredential: token.token == "not.a.token"
        case let ticket as TicketCredential: ticket.token == "not-a-ticket"
        default: true
        }
    }
}

extension ChallengeResponse {
    /// The capability that a test call of the catalog checks with this response; `nil` for a response of another check.
    fileprivate var tries: Capability? {
        switch self {
        case .code("654321"): .confirmationCode
        case .link("app://nowhere/"): .confirmationLink
        case .poll: .poll
        case .newPassword("Tried-out-9x"): .newPasswordStep
        case .captcha("tried-token"): .captcha
        case .factor(FactorChoice(id: "none", kind: .authenticatorApp)): .secondFactor
        case .factor(FactorChoice(id: "none", kind: .backupCode)): .backupCode
        case .fields([.lastName: "Lovelace"]): .requirements
        case .passkey: .passkey
        case .code, .link, .newPassword, .factor, .fields, .captcha: nil
        }
    }
}
