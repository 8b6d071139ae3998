public import LockstepPrimitives

/// E-mail address and password.
public struct PasswordCredential: Credential {
    /// The address.
    public var email: String
    /// The password, byte for byte as the user typed it.
    public var password: Secret

    /// Address and password, not yet checked.
    public init(email: String, password: Secret) {
        self.email = email
        self.password = password
    }

    /// Address and password, not yet checked; the password is wrapped at once.
    public init(email: String, password: String) {
        self.init(email: email, password: Secret(password))
    }

    /// The capability `password`.
    public static var capability: Capability { .password }

    /// The address.
    public var identifier: String? { email }

    /// The address trimmed, the password as it is: its strength is the backend's business, and only where one is set.
    public func normalized() throws(AuthError) -> PasswordCredential {
        guard !password.isEmpty else {
            throw AuthError(.invalidInput, "The password is empty. Ask the user for one before calling.")
        }
        return PasswordCredential(email: try EmailAddress(email).text, password: password)
    }
}

extension Credential where Self == PasswordCredential {
    /// E-mail address and password.
    public static func password(email: String, password: Secret) -> PasswordCredential {
        PasswordCredential(email: email, password: password)
    }

    /// E-mail address and password, which is wrapped at once.
    public static func password(email: String, password: String) -> PasswordCredential {
        PasswordCredential(email: email, password: Secret(password))
    }
}
