/// The ways to sign in that a project has switched on.
public struct SignInMethods: OptionSet, Sendable {
    /// One bit a way.
    public let rawValue: Int

    /// The ways whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// E-mail address and password.
    public static let password = SignInMethods(rawValue: 1)
    /// A link by e-mail.
    public static let emailLink = SignInMethods(rawValue: 2)
    /// Guests.
    public static let anonymous = SignInMethods(rawValue: 4)
    /// A code by text message.
    public static let phone = SignInMethods(rawValue: 8)
    /// Identity providers (Google, Apple, OpenID Connect, SAML).
    public static let identityProvider = SignInMethods(rawValue: 16)
    /// Everything.
    public static let all: SignInMethods = [.password, .emailLink, .anonymous, .phone, .identityProvider]
}
