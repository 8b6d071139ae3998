internal import Lockstep
internal import LockstepPrimitives

/// A client that checks everything that an app can see: values, errors and states.
struct WatchedClient: PortableClient {
    /// The effect of a call on sessions.
    enum Effect: Sendable {
        case none
        /// The call may sign in another user, with this address if there is one.
        case enters(String?)
        /// The call may end sessions.
        case ends
    }

    let base: any PortableClient
    let world: World
    let known: KnownUsers
    /// Whether the adapter's responses are changed.
    ///
    /// The backend then does not know their contents.
    let isAltered: Bool

    var capabilities: Set<Capability> { base.capabilities }
    var state: AuthState { base.state }
    var states: AsyncStream<AuthState> { base.states }
    var persistence: Persistence { base.persistence }
    var pending: SignInStep? { base.pending }
    var waysToLink: [Capability] { base.waysToLink }
    var waysToReauthenticate: [Capability] { base.waysToReauthenticate }
    var factorKinds: Set<FactorChoice.Kind> { base.factorKinds }

    var watch: Watch { world.watch }

    /// Makes a call, and checks its result.
    private func call<Value: Sendable>(
        _ name: String, _ effect: Effect = .none, _ body: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let start = await begin(effect)
        let result: Result<Value, AuthError> = await TraceContext.$current.withValue(watch.nextTrace()) {
            do throws(AuthError) { return .success(try await body()) } catch { return .failure(error) }
        }
        switch result {
        case .success(let value): await lookAfterwards(name, effect, since: start, at: Told(value))
        case .failure(let error): await lookAfterwards(name, effect, since: start, at: .refusal(error))
        }
        return try result.get()
    }

    // MARK: Calls

    @discardableResult
    func restore() async -> AuthState {
        let state = (try? await call("restore") { () async throws(AuthError) in await base.restore() }) ?? base.state
        // The stored session comes from a sign-in in an earlier launch.
        if let session = state.session { known.note(session.user.id) }
        return state
    }

    func signUp<C: Credential>(
        with credential: C, displayName: String?, metadata: JSONObject
    ) async throws(AuthError) -> SignInStep {
        keep(credential)
        return try await call("signUp", .enters(credential.address)) { () async throws(AuthError) in
            try await base.signUp(with: credential, displayName: displayName, metadata: metadata)
        }
    }

