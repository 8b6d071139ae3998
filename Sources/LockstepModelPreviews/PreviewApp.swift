internal import Lockstep
internal import LockstepInMemory
@_exported public import LockstepModels

/// An app that shows the screen of a preview.
@MainActor
public final class PreviewApp {
    /// The app's model.
    public let auth: AuthModel
    /// The model of the form on the screen; `nil` if the screen shows a step of a flow (``AuthModel/step``).
    public internal(set) var form: Form?

    /// The model of a screen with a form.
    public enum Form {
        /// The model of the sign-in screen.
        case signIn(SignInModel)
        /// The model of the sign-up screen.
        case signUp(SignUpModel)
        /// The model of the screen for a forgotten password.
        case passwordReset(PasswordResetModel)
        /// The model of the account screen.
        case account(AccountModel)
        /// The model of the screen that deletes the account.
        case deletion(DeletionModel)
        /// The model of the screens for an anonymous user.
        case anonymous(AnonymousUserModel)
        /// The model of a gate in front of a feature.
        case gate(FeatureGate)
    }

    let backend: InMemoryBackend
    let store: any SessionStore
    static let email = "ada@example.com"
    static let password = "Correct-Horse-1"

    init(
        _ settings: InMemorySettings, _ effects: ClientEffects, store: (any SessionStore)? = nil,
        minimum: PasswordStrength.Score? = nil
    ) {
        let store = store ?? MemorySessionStore(clock: effects.clock)
        backend = InMemoryBackend(settings, clock: effects.clock, randomness: effects.randomness)
        self.store = store
        auth = AuthModel(
            AuthClient(adapter: InMemoryAdapter(backend: backend, clock: effects.clock), store: store, effects: effects),
            passwordAdvice: PasswordAdvice(LengthMeter(), minimum: minimum))
    }

    // MARK: Ways to a state

    /// Creates the user that the previews show.
    @discardableResult
    func enrol() async -> String {
        await backend.create(email: Self.email, password: Secret(Self.password), displayName: "Ada Lovelace")
    }

    func signedOut() async -> SignInModel {
        await auth.restore()
        let model = SignInModel(auth, identityProviders: [.apple, .google])
        model.email = Self.email
        form = .signIn(model)
        return model
    }

    @discardableResult
    func signIn(password: String = PreviewApp.password) async -> SignInModel {
        let model = await signedOut()
        model.password = password
        await model.submit()
        return model
    }

    func signUp() async {
        await auth.restore()
        let model = SignUpModel(auth)
        model.email = Self.email
        model.displayName = "Ada Lovelace"
        model.password = Self.password
        await model.submit()
    }

    func resetPassword() async {
        await enrol()
        await auth.restore()
        let model = PasswordResetModel(auth)
        model.email = Self.email
        form = .passwordReset(model)
        await model.submit()
    }

    func anonymousUser() async -> AnonymousUserModel {
        await auth.restore()
        await SignInModel(auth).signInAnonymously()
        let model = AnonymousUserModel(auth, identityProviders: [.apple])
        form = .anonymous(model)
        return model
    }

    func stand(before gate: FeatureGate) async {
        form = .gate(gate)
        Task { await gate.enter { _ in } }
        while !gate.isWaiting { await Task.yield() }
    }

    /// Starts a call that hangs, because the backend does not respond.
    func hang(_ form: FormState, _ call: @escaping @MainActor () async -> Void) async {
        await backend.inject(.hang)
        Task { await call() }
        while !form.isBusy { await Task.yield() }
    }

    /// Signs another person in with an identity, so that the identity is taken.
    func takeIdentity() async {
        let effects = auth.client.effects
        let other = AuthModel(
            AuthClient(
                adapter: InMemoryAdapter(backend: backend, clock: effects.clock), store: MemorySessionStore(clock: effects.clock),
                effects: effects))
        await other.restore()
        let model = SignInModel(other)
        let request = model.identityRequest(.apple)
        let token = await backend.issue(person(nonce: request.hashedNonce))
        await model.submit(IdentityAnswer(to: request, token: token))
    }

    /// Approves the current web page as that person.
    func approve() async {
        guard case .browser(let model)? = auth.step, let page = model.page,
            let url = try? await backend.consent(to: page, as: person())
        else { return }
        await auth.handle(url)
    }

    private func person(nonce: String? = nil) -> InMemoryIDToken {
        InMemoryIDToken(subject: "grace", nonce: nonce, name: "Grace Hopper", expiresAt: .distantFuture)
    }

    func member() async -> AccountModel {
        await enrol()
        await signIn()
        let model = AccountModel(auth, identityProviders: [.apple])
        form = .account(model)
        return model
    }
}

/// Estimates a password by its length alone, so that a preview shows an estimate.
///
/// An app uses a real meter.
private struct LengthMeter: PasswordStrengthMeter {
    func strength(of password: Secret, weakWords: [String]) -> PasswordStrength {
        let score = PasswordStrength.Score(rawValue: min(password.reveal().count / 4, 4)) ?? .strong
        return score < .good ? PasswordStrength(score, reason: .short, suggestion: .makeLonger) : PasswordStrength(score)
    }
}
