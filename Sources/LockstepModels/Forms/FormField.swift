public import Lockstep

/// A field of a form, identified by a stable name.
///
/// A provider may require fields that this version does not define (``MissingFieldsStep/Field``).
///
/// ```swift
/// for field in model.fields { print(field.rawValue, field.isSecret) }
/// ```
public struct FormField: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// Creates a field from its name.
    ///
    /// - Parameter rawValue: The stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// Creates a field from a field that a provider requires.
    ///
    /// - Parameter field: The field that the provider requires.
    public init(_ field: MissingFieldsStep.Field) { rawValue = field.rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// The field for the email address.
    public static let email = FormField("email")
    /// The field for the password of an existing or a new account.
    public static let password = FormField("password")
    /// The field for the new password that replaces the current one.
    public static let newPassword = FormField("newPassword")
    /// The field for the current password.
    public static let currentPassword = FormField("currentPassword")
    /// The field for a code from a message, an authenticator app, or a list of backup codes.
    public static let code = FormField("code")
    /// The field for the phone number.
    public static let phone = FormField("phone")
    /// The field for the display name.
    public static let displayName = FormField("displayName")
    /// The field for the URL of a photo.
    public static let photoURL = FormField("photoURL")

    /// Whether a screen must hide the text in the field, like a password.
    public var isSecret: Bool { [.password, .newPassword, .currentPassword].contains(self) }

    /// All fields that this version defines.
    public static let all: [FormField] = [
        .email, .password, .newPassword, .currentPassword, .code, .phone, .displayName, .photoURL,
    ]
}

/// An error, together with its place on a screen: next to a field, or for the whole form.
///
/// ```swift
/// if let problem = model.form.problem(for: .email) { print(problem.text()) }
/// ```
public struct FormProblem: Sendable {
    /// The error of the client.
    public let error: AuthError
    /// The field next to which the screen shows the error; `nil` if the error is about the whole form.
    public let field: FormField?
    /// The app's minimum strength, if the form rejected a weaker password; `nil` for every other problem.
    public let minimum: PasswordStrength.Score?
    /// Whether the form has a field for an address or a number, which may be the reason for the error.
    private let asksForAddress: Bool

    /// The code of the error.
    public var code: AuthError.Code { error.code }

    /// Returns the sentence for the user.
    ///
    /// The sentence depends on the error's code, and never contains the provider's own text.
    ///
    /// - Parameter words: The sentences of the app. Default: English.
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
    /// The fields that the code is about, the most specific one first.
    ///
    /// Only this table assigns errors to fields.
    ///
    /// A form shows the error next to the first of these fields that it has, or for the whole form if it has none of
    /// them.
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
    /// The field for the email address, under its own name and under the name that a provider uses for it.
    fileprivate static let emails: [FormField] = [.email, FormField(MissingFieldsStep.Field.emailAddress)]
    /// The field for the phone number, under both names.
    fileprivate static let phones: [FormField] = [.phone, FormField(MissingFieldsStep.Field.phone)]
}

extension FormProblem {
    /// Finds the place of an error in a form.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - fields: The fields that the user sees, in order.
    ///   - blank: The blank fields. If the client returns `invalidInput`, the error belongs to the first of them.
    init(_ error: AuthError, in fields: [FormField], blank: [FormField]) {
        self.error = error
        minimum = nil
        asksForAddress = fields.contains(where: (FormField.emails + FormField.phones).contains)
        field =
            error.code == .invalidInput ? fields.first(where: blank.contains) : error.code.fields.first(where: fields.contains)
    }

    /// Creates the problem for a password that is weaker than the app allows.
    ///
    /// The form sent no request.
    init(weakerThan minimum: PasswordStrength.Score?, in fields: [FormField]) {
        error = AuthError(
            .weakPassword, "This password is weaker than PasswordAdvice.minimum allows, and was not sent.",
            remedies: [.choosePassword])
        self.minimum = minimum
        asksForAddress = false
        field = error.code.fields.first(where: fields.contains)
    }
}
