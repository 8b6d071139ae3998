public import Lockstep

/// A field of a form, identified by its stable name.
///
/// A provider may require fields that this version does not name (``MissingFieldsStep/Field``).
public struct FormField: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// Creates a field from its name.
    ///
    /// - Parameter rawValue: The stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// Creates the field that a provider requires.
    ///
    /// - Parameter field: The required field.
    public init(_ field: MissingFieldsStep.Field) { rawValue = field.rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// The email address.
    public static let email = FormField("email")
    /// The password of an existing or a new account.
    public static let password = FormField("password")
    /// The new password that replaces the current one.
    public static let newPassword = FormField("newPassword")
    /// The current password.
    public static let currentPassword = FormField("currentPassword")
    /// A code from a message, an authenticator app, or a list of backup codes.
    public static let code = FormField("code")
    /// The phone number.
    public static let phone = FormField("phone")
    /// The display name.
    public static let displayName = FormField("displayName")
    /// The URL of a photo.
    public static let photoURL = FormField("photoURL")

    /// Whether the text must not be shown.
    public var isSecret: Bool { [.password, .newPassword, .currentPassword].contains(self) }

    /// Every field that this version names.
    public static let all: [FormField] = [
        .email, .password, .newPassword, .currentPassword, .code, .phone, .displayName, .photoURL,
    ]
}

/// An error and its place on a screen: next to a field, or for the whole form.
public struct FormProblem: Sendable {
    /// The error, with its code, the retry advice and the remedies.
    public let error: AuthError
    /// The field to show the error next to; `nil` if it is for the whole form.
    public let field: FormField?
    /// The app's minimum strength, if the password is weaker and was not sent.
    public let minimum: PasswordStrength.Score?
    /// Whether the form asks for an address or a number, which may be what is wrong.
    private let asksForAddress: Bool

    /// The code of the error.
    public var code: AuthError.Code { error.code }

    /// Returns the sentence for the user.
    ///
    /// It depends on the code and never contains the provider's own text.
    ///
    /// - Parameter words: The app's texts. Default: English.
    /// - Returns: The sentence.
    public func text(in words: AuthStrings = .english) -> String {
        if let minimum { return words.sentence(forMinimum: minimum) }
        return switch (error.code, field) {
        case (.invalidInput, _?): words("error.invalidInput.blank")
        case (.invalidCredentials, .currentPassword?): words("error.invalidCredentials.currentPassword")
        case (.invalidCredentials, .password?) where !asksForAddress: words("error.invalidCredentials.currentPassword")
        case (.userNotFound, let field?) where FormField.phones.contains(field): words("error.userNotFound.phone")
        default: words.sentence(for: error)
        }
    }
}

extension AuthError.Code {
    /// The fields that the code is about, the most exact first: the only table of it.
    ///
    /// A form shows the error beside the first of them that it has, and for the whole form if it has none.
    fileprivate var fields: [FormField] {
        switch self {
        case .invalidEmail, .emailAlreadyInUse: FormField.emails
        case .invalidPhone, .phoneAlreadyInUse: FormField.phones
        case .userNotFound: FormField.emails + FormField.phones
        case .weakPassword, .samePassword: [.newPassword, .password]
        case .invalidCredentials: [.currentPassword, .password]
        case .invalidCode, .codeExpired, .codeUsed: [.code]
        default: []
        }
    }
}

extension FormField {
    /// The address, by its own name and by the one that a provider asks for it by.
    fileprivate static let emails: [FormField] = [.email, FormField(MissingFieldsStep.Field.emailAddress)]
    /// The number, likewise.
    fileprivate static let phones: [FormField] = [.phone, FormField(MissingFieldsStep.Field.phone)]
}

extension FormProblem {
    /// Places an error in a form.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - fields: The fields that the user sees, in their order.
    ///   - blank: Those of them in which nothing stands: what the client refuses as `invalidInput` is the first of them.
    init(_ error: AuthError, in fields: [FormField], blank: [FormField]) {
        self.error = error
        minimum = nil
        asksForAddress = fields.contains(where: (FormField.emails + FormField.phones).contains)
        field =
            error.code == .invalidInput ? fields.first(where: blank.contains) : error.code.fields.first(where: fields.contains)
    }

    /// A password that is weaker than the app allows; nothing was sent.
    init(weakerThan minimum: PasswordStrength.Score?, in fields: [FormField]) {
        error = AuthError(
            .weakPassword, "This password is weaker than PasswordAdvice.minimum allows, and was not sent.",
            remedies: [.choosePassword])
        self.minimum = minimum
        asksForAddress = false
        field = error.code.fields.first(where: fields.contains)
    }
}
