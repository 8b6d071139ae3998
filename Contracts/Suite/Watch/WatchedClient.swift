internal import Lockstep
internal import LockstepPrimitives

/// A client whose every call is looked at, as the app sees it: what it is given, what it is refused with, what it shows.
struct WatchedClient: PortableClient {
    /// What a call does to sessions.
    enum Effect: Sendable {
        case none
        /// It may bring another user, who has this address where one was named.
        case enters(String?)
        /// It may end sessions.
        case ends
    }

    let base: any PortableClient
    let world: World
    let trail: Trail
    /// Whether the adapter's answers are changed on the way: then the backend knows nothing of them.
    let isAltered: Bool

    var capabilities: Set<Capability> { base.capabilities }
    var state: AuthState { base.state }
    var states: AsyncStream<AuthState> { base.states }
    var persistence: Persistence { base.persistence }
    var pending: SignInStep? { base.pending }

    private var watch: Watch { world.watch }

    private func call<Value: Sendable>(
        _ name: String, _ effect: Effect = .none, _ body: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        if case .none = effect {} else { watch.sessionsMayEnd() }
        let count = await world.sentMessages()
        let start = world.clock.now
        let result: Result<Value, AuthError> = await TraceContext.$current.withValue(watch.nextTrace()) {
            do throws(AuthError) { return .success(try await body()) } catch { return .failure(error) }
        }
        if case .none = effect {} else { watch.sessionsMayEnd() }
        switch result {
        case .success(let value):
            if let session = (value as? SignInStep)?.session ?? value as? Session {
                await look(at: session, name, effect)
            } else if let user = value as? User {
                look(at: user, name)
            } else if let token = value as? Secret {
                watch.keep(token, "an access token")
                await look(at: token, name, nil)
            }
            let challenge = (value as? SignInStep)?.challenge ?? value as? Challenge
            if let challenge, world.clock.now == start { await look(at: challenge, name, messagesBefore: count) }
        case .failure(let error):
            if case .enters = effect, error.code == .timedOut || error.code == .cancelled { trail.open() }
            look(at: error, name)
        }
        if let session = base.state.session {
            watch.keep(session.accessToken, "the access token")
            watch.keep(session.refreshToken, "the refresh token")
            if !isAltered, !trail.has(session.user.id) {
                watch.found(.oneUser, "after \(name) the state has a user whom no sign-in on this device brought")
            }
        }
        return try result.get()
    }

    // MARK: Looks

    private func look(at session: Session, _ name: String, _ effect: Effect) async {
        watch.keep(session.accessToken, "the access token")
        watch.keep(session.refreshToken, "the refresh token")
        show(session, "the session of \(name)")
        if !isAltered {
            watch.looked(at: .oneUser)
            if case .enters(let address) = effect {
                trail.note(session.user.id)
                await lookForUser(of: session, address, name)
            } else if !trail.has(session.user.id) {
                watch.found(.oneUser, "\(name) gives a session of a user whom no sign-in on this device brought")
            }
        }
        look(at: session.user, name)
        await look(at: session.accessToken, name, session.lifetime)
    }

    private func look(at user: User, _ name: String) {
        watch.looked(at: .secretsStayInside)
        for secret in watch.secrets(in: JSON.object(user.fields).text() + JSON.object(user.metadata ?? [:]).text()) {
            watch.found(.secretsStayInside, "\(secret) is in the app's user fields after \(name)\(lastExchange)")
        }
        if !isAltered, !trail.has(user.id) {
            watch.found(.oneUser, "\(name) gives a user whom no sign-in on this device brought")
        }
    }

    /// Whether the backend has this user, with the address that signed in.
    private func lookForUser(of session: Session, _ address: String?, _ name: String) async {
        guard !watch.isBlocked, watch.looks(.oneUser) < 24, let adminAPI = world.environment.adminAPI else { return }
        let epoch = watch.epoch
        guard let users = try? await adminAPI.users(), epoch == watch.epoch else { return }
        guard let stored = users.first(where: { $0.id == session.user.id }) else {
            return watch.found(.oneUser, "the user id of \(name) is none of the backend's")
        }
        // An international domain has two forms: which one is stored is a promise of its own.
        if let address, let email = stored.email, address.utf8.allSatisfy({ $0 < 0x80 }), !email.contains("xn--"),
            email.lowercased() != address.trimmedSpaces.lowercased()
        {
            watch.found(.oneUser, "\(name) signed in another user than the one with that address")
        }
    }

    private func look(at token: Secret, _ name: String, _ lifetime: TokenLifetime?) async {
        guard !isAltered, let adminAPI = world.environment.adminAPI,
            let epoch = watch.epochToLook(at: token, now: world.clock.uptime)
        else { return }
        guard let isTaken = try? await adminAPI.accepts(accessToken: token), epoch == watch.epoch else { return }
        watch.looked(at: .tokenIsTaken)
        guard !isTaken else { return }
        let told = lifetime ?? base.state.session?.lifetime
        var sentence = "the backend refuses the token that \(name) handed out"
        if let told {
            let age = told.life - told.remaining(on: world.clock)
            sentence +=
                ": it is \(age.components.seconds) s old, and its life is told as \(told.life.components.seconds) s (the wrong unit?)"
        }
        watch.found(.tokenIsTaken, sentence)
    }

