public import Lockstep
public import Observation

/// The model of the sign-up screen.
///
/// If an anonymous user signs up, the user id stays the same.
///
/// ```swift
/// let model = SignUpModel(auth)
/// model.email = "ada@example.com"
/// model.password = "correct horse battery staple"
/// await model.submit()                         // most often, `auth.screen` now asks for a code or a link
/// ```
@MainActor @Observable
public final class SignUpModel {
    /// The current activity of the form, and its problems.
    public let form: FormState
    /// The conflict if the email address belongs to another account; `nil` if there is no conflict.
    ///
    /// An anonymous user can sign in to that account; see ``AnonymousUserModel``.
    public private(set) var conflict: IdentityConflictStep?
    /// The text in the field for the email address.
    public var email: String { didSet { form.edited(.email) } }
    /// The text in the field for the display name.
    public var displayName = "" { didSet { form.edited(.displayName) } }

    private var typed: Secret = ""
    private let context: ModelContext
    private let advice: PasswordAdvice?
    private let generateName: (@Sendable (any Randomness) -> String)?

    /// Creates the model of a sign-up screen.
    ///
    /// - Parameters:
    ///   - auth: The app's model.
    ///   - generateName: A function that suggests a display name for the field. Default: no suggestion.
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

    /// The strength of the password; `nil` if the app has no meter or the field is empty.
    public var strength: PasswordStrength? { advice.strength(of: typed, weakWords: [email, displayName]) }

    // MARK: Offers

    /// Whether the provider supports a sign-up with a password.
    public var isOffered: Bool { context.signUpMethods.contains(.password) }
    /// Whether the form has a field for the display name, because the provider stores display names.
    public var offersName: Bool { context.offers(.displayName) }
    /// Whether the screen shows a button that suggests another name.
    public var canSuggestName: Bool { offersName && generateName != nil }
    /// The fields of the form, in order.
    public var fields: [FormField] { (offersName ? [.displayName] : []) + [.email, .password] }

    /// Whether the button that sends the form can be enabled.
    ///
    /// If the app has a minimum strength, the password must satisfy it.
    public var canSubmit: Bool {
        !form.isBusy && isOffered && advice.allows(strength)
            && (try? PasswordCredential(email: email, password: typed).normalized()) != nil
    }

    // MARK: User actions

    /// Replaces the display name with another suggestion.
    public func suggestName() {
        if let generateName { displayName = generateName(context.client.effects.randomness) }
    }

    /// Checks a field after the user left it.
    ///
    /// If the text is invalid, ``form`` contains the problem. The check sends no request.
    ///
    /// - Parameter field: The field.
    public func check(_ field: FormField) { form.check(field, field == .email ? email : password, in: fields) }

    /// Creates the account; the next screen is usually ``Step/verify(_:)``.
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
        // The display name of an account may be empty.
        default: false
        }
    }
}
