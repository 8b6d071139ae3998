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
