public import LockstepPrimitives

/// A user of a server's tests, as an access token tells of one.
///
/// What a backend's tokens do not say is left out of them: Clerk's name no address, Firebase's and GoTrue's no organization.
public struct TestUser: Sendable {
    /// The user's id.
    public var id: String
    /// The user's address.
    public var email: String?
    /// Whether the backend has proof of the address.
    public var isEmailVerified = false
    /// The user's number.
    public var phone: String?
    /// Whether the user is a guest.
    public var isAnonymous = false
    /// Whether the session was entered with a second factor.
    public var hasSecondFactor = false
    /// The organization that is active in the session.
    public var organizationID: String?
    /// The administrator who acts as the user.
    public var actorID: String?
    /// How long ago the user signed in.
    public var signInAge: Duration = .zero
    /// Further claims, such as those that a hook, an administrator or a template adds; they replace claims of the backend.
    public var claims: JSONObject = [:]

    /// A user with an id, and perhaps an address.
    public init(_ id: String, email: String? = nil) {
        self.id = id
        self.email = email
    }
}
