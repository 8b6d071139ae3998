public import Lockstep
public import LockstepPrimitives

/// The administrator's API of the backend, past the adapter: its answers are the stored truth.
///
/// An operation that a backend lacks throws a ``EnvironmentError``; anything else that is thrown has failed the run.
public protocol AdminAPI: Sendable {
    /// All users.
    func users() async throws -> [StoredUser]

    /// Makes a user who can sign in by password.
    ///
    /// - Returns: the user's id, the same that the adapter reports.
    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String

    /// Gives a user another name.
    func rename(_ userID: String, to displayName: String) async throws

    /// Disables a user: sign-in is refused from now on.
    func disable(_ userID: String) async throws

    /// Deletes a user.
    func delete(_ userID: String) async throws

    /// Ends every session of a user.
    func endSessions(of userID: String) async throws

    /// Gives a user another password.
    func setPassword(_ password: String, of userID: String) async throws

    /// Switches a method off in the project's settings: `password`, `anonymous`, `idToken`, `emailLinkSignIn`…
    func switchOff(_ capability: Capability) async throws

    /// Whether the backend itself takes this access token of a session now.
    ///
    /// Checked by a request for a resource of the user, and not by reading the token.
    func accepts(accessToken: Secret) async throws -> Bool

    /// Whether the backend would give a new access token for this refresh token now. It may use the token up.
    func accepts(refreshToken: Secret) async throws -> Bool
}

/// A user as the backend keeps them.
public struct StoredUser: Sendable, Hashable, Identifiable {
    /// The id, the same that the adapter reports.
    public var id: String
    /// The address, as it is stored.
    public var email: String?
    /// Whether the address is proven.
    public var isEmailVerified: Bool
    /// The name to show.
    public var displayName: String?
    /// Whether sign-in is refused.
    public var isDisabled: Bool

    /// A user.
    public init(id: String, email: String?, isEmailVerified: Bool, displayName: String?, isDisabled: Bool = false) {
        self.id = id
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.isDisabled = isDisabled
    }
}
