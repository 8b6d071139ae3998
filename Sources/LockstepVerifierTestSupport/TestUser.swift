public import LockstepPrimitives

/// A user in a server's tests, as an access token describes one.
///
/// Values that the backend's real tokens do not contain are left out. Clerk's tokens contain no email address, and those
/// of Firebase and GoTrue contain no organization.
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
    public var isEmailVerified = false
    /// The user's phone number.
    public var phone: String?
    /// Whether the user is anonymous.
    public var isAnonymous = false
    /// Whether the user signed in with a second factor.
    public var hasSecondFactor = false
    /// The session's active organization.
    public var organizationID: String?
    /// The administrator who signed in as this user.
    public var actorID: String?
    /// The time since the user signed in.
    public var signInAge: Duration = .zero
    /// Further claims, such as those of a hook, an administrator or a template.
    ///
    /// They replace the backend's claims of the same name.
    public var claims: JSONObject = [:]

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - email: The user's email address.
    public init(_ id: String, email: String? = nil) {
        self.id = id
        self.email = email
    }
}
