public import LockstepPrimitives

/// A user for the tests of a server, with the values that an access token can contain.
///
/// A token contains only values that the real tokens of its backend contain. For example, Clerk's tokens contain no
/// email address, and the tokens of Firebase and GoTrue contain no organization.
///
/// ```swift
/// var user = TestUser("user-1", email: "ada@example.com")
/// user.hasSecondFactor = true
/// user.claims = ["role": "editor"]
/// ```
public struct TestUser: Sendable {
    /// The user's id.
    public var id: String
    /// The user's email address.
    public var email: String?
    /// Whether the backend has verified the email address.
    public var isEmailVerified = true
    /// The user's phone number.
    public var phone: String?
    /// Whether the user is anonymous.
    public var isAnonymous = false
    /// Whether the user signed in with a second factor.
    public var hasSecondFactor = false
    /// The session's active organization.
    public var organizationID: String?
    /// The id of the administrator who signed in as this user; `nil` if the user signed in.
    public var actorID: String?
    /// The time since the user signed in.
    public var signInAge: Duration = .zero
    /// Further claims, for example claims that a hook, an administrator or a template adds.
    ///
    /// If the backend has a claim with the same name, the further claim replaces it.
    public var claims: JSONObject = [:]

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - email: The user's email address. Default: none.
    public init(_ id: String, email: String? = nil) {
        self.id = id
        self.email = email
    }
}
