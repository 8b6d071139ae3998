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

    /// The sentence for the user: by its code, and never the provider's own text.
    public func text(in words: Words = .english) -> String {
        error.code == .invalidInput && field != nil ? words("error.invalidInput.blank") : words.sentence(for: error)
    }
}

extension AuthError.Code {
    /// The fields that the code is about, the most exact first: the only table of it.
    ///
    /// A form shows the error beside the first of them that it has, and for the whole form where it has none.
    fileprivate var fields: [FormField] {
        switch self {
        case .invalidEmail, .userNotFound, .emailAlreadyInUse: [.email]
        case .invalidPhone, .phoneAlreadyInUse: [.phone]
        case .weakPassword, .samePassword: [.newPassword, .password]
        case .invalidCredentials: [.currentPassword, .password]
        case .invalidCode, .codeExpired, .codeUsed: [.code]
        default: []
        }
    }
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
        if error.code == .invalidInput {
            field = fields.first(where: blank.contains)
        } else if error.code == .invalidEmail, !fields.contains(.email) {
            field = fields.first { $0 == FormField(.emailAddress) }
        } else {
            field = error.code.fields.first(where: fields.contains)
        }
    }
}
