public import Lockstep

/// A field of a form, by its stable name.
///
/// The set is open: a provider may ask for fields that this version does not name (``MissingFieldsStep/Field``).
public struct FormField: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// A field by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// A field that a provider asks for.
    public init(_ field: MissingFieldsStep.Field) { rawValue = field.rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// The e-mail address.
    public static let email = FormField("email")
    /// The password of an account that exists, or of the one that is made.
    public static let password = FormField("password")
    /// The password that takes another one's place.
    public static let newPassword = FormField("newPassword")
    /// The password until now.
    public static let currentPassword = FormField("currentPassword")
    /// The code of a message, of an authenticator app, or from a list of backup codes.
    public static let code = FormField("code")
    /// The phone number.
    public static let phone = FormField("phone")
    /// The name to show.
    public static let displayName = FormField("displayName")
    /// The address of a photo.
    public static let photoURL = FormField("photoURL")

    /// Whether what is typed must not be shown.
    public var isSecret: Bool { [.password, .newPassword, .currentPassword].contains(self) }

    /// Every field that this version names.
    public static let all: [FormField] = [
        .email, .password, .newPassword, .currentPassword, .code, .phone, .displayName, .photoURL,
    ]
}

/// An error where a screen shows it: beside a field, or for the whole form.
public struct FormProblem: Sendable {
    /// The error, with its code, the advice on retries, and the remedies.
    public let error: AuthError
    /// The field that it stands beside; `nil` where it is the form's.
    public let field: FormField?
    /// The strength that the app asks for, where a password has less and was not sent.
    public let minimum: PasswordStrength.Score?
    /// Whether the form asks for an address or a number, which may be what is wrong.
    private let asksForAddress: Bool

    /// The code of the error.
    public var code: AuthError.Code { error.code }

    /// The sentence for the user: by its code, and never the provider's own text.
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
    /// A form shows the error beside the first of them that it has, and for the whole form where it has none.
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
