/// A sign-in with a link that is sent to an email address.
public struct EmailLinkCredential: Credential {
    /// The email address.
    public var email: String
    /// Whether an unknown email address may become a new account, if the provider supports this choice.
    public var createsAccount: Bool

    /// Creates a credential.
    ///
    /// Nothing is checked yet.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - createsAccount: Whether an unknown email address may become a new account. Default: `true`.
    public init(email: String, createsAccount: Bool = true) {
        self.email = email
        self.createsAccount = createsAccount
    }

    /// The capability `emailLinkSignIn`.
    public static var capability: Capability { .emailLinkSignIn }

    /// The email address.
    public var identifier: String? { email }

    /// Trims and checks the email address.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidEmail`.
    public func normalized() throws(AuthError) -> EmailLinkCredential {
        EmailLinkCredential(email: try EmailAddress(email).text, createsAccount: createsAccount)
    }
}

extension Credential where Self == EmailLinkCredential {
    /// A sign-in with a link by email.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - createsAccount: Whether an unknown email address may become a new account. Default: `true`.
    /// - Returns: The credential.
    public static func emailLink(_ email: String, createsAccount: Bool = true) -> EmailLinkCredential {
        EmailLinkCredential(email: email, createsAccount: createsAccount)
    }
}

/// A sign-in with a code that is sent to an email address.
public struct EmailCodeCredential: Credential {
    /// The email address.
    public var email: String
    /// Whether an unknown email address may become a new account, if the provider supports this choice.
    public var createsAccount: Bool

    /// Creates a credential.
    ///
    /// Nothing is checked yet.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - createsAccount: Whether an unknown email address may become a new account. Default: `true`.
    public init(email: String, createsAccount: Bool = true) {
        self.email = email
        self.createsAccount = createsAccount
    }

    /// The capability `emailCodeSignIn`.
    public static var capability: Capability { .emailCodeSignIn }

    /// The email address.
    public var identifier: String? { email }

    /// Trims and checks the email address.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidEmail`.
    public func normalized() throws(AuthError) -> EmailCodeCredential {
        EmailCodeCredential(email: try EmailAddress(email).text, createsAccount: createsAccount)
    }
}

extension Credential where Self == EmailCodeCredential {
    /// A sign-in with a code by email.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - createsAccount: Whether an unknown email address may become a new account. Default: `true`.
    /// - Returns: The credential.
    public static func emailCode(_ email: String, createsAccount: Bool = true) -> EmailCodeCredential {
        EmailCodeCredential(email: email, createsAccount: createsAccount)
    }
}

/// A sign-in with a code that is sent to a phone number.
public struct PhoneCodeCredential: Credential {
    /// The phone number in E.164 form: `+`, the country code and the number, digits only.
    public var phone: String

    /// Creates a credential.
    ///
    /// Nothing is checked yet.
    ///
    /// - Parameter phone: The phone number.
    public init(phone: String) {
        self.phone = phone
    }

    /// The capability `phoneCode`.
    public static var capability: Capability { .phoneCode }

    /// The phone number.
    public var identifier: String? { phone }

    /// Normalizes the phone number to E.164 form, by the rules of ``PhoneNumber``.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidPhone` if the number has no country code or is not a number.
    public func normalized() throws(AuthError) -> PhoneCodeCredential {
        PhoneCodeCredential(phone: try PhoneNumber(phone).text)
    }

    /// Returns the number with all but its last four digits hidden, for screens and messages.
    ///
    /// - Parameter phone: The phone number.
    /// - Returns: The masked number.
    public static func masked(_ phone: String) -> String { "+•••" + phone.suffix(4) }
}

extension Credential where Self == PhoneCodeCredential {
    /// A sign-in with a code by SMS.
    ///
    /// - Parameter phone: The phone number.
    /// - Returns: The credential.
    public static func phoneCode(_ phone: String) -> PhoneCodeCredential { PhoneCodeCredential(phone: phone) }
}
