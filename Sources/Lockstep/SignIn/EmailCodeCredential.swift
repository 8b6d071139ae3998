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
