/// What a credential is used for.
public enum Purpose: Sendable, Hashable {
    /// To make a new account.
    case signUp(Profile)
    /// To sign in to an account.
    case signIn
    /// To add the credential to the user of this session, who keeps the user id.
    case link(to: Session)
    /// To renew the sign-in of this session's user, for a sensitive call.
    case reauthenticate(Session)
}

/// The profile of a new user.
public struct Profile: Sendable, Hashable {
    /// The name to show.
    public var displayName: String?

    /// A profile.
    public init(displayName: String? = nil) { self.displayName = displayName }
}
