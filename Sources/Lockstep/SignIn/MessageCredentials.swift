/// A sign-in with a link that the backend sends by email.
///
/// ```swift
/// let step = try await client.signIn(with: .emailLink("ada@example.com"))
/// print("sent to \(step.challenge?.destination ?? "")")     // the link opens the app: `client.handle(url)`
/// ```
public struct EmailLinkCredential: Credential {
    /// The email address.
    public var email: String
    /// Whether the backend may create an account for an unknown email address.
    ///
    /// If the provider does not support this choice, the value has no effect.
    public var createsAccount: Bool

    /// Creates a credential.
    ///
    /// The value is not checked yet.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - createsAccount: Whether the backend may create an account for an unknown email address. Default: `true`.
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
    ///   - createsAccount: Whether the backend may create an account for an unknown email address. Default: `true`.
    /// - Returns: The credential.
    public static func emailLink(_ email: String, createsAccount: Bool = true) -> EmailLinkCredential {
        EmailLinkCredential(email: email, createsAccount: createsAccount)
    }
}

/// A sign-in with a code that the backend sends by email.
///
/// ```swift
/// let step = try await client.signIn(with: .emailCode("ada@example.com", createsAccount: false))
/// if let flow = step.flow { _ = try await client.respond(to: flow, with: .code("123456")) }
/// ```
public struct EmailCodeCredential: Credential {
    /// The email address.
    public var email: String
    /// Whether the backend may create an account for an unknown email address.
    ///
    /// If the provider does not support this choice, the value has no effect.
    public var createsAccount: Bool

    /// Creates a credential.
    ///
    /// The value is not checked yet.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - createsAccount: Whether the backend may create an account for an unknown email address. Default: `true`.
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
    ///   - createsAccount: Whether the backend may create an account for an unknown email address. Default: `true`.
    /// - Returns: The credential.
    public static func emailCode(_ email: String, createsAccount: Bool = true) -> EmailCodeCredential {
        EmailCodeCredential(email: email, createsAccount: createsAccount)
    }
}

/// A sign-in with a code that the backend sends by SMS.
///
/// ```swift
/// let step = try await client.signIn(with: .phoneCode("+49 151 12345678"))
/// if let flow = step.flow { _ = try await client.respond(to: flow, with: .code("123456")) }
/// ```
public struct PhoneCodeCredential: Credential {
    /// The phone number in E.164 form: a plus sign, the country code and the number, with digits only.
    public var phone: String

    /// Creates a credential.
    ///
    /// The value is not checked yet.
    ///
    /// - Parameter phone: The phone number.
    public init(phone: String) {
        self.phone = phone
    }

    /// The capability `phoneCode`.
    public static var capability: Capability { .phoneCode }

    /// The phone number.
    public var identifier: String? { phone }

    /// Normalizes the phone number to E.164 form, with the rules of ``PhoneNumber``.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidPhone` if the text has no country code or is not a phone number.
    public func normalized() throws(AuthError) -> PhoneCodeCredential {
        PhoneCodeCredential(phone: try PhoneNumber(phone).text)
    }

    /// Returns a phone number with all but its last four digits hidden, for screens and messages.
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
