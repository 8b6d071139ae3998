public import Lockstep
public import Observation

/// The sign-up screen.
///
/// An anonymous user who signs up keeps the user id.
///
/// ```swift
/// let model = SignUpModel(auth)
/// model.email = "ada@example.com"
/// model.password = "correct horse battery staple"
/// await model.submit()                         // most often, `auth.screen` now asks for a code or a link
/// ```
@MainActor @Observable
public final class SignUpModel {
    /// The current activity and the problems of the form.
    public let form: FormState
    /// The email address belongs to another account.
    ///
    /// An anonymous user can sign in there; see ``AnonymousUserModel``.
    public private(set) var conflict: IdentityConflictStep?
    /// The email address.
    public var email: String { didSet { form.edited(.email) } }
    /// The display name.
    public var displayName = "" { didSet { form.edited(.displayName) } }

    private var typed: Secret = ""
    private let context: ModelContext
    private let advice: PasswordAdvice?
    private let generateName: (@Sendable (any Randomness) -> String)?

    /// Creates a sign-up screen.
    ///
    /// - Parameters:
    ///   - auth: The app's model.
    ///   - generateName: Suggests a display name, which fills the field. Default: no suggestion.
    public init(_ auth: AuthModel, generateName: (@Sendable (any Randomness) -> String)? = nil) {
        context = ModelContext(auth)
        form = context.form()
        advice = auth.passwordAdvice
        email = auth.email
        self.generateName = generateName
        if offersName { suggestName() }
    }

    /// The password, as the user types it.
    public var password: String {
        get { typed.reveal() }
        set {
            typed = Secret(newValue)
            form.edited(.password)
        }
    }

    /// The strength of the password; `nil` if there is no meter or if the field is empty.
    public var strength: PasswordStrength? { advice.strength(of: typed, weakWords: [email, displayName]) }

    // MARK: What to offer

    /// Whether the provider supports sign-up with a password.
    public var isOffered: Bool { context.waysToSignUp.contains(.password) }
    /// Whether the provider stores a display name.
    public var offersName: Bool { context.offers(.displayName) }
    /// Whether another name can be suggested.
    public var canSuggestName: Bool { offersName && generateName != nil }
    /// The fields of the form, in order.
    public var fields: [FormField] { (offersName ? [.displayName] : []) + [.email, .password] }

    /// Whether the form can be sent, and the password satisfies the app's minimum strength if there is one.
    public var canSubmit: Bool {
        !form.isBusy && isOffered && advice.allows(strength)
            && (try? PasswordCredential(email: email, password: typed).normalized()) != nil
    }

    // MARK: What the user does

    /// Suggests another name.
    public func suggestName() {
        if let generateName { displayName = generateName(context.client.effects.randomness) }
    }

    /// Checks a field after the user left it.
    ///
    /// A problem is shown in ``form``; nothing is sent.
    ///
    /// - Parameter field: The field.
    public func check(_ field: FormField) { form.check(field, field == .email ? email : password, in: fields) }

    /// Creates the account.
    ///
    /// The next screen is usually ``Step/verify(_:)``.
    public func submit() async {
        guard advice.allows(strength) else { return form.show(weakerThan: advice?.minimum, in: fields) }
        context.auth?.email = email
        let (client, credential) = (context.client, PasswordCredential(email: email, password: typed))
        let name = offersName ? displayName : nil
        conflict = nil
        await form.run(.signingUp, fields.map { ($0, isBlank($0)) }) { () async throws(AuthError) in
            let step = try await client.signUp(with: credential, displayName: name)
            if case .identityConflict(let conflict) = step { self.conflict = conflict }
            self.typed = ""
        }
    }

    private func isBlank(_ field: FormField) -> Bool {
        switch field {
        case .email: email.isEmpty
        case .password: typed.isEmpty
        // An account may be without a name.
        default: false
        }
    }
}
