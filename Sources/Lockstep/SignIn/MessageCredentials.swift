/// An e-mail address that gets a link to sign in with.
public struct EmailLinkCredential: Credential {
    /// The address.
    public var email: String
    /// Whether an unknown address may become a new account, where the provider lets the caller choose.
    public var createsAccount: Bool

    /// The address, not yet checked.
    public init(email: String, createsAccount: Bool = true) {
        self.email = email
        self.createsAccount = createsAccount
    }

    /// The capability `emailLinkSignIn`.
    public static var capability: Capability { .emailLinkSignIn }

    /// The address.
    public var identifier: String? { email }

    /// The address trimmed and checked.
    public func normalized() throws(AuthError) -> EmailLinkCredential {
        EmailLinkCredential(email: try EmailAddress(email).text, createsAccount: createsAccount)
    }
}

extension Credential where Self == EmailLinkCredential {
    /// A link by e-mail.
    public static func emailLink(_ email: String, createsAccount: Bool = true) -> EmailLinkCredential {
        EmailLinkCredential(email: email, createsAccount: createsAccount)
    }
}

/// An e-mail address that gets a code to sign in with.
public struct EmailCodeCredential: Credential {
    /// The address.
    public var email: String
    /// Whether an unknown address may become a new account, where the provider lets the caller choose.
    public var createsAccount: Bool

    /// The address, not yet checked.
    public init(email: String, createsAccount: Bool = true) {
        self.email = email
        self.createsAccount = createsAccount
    }

    /// The capability `emailCodeSignIn`.
    public static var capability: Capability { .emailCodeSignIn }

    /// The address.
    public var identifier: String? { email }

    /// The address trimmed and checked.
    public func normalized() throws(AuthError) -> EmailCodeCredential {
        EmailCodeCredential(email: try EmailAddress(email).text, createsAccount: createsAccount)
    }
}

extension Credential where Self == EmailCodeCredential {
    /// A code by e-mail.
    public static func emailCode(_ email: String, createsAccount: Bool = true) -> EmailCodeCredential {
        EmailCodeCredential(email: email, createsAccount: createsAccount)
    }
}

/// A phone number that gets a code to sign in with.
public struct PhoneCodeCredential: Credential {
    /// The number in E.164 form: `+`, country, number, digits only.
    public var phone: String

    /// The number, not yet checked.
    public init(phone: String) {
        self.phone = phone
    }

    /// The capability `phoneCode`.
    public static var capability: Capability { .phoneCode }

    /// The number.
    public var identifier: String? { phone }

    /// Returns the number in E.164 form, by the rule of ``PhoneNumber``.
    ///
    /// - Throws: `invalidPhone` if the number has no country code or is not a number.
    public func normalized() throws(AuthError) -> PhoneCodeCredential {
        PhoneCodeCredential(phone: try PhoneNumber(phone).text)
    }

    /// The number with all but its last four digits hidden, for screens and messages.
    public static func masked(_ phone: String) -> String { "+•••" + phone.suffix(4) }
}

extension Credential where Self == PhoneCodeCredential {
    /// A code by SMS.
    public static func phoneCode(_ phone: String) -> PhoneCodeCredential { PhoneCodeCredential(phone: phone) }
}
