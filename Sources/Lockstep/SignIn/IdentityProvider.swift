/// Source of an identity: an OAuth provider, e-mail, or phone.
public struct IdentityProvider: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The lower-case name that most backends use: `apple`, `google`.
    public let rawValue: String

    /// A provider by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// Sign in with Apple.
    public static let apple = IdentityProvider(rawValue: "apple")
    /// Google.
    public static let google = IdentityProvider(rawValue: "google")
    /// GitHub.
    public static let github = IdentityProvider(rawValue: "github")
    /// E-mail, as the provider of an identity that a user has by address.
    public static let email = IdentityProvider(rawValue: "email")
    /// Phone, as the provider of an identity that a user has by number.
    public static let phone = IdentityProvider(rawValue: "phone")
}
