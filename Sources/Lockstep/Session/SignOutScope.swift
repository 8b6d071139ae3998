/// Which sessions a sign-out ends.
public enum SignOutScope: String, Sendable, Hashable, CaseIterable {
    /// This one.
    case local
    /// All the others of this user.
    case others
    /// All of this user.
    case everywhere
}