    private func look(at challenge: Challenge, _ name: String, messagesBefore: Int?) async {
        show(challenge, "the challenge of \(name)")
        guard !isAltered, let times = world.environment.proofTimes, let messagesBefore,
            let after = await world.sentMessages(), after > messagesBefore
        else { return }
        let (life, interval): (Duration?, Duration?)
        switch challenge.channel {
        case .email: (life, interval) = (times.emailLife, times.emailInterval)
        case .sms: (life, interval) = (times.smsLife, times.smsInterval)
        case .authenticatorApp, .backupCode, .passkey: return
        }
        watch.looked(at: .waitsTellTruth)
        let now = world.clock.now
        if let life, let end = challenge.expiresAt, !(end - now).isWithinFiveSeconds(of: life) {
            watch.found(
                .waitsTellTruth,
                "\(name) says that the proof ends in \((end - now).components.seconds) s; at the backend it ends in \(life.components.seconds) s"
            )
        }
        if let interval, let next = challenge.resendAvailableAt, !(next - now).isWithinFiveSeconds(of: interval) {
            watch.found(
                .waitsTellTruth,
                "\(name) says that it can be sent again in \((next - now).components.seconds) s; the backend takes it after \(interval.components.seconds) s"
            )
        }
    }

    private func look(at error: AuthError, _ name: String) {
        watch.looked(at: .secretsStayInside)
        let parts: [(String, String)] = [
            ("its message", error.message), ("the provider's code", error.provider?.code ?? ""),
            ("the provider's message", error.provider?.message ?? ""),
            ("the provider's body", error.provider?.body?.text() ?? ""),
            ("its reasons", error.reasons.joined(separator: " ")),
            ("what it says is completed", error.completed.joined(separator: " ")),
            ("its reflection", Self.reflections(of: error)),
        ]
        for (part, text) in parts {
            let secrets = watch.secrets(in: text)
            guard !secrets.isEmpty else { continue }
            for secret in secrets {
                watch.found(.secretsStayInside, "\(secret) is in the error of \(name), in \(part)\(lastExchange)")
            }
            return
        }
    }

    private func show(_ value: some Any, _ what: String) {
        watch.looked(at: .secretsStayInside)
        for secret in watch.secrets(in: Self.reflections(of: value)) {
            watch.found(.secretsStayInside, "\(secret) is in \(what), in its reflection\(lastExchange)")
        }
    }

    private static func reflections(of value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text + String(describing: value) + String(reflecting: value)
    }

    /// The newest exchange, for findings: where the secret came by, as far as that can be told.
    private var lastExchange: String {
        guard let last = world.events.all.last(where: { $0.name == .requestBegan }) else { return "" }
        return ", after \(last[.method] ?? "") \(last[.route] ?? "")"
    }

    // MARK: Calls

    @discardableResult
    func restore() async -> AuthState {
        let state = (try? await call("restore") { () async throws(AuthError) in await base.restore() }) ?? base.state
        // What is in the store was brought by a sign-in of another run.
        if let session = state.session { trail.note(session.user.id) }
        return state
    }

    func signUp<C: Credential>(with credential: C, displayName: String?) async throws(AuthError) -> SignInStep {
        keep(credential)
        return try await call("signUp", .enters(credential.address)) { () async throws(AuthError) in
            try await base.signUp(with: credential, displayName: displayName)
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
        case .link(let url): watch.keep(Secret(url), "a link")
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
        watch.sessionsMayEnd()
        let outcome = await TraceContext.$current.withValue(watch.nextTrace()) { await base.handle(url) }
        watch.sessionsMayEnd()
        switch outcome {
        case .step(let step):
            watch.keep(Secret(url), "a link")
            if let session = step.session { await look(at: session, "handle", .enters(nil)) }
        case .refused(let error):
            if error.code == .timedOut || error.code == .cancelled { trail.open() }
            look(at: error, "handle")
        case .notOurs: break
        }
        return outcome
    }

    func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep {
        try await call("requestPasswordReset") { () async throws(AuthError) in try await base.requestPasswordReset(email: email) }
    }

    func accessToken() async throws(AuthError) -> Secret {
        try await call("accessToken") { () async throws(AuthError) in try await base.accessToken() }
    }

    func session(requiring requirement: SessionRequirement) async throws(AuthError) -> Session {
        try await call("session") { () async throws(AuthError) in try await base.session(requiring: requirement) }
    }

    func authorized(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<[UInt8]>
    ) async throws -> AppResponse<[UInt8]> {
        try await TraceContext.$current.withValue(watch.nextTrace()) { try await base.authorized(request, by: send) }
    }

    func refreshUser() async throws(AuthError) -> User {
        try await call("refreshUser") { () async throws(AuthError) in try await base.refreshUser() }
    }

    func signOut(_ scope: SignOutScope, discardingGuest: Bool) async throws(AuthError) {
        try await call("signOut", .ends) { () async throws(AuthError) in
            try await base.signOut(scope, discardingGuest: discardingGuest)
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
        return try await call("account.link", .enters(nil)) { () async throws(AuthError) in try await base.link(credential) }
    }

    func unlink(_ identity: Identity) async throws(AuthError) {
        try await call("account.unlink", .ends) { () async throws(AuthError) in try await base.unlink(identity) }
    }

    func factors() async throws(AuthError) -> [FactorChoice] {
        try await call("account.factors.all", .ends) { () async throws(AuthError) in try await base.factors() }
    }

    func removeFactor(_ factor: FactorChoice) async throws(AuthError) {
        try await call("account.factors.remove", .ends) { () async throws(AuthError) in try await base.removeFactor(factor) }
    }

    func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        try await call("account.factors.add", .ends) { () async throws(AuthError) in try await base.addFactor(factor) }
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
    /// The address that it names.
    fileprivate var address: String? {
        switch self {
        case let password as PasswordCredential: password.email
        case let link as EmailLinkCredential: link.email
        case let code as EmailCodeCredential: code.email
        default: nil
        }
    }
}

extension String {
    fileprivate var trimmedSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension Duration {
    fileprivate func isWithinFiveSeconds(of other: Duration) -> Bool {
        let difference = self - other
        return difference >= .seconds(-5) && difference <= .seconds(5)
    }
}