    func signIn<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        keep(credential)
        return try await call("signIn", .enters(credential.address)) { () async throws(AuthError) in
            try await base.signIn(with: credential)
        }
    }

    func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> SignInStep {
        switch response {
        case .code(let code): watch.keep(code, "a code")
        case .newPassword(let password): watch.keep(password, "a new password")
        case .link(let url): watch.keep(link: url)
        case .captcha(let token): watch.keep(token, "a captcha's token")
        case .poll, .factor, .fields, .passkey: break
        }
        return try await call("respond", .enters(nil)) { () async throws(AuthError) in
            try await base.respond(to: flow, with: response)
        }
    }

    func resend(_ flow: Flow) async throws(AuthError) -> Challenge {
        try await call("resend") { () async throws(AuthError) in try await base.resend(flow) }
    }

    func cancel(_ flow: Flow) async throws(AuthError) {
        try await call("cancel") { () async throws(AuthError) in try await base.cancel(flow) }
    }

    func handle(_ url: String) async -> CallbackOutcome {
        watch.keep(link: url)
        let start = await begin(.enters(nil))
        let outcome = await TraceContext.$current.withValue(watch.nextTrace()) { await base.handle(url) }
        let told: Told
        switch outcome {
        case .step(let step): told = .step(step)
        case .refused(let error): told = .refusal(error)
        case .notOurs: told = .nothing
        }
        await lookAfterwards("handle", .enters(nil), since: start, at: told)
        return outcome
    }

    func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep {
        try await call("requestPasswordReset") { () async throws(AuthError) in try await base.requestPasswordReset(email: email) }
    }

    func settle() async { await base.settle() }

    func accessToken() async throws(AuthError) -> Secret {
        try await call("accessToken") { () async throws(AuthError) in try await base.accessToken() }
    }

    func session(requiring requirement: SessionRequirement) async throws(AuthError) -> Session {
        try await call("session") { () async throws(AuthError) in try await base.session(requiring: requirement) }
    }

    func authorized(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<[UInt8]>
    ) async throws -> AppResponse<[UInt8]> {
        let start = await begin(.none)
        do {
            let response = try await TraceContext.$current.withValue(watch.nextTrace()) {
                try await base.authorized(request) { authorized in
                    if let value = authorized.header("Authorization"), value.hasPrefix("Bearer ") {
                        await look(at: .token(Secret(String(value.dropFirst("Bearer ".count)))), "authorized")
                    }
                    return try await send(authorized)
                }
            }
            await lookAfterwards("authorized", .none, since: start, at: .nothing)
            return response
        } catch {
            await lookAfterwards("authorized", .none, since: start, at: (error as? AuthError).map { .refusal($0) } ?? .nothing)
            throw error
        }
    }

    func refreshUser() async throws(AuthError) -> User {
        try await call("refreshUser") { () async throws(AuthError) in try await base.refreshUser() }
    }

    func signOut(_ scope: SignOutScope, discardingAnonymousUser: Bool) async throws(AuthError) {
        try await call("signOut", .ends) { () async throws(AuthError) in
            try await base.signOut(scope, discardingAnonymousUser: discardingAnonymousUser)
        }
    }

    func update(displayName: String?, photoURL: String?) async throws(AuthError) -> User {
        try await call("account.update") { () async throws(AuthError) in
            try await base.update(displayName: displayName, photoURL: photoURL)
        }
    }

    func update(metadata: JSONObject) async throws(AuthError) -> User {
        try await call("account.update") { () async throws(AuthError) in try await base.update(metadata: metadata) }
    }

    func changePassword(to new: Secret, current: Secret?) async throws(AuthError) {
        watch.keep(new, "a new password")
        watch.keep(current, "a password")
        try await call("account.changePassword", .ends) { () async throws(AuthError) in
            try await base.changePassword(to: new, current: current)
        }
    }

    func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep {
        watch.keep(new, "a new password")
        return try await call("account.beginPasswordChange", .ends) { () async throws(AuthError) in
            try await base.beginPasswordChange(to: new)
        }
    }

    func changeEmail(to email: String) async throws(AuthError) -> SignInStep {
        try await call("account.changeEmail", .ends) { () async throws(AuthError) in try await base.changeEmail(to: email) }
    }

    func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep {
        keep(credential)
        return try await call("account.link", .ends) { () async throws(AuthError) in try await base.link(credential) }
    }

    func unlink(_ identity: Identity) async throws(AuthError) {
        try await call("account.unlink", .ends) { () async throws(AuthError) in try await base.unlink(identity) }
    }

    func factors() async throws(AuthError) -> [FactorChoice] {
        try await call("account.factors.all") { () async throws(AuthError) in try await base.factors() }
    }

    func removeFactor(_ factor: FactorChoice) async throws(AuthError) {
        try await call("account.factors.remove", .ends) { () async throws(AuthError) in try await base.removeFactor(factor) }
    }

    func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        try await call("account.factors.add", .ends) { () async throws(AuthError) in try await base.addFactor(factor) }
    }

    func renewBackupCodes() async throws(AuthError) -> [Secret] {
        let codes = try await call("account.factors.renewBackupCodes") { () async throws(AuthError) in
            try await base.renewBackupCodes()
        }
        for code in codes { watch.keep(code, "a backup code") }
        return codes
    }

    func passkeys() async throws(AuthError) -> [Passkey] {
        try await call("account.passkeys.all") { () async throws(AuthError) in try await base.passkeys() }
    }

    func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError) {
        try await call("account.passkeys.rename") { () async throws(AuthError) in
            try await base.renamePasskey(passkey, to: name)
        }
    }

    func removePasskey(_ passkey: Passkey) async throws(AuthError) {
        try await call("account.passkeys.remove") { () async throws(AuthError) in try await base.removePasskey(passkey) }
    }

    func organizations() async throws(AuthError) -> [Organization] {
        try await call("account.organizations.all") { () async throws(AuthError) in try await base.organizations() }
    }

    func activate(_ organization: Organization?) async throws(AuthError) {
        try await call("account.organizations.activate") { () async throws(AuthError) in try await base.activate(organization) }
    }

    func setPhoto(_ photo: Photo?) async throws(AuthError) -> User {
        try await call("account.setPhoto") { () async throws(AuthError) in try await base.setPhoto(photo) }
    }

    func reauthenticate<C: Credential>(
        with credential: C, thenRetry retry: SensitiveCall?
    ) async throws(AuthError) -> SignInStep {
        keep(credential)
        return try await call("account.reauthenticate", .ends) { () async throws(AuthError) in
            try await base.reauthenticate(with: credential, thenRetry: retry)
        }
    }

    func deleteAccount() async throws(AuthError) {
        try await call("account.delete", .ends) { () async throws(AuthError) in try await base.deleteAccount() }
    }

    private func keep(_ credential: some Credential) {
        switch credential {
        case let password as PasswordCredential: watch.keep(password.password, "a password")
        case let token as IDTokenCredential:
            watch.keep(token.token, "an ID token")
            watch.keep(token.nonce, "a nonce")
        case let ticket as TicketCredential: watch.keep(ticket.token, "a ticket")
        default: break
        }
    }
}

extension Credential {
    /// The email address in the credential.
    var address: String? {
        switch self {
        case let password as PasswordCredential: password.email
        case let link as EmailLinkCredential: link.email
        case let code as EmailCodeCredential: code.email
        default: nil
        }
    }
}
