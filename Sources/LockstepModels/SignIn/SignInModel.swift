public import Lockstep
public import Observation

/// The model of the sign-in screen.
///
/// The screen offers only the ways to sign in that the provider supports. If an anonymous user is signed in, the model
/// adds the new way to sign in to that user, and the user id stays the same.
///
/// ```swift
/// let model = SignInModel(auth, identityProviders: [.apple])
/// model.email = "ada@example.com"
/// model.password = "correct horse battery staple"
/// await model.submit()
/// if let problem = model.form.problem(for: .password) { print(problem.text()) }
/// ```
@MainActor @Observable
public final class SignInModel {
    /// The identity providers that the app has configured, in the order of their buttons.
    public let identityProviders: [IdentityProvider]
    /// The current activity of the form, and its problems.
    public let form: FormState
    /// The conflict if the identity belongs to another account; `nil` if there is no conflict.
    ///
    /// An anonymous user can sign in to that account; see ``AnonymousUserModel``.
    public private(set) var conflict: IdentityConflictStep?
    /// The way to sign in that the form shows, one of ``ways``.
    public var way: Capability
    /// The text in the field for the email address.
    public var email: String { didSet { form.edited(.email) } }
    /// The text in the field for the phone number, in E.164 form.
    public var phone = "" { didSet { form.edited(.phone) } }

    private var typed: Secret = ""
    private let context: ModelContext
    private let discardsAnonymousUser: Bool

    /// Creates the model of a sign-in screen.
    ///
    /// - Parameters:
    ///   - auth: The app's model.
    ///   - identityProviders: The identity providers that the app has configured. Default: none.
    public convenience init(_ auth: AuthModel, identityProviders: [IdentityProvider] = []) {
        self.init(auth, identityProviders: identityProviders, discardingAnonymousUser: false)
    }

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - auth: The app's main model.
    ///   - identityProviders: The identity providers that the app has configured.
    ///   - discardingAnonymousUser: Whether the form signs in to another account, so that an anonymous user is lost.
    ///     Otherwise the form adds the way to sign in to that user.
    init(_ auth: AuthModel, identityProviders: [IdentityProvider], discardingAnonymousUser: Bool) {
        discardsAnonymousUser = discardingAnonymousUser
        self.identityProviders = identityProviders
        context = ModelContext(auth)
        form = context.form()
        email = auth.email
        let taken = auth.client.signInMethods(discardingAnonymousUser: discardingAnonymousUser)
        way = Self.formWays.first(where: taken.contains) ?? .password
    }

