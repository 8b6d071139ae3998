/// The rules for user names (`user_settings.username_settings`).
public struct UsernameRules: Sendable, Hashable {
    /// The fewest characters.
    public var minimumLength = 4
    /// The most characters.
    public var maximumLength = 64
    /// Whether more signs than `_` and `-` are allowed.
    public var allowsSigns = false

    /// Clerk's own rules.
    public init() {}
}
