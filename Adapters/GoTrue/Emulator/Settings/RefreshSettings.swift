/// Refresh tokens.
public struct RefreshSettings: Sendable {
    /// Whether reusing a token ends its session (`GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`).
    public var punishesReuse = true
    /// How long reuse of a token is allowed (`GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`).
    public var reuseInterval = Duration.zero
    /// The setting `GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE`.
    public var allowsReuse = false
    /// 1 (random texts, a row each) or 2 (signed counters of the session) (`GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION`).
    public var version = 1

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.flag("GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", into: &punishesReuse)
        environment.seconds("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", into: &reuseInterval)
        environment.flag("GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE", into: &allowsReuse)
        environment.number("GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION", into: &version)
        if version == 0 { version = 1 }
        if !(1...2).contains(version) {
            environment.problem("GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION must be 0, 1 or 2.")
        }
    }
}