    /// The password, as the user types it.
    public var password: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.password)
        }
    }

    // MARK: Offers

    private static let formWays: [Capability] = [.password, .emailCodeSignIn, .emailLinkSignIn, .phoneCode]

    /// The ways to sign in that have a form, the usual one first.
    public var ways: [Capability] { Self.formWays.filter(takes) }
    /// The fields of the form, in order.
    public var fields: [FormField] {
        switch way {
        case .password: [.email, .password]
        case .phoneCode: [.phone]
        default: [.email]
        }
    }
    /// The identity providers with a button that opens the system's dialog; see ``identityRequest(_:)``.
    public var sheetProviders: [IdentityProvider] { takes(.idToken) ? identityProviders : [] }
    /// The identity providers with a button that opens a web page; see ``signIn(with:)``.
    public var pageProviders: [IdentityProvider] { takes(.oauth) ? identityProviders : [] }
    /// Whether the screen shows a button for passkeys.
    public var offersPasskey: Bool { takes(.passkey) }
    /// Whether the screen shows a button to continue without an account.
    ///
    /// The value is `false` if an anonymous user is signed in.
    public var offersAnonymous: Bool { context.offers(.anonymous) && !context.isGuest && !discardsAnonymousUser }
    /// Whether the screen shows a button for a forgotten password.
    public var offersPasswordReset: Bool { context.offers(.passwordReset) }
    /// Whether an anonymous user is signed in.
    ///
    /// If so, the model adds the new way to sign in to that user.
    public var addsToAnonymousUser: Bool { context.isGuest && !discardsAnonymousUser }

    /// Returns whether the user can sign in with a way.
    ///
    /// Not every way can be added to an anonymous user.
    private func takes(_ way: Capability) -> Bool {
        context.signInMethods(discardingAnonymousUser: discardsAnonymousUser).contains(way)
    }

    /// Whether the button that sends the form can be enabled.
    public var canSubmit: Bool {
        guard !form.isBusy, takes(way) else { return false }
        return switch way {
        case .password: (try? PasswordCredential(email: email, password: typed).normalized()) != nil
        case .phoneCode: (try? PhoneCodeCredential(phone: phone).normalized()) != nil
        default: (try? EmailCodeCredential(email: email).normalized()) != nil
        }
    }

    // MARK: User actions

    /// Checks a field after the user left it.
    ///
    /// If the text is invalid, ``form`` contains the problem. The check sends no request.
    ///
    /// - Parameter field: The field.
    public func check(_ field: FormField) {
        let text = field == .email ? email : field == .phone ? phone : password
        form.check(field, text, in: fields)
    }

    /// Signs in with the values of the form.
    public func submit() async {
        context.auth?.email = email
        switch way {
        case .password: await signIn(.signingIn, with: .password(email: email, password: typed), named: way.rawValue)
        case .emailCodeSignIn: await signIn(.sending, with: .emailCode(email), named: way.rawValue)
        case .emailLinkSignIn: await signIn(.sending, with: .emailLink(email), named: way.rawValue)
        default: await signIn(.sending, with: .phoneCode(phone), named: way.rawValue)
        }
    }

    /// Creates a request for the system's dialog of an identity provider.
    ///
    /// Each request has a new nonce.
    ///
    /// - Parameter provider: The identity provider.
    /// - Returns: The request for the dialog.
    public func identityRequest(_ provider: IdentityProvider) -> IdentityRequest {
        IdentityRequest(provider, randomness: AnyRandomness(context.client.effects.randomness))
    }

    /// Signs in with the result of the system's dialog.
    ///
    /// - Parameter answer: The result of the dialog.
    public func submit(_ answer: IdentityAnswer) async {
        await signIn(.signingIn, with: answer.credential, named: "sheet of \(answer.request.provider.rawValue)")
    }

    /// Signs in on the web page of an identity provider; the next screen is ``Step/browser(_:)``.
    ///
    /// - Parameter provider: The identity provider.
    public func signIn(with provider: IdentityProvider) async {
        await signIn(.signingIn, with: .oauth(provider), named: "page of \(provider.rawValue)")
    }

    /// Starts a sign-in with a passkey; the next screen is ``Step/verify(_:)``.
    ///
    /// The model of that screen contains the request for the system's dialog (``VerificationModel/passkeyRequest``).
    public func signInWithPasskey() async { await signIn(.signingIn, with: .passkey, named: "passkey") }

    /// Signs in anonymously.
    public func signInAnonymously() async { await signIn(.signingIn, with: .anonymous, named: "guest") }

    private func signIn<C: Credential>(_ activity: Activity, with credential: C, named name: String) async {
        let client = context.client
        await form.run(activity, fields.map { ($0, isBlank($0)) }, named: name) { () async throws(AuthError) in
            self.conflict = nil
            let step = try await client.signIn(with: credential, discardingAnonymousUser: self.discardsAnonymousUser)
            self.typed = ""
            if case .identityConflict(let conflict) = step { self.conflict = conflict }
        }
    }

    private func isBlank(_ field: FormField) -> Bool {
        switch field {
        case .email: email.isEmpty
        case .phone: phone.isEmpty
        default: typed.isEmpty
        }
    }
}

/// A source of randomness with a concrete type, which the initializer of a nonce needs.
struct AnyRandomness: Randomness {
    private let base: any Randomness

    init(_ base: any Randomness) { self.base = base }

    func bytes(_ count: Int) -> [UInt8] { base.bytes(count) }
}
