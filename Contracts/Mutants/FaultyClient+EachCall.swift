internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension FaultyClient {
    typealias Alteration = @Sendable () -> AlteredCall?

    /// Changes the calls that return a step.
    mutating func alterSteps(_ alteration: @escaping Alteration) {
        @Sendable func step(
            _ base: Client, _ call: () async throws(AuthError) -> SignInStep
        ) async throws(AuthError) -> SignInStep {
            guard let altered = alteration() else { return try await call() }
            return try await altered.step(base, call)
        }
        onSignUp = { base, credential, name async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in try await base.signUp(with: credential, displayName: name) }
        }
        onMetadataAtSignUp = { base, credential, name, metadata async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in
                try await base.signUp(with: credential, displayName: name, metadata: metadata)
            }
        }
        onSignIn = { base, credential async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in try await base.signIn(with: credential) }
        }
        onRespond = { base, flow, response async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in try await base.respond(to: flow, with: response) }
        }
        onReset = { base, email async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in try await base.requestPasswordReset(email: email) }
        }
        onBeginPasswordChange = { base, new async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in try await base.beginPasswordChange(to: new) }
        }
        onChangeEmail = { base, email async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in try await base.changeEmail(to: email) }
        }
        onLink = { base, credential async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in try await base.link(credential) }
        }
        onReauthenticate = { base, credential, retry async throws(AuthError) in
            try await step(base) { () async throws(AuthError) in
                try await base.reauthenticate(with: credential, thenRetry: retry)
            }
        }
        onResend = { base, flow async throws(AuthError) in
            guard let altered = alteration() else { return try await base.resend(flow) }
            return try await altered.challenge(base) { () async throws(AuthError) in try await base.resend(flow) }
        }
        onAddFactor = { base, factor async throws(AuthError) in
            guard let altered = alteration() else { return try await base.addFactor(factor) }
            return try await altered.enrolment(base) { () async throws(AuthError) in try await base.addFactor(factor) }
        }
    }

    /// Changes the calls about the session.
    mutating func alterSessions(_ alteration: @escaping Alteration) {
        onToken = { base async throws(AuthError) in
            guard let altered = alteration() else { return try await base.accessToken() }
            return try await altered.token(base) { () async throws(AuthError) in try await base.accessToken() }
        }
        onSession = { base, requirement async throws(AuthError) in
            guard let altered = alteration() else { return try await base.session(requiring: requirement) }
            return try await altered.session(base) { () async throws(AuthError) in
                try await base.session(requiring: requirement)
            }
        }
        onSignOut = { base, scope, discarding async throws(AuthError) in
            guard let altered = alteration() else { return try await base.signOut(scope, discardingAnonymousUser: discarding) }
            try await altered.of(base, forged: ()) { () async throws(AuthError) in
                try await base.signOut(scope, discardingAnonymousUser: discarding)
            }
        }
        onCancel = { base, flow async throws(AuthError) in
            guard let altered = alteration() else { return try await base.cancel(flow) }
            try await altered.of(base, forged: ()) { () async throws(AuthError) in try await base.cancel(flow) }
        }
    }

    /// Changes the calls about the user.
    mutating func alterAccount(_ alteration: @escaping Alteration) {
        @Sendable func user(_ base: Client, _ call: () async throws(AuthError) -> User) async throws(AuthError) -> User {
            guard let altered = alteration() else { return try await call() }
            return try await altered.user(base, call)
        }
        @Sendable func done(_ base: Client, _ call: () async throws(AuthError) -> Void) async throws(AuthError) {
            guard let altered = alteration() else { return try await call() }
            try await altered.of(base, forged: (), call)
        }
        onRefreshUser = { base async throws(AuthError) in
            try await user(base) { () async throws(AuthError) in try await base.refreshUser() }
        }
        onUpdate = { base, name, photo async throws(AuthError) in
            try await user(base) { () async throws(AuthError) in try await base.update(displayName: name, photoURL: photo) }
        }
        onMetadata = { base, metadata async throws(AuthError) in
            try await user(base) { () async throws(AuthError) in try await base.update(metadata: metadata) }
        }
        onSetPhoto = { base, photo async throws(AuthError) in
            try await user(base) { () async throws(AuthError) in try await base.setPhoto(photo) }
        }
        onChangePassword = { base, new, current async throws(AuthError) in
            try await done(base) { () async throws(AuthError) in try await base.changePassword(to: new, current: current) }
        }
        onUnlink = { base, identity async throws(AuthError) in
            try await done(base) { () async throws(AuthError) in try await base.unlink(identity) }
        }
        onRemoveFactor = { base, factor async throws(AuthError) in
            try await done(base) { () async throws(AuthError) in try await base.removeFactor(factor) }
        }
        onRenamePasskey = { base, passkey, name async throws(AuthError) in
            try await done(base) { () async throws(AuthError) in try await base.renamePasskey(passkey, to: name) }
        }
        onRemovePasskey = { base, passkey async throws(AuthError) in
            try await done(base) { () async throws(AuthError) in try await base.removePasskey(passkey) }
        }
        onActivate = { base, organization async throws(AuthError) in
            try await done(base) { () async throws(AuthError) in try await base.activate(organization) }
        }
        onDelete = { base async throws(AuthError) in
            try await done(base) { () async throws(AuthError) in try await base.deleteAccount() }
        }
    }

    /// Changes the calls that return a list.
    ///
    /// Another user has an empty list, and a skipped call returns an empty list.
    mutating func alterLists(_ alteration: @escaping Alteration) {
        @Sendable func list<Element: Sendable>(
            _ base: Client, _ call: () async throws(AuthError) -> [Element]
        ) async throws(AuthError) -> [Element] {
            guard let altered = alteration() else { return try await call() }
            return try await altered.of(base, forged: [], changed: { $1 == .otherUser ? [] : $0 + $0 }, call)
        }
        onFactors = { base async throws(AuthError) in
            try await list(base) { () async throws(AuthError) in try await base.factors() }
        }
        onRenewBackupCodes = { base async throws(AuthError) in
            try await list(base) { () async throws(AuthError) in try await base.renewBackupCodes() }
        }
        onPasskeys = { base async throws(AuthError) in
            try await list(base) { () async throws(AuthError) in try await base.passkeys() }
        }
        onOrganizations = { base async throws(AuthError) in
            try await list(base) { () async throws(AuthError) in try await base.organizations() }
        }
    }
}
