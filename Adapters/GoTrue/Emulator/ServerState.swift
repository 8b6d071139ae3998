internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The state that all requests share: settings, tables, keys, limits.
final class ServerState: EmulatorState {
    let environment: EmulationEnvironment
    let database: Database
    let keys: TokenKeys
    let projectKeys: ProjectKeys
    /// The API keys of the ready line.
    let apiKeys: [ProjectKeys.Role: String]
    let redirects: RedirectRules
    let limits: CallerLimits
    let issuerKeys = IssuerKeys()
    let verifiedTokens = VerifiedTokens()
    /// The address in links and tokens.
    let base: String
    private let store: SettingsStore<GoTrueSettings>

    init(settings: GoTrueSettings, environment: EmulationEnvironment) throws {
        store = SettingsStore(settings)
        self.environment = environment
        base = settings.externalURL ?? environment.base
        database = try Database("gotrue", in: environment.storage, .goTrue)
        keys = try TokenKeys(settings.tokens)
        projectKeys = try ProjectKeys(settings.tokens, keys)
        apiKeys = try ProjectKeys.tokens(of: base, with: keys.apiKeySigning)
        redirects = RedirectRules(siteURL: settings.siteURL, allowed: settings.allowedRedirects)
        limits = CallerLimits(settings.limits, clock: environment.clock)
        if !settings.mail.isReachable { environment.outbox.isReachable = false }
    }

    /// The settings as they are now.
    var settings: GoTrueSettings { store.current }

    /// Changes settings that every request reads: switches, not keys and addresses.
    func change(_ body: (inout GoTrueSettings) -> Void) { store.change(body) }

    /// Restores the initial state.
    func reset() throws {
        store.reset()
        try database.erase()
        limits.reset()
        issuerKeys.reset()
    }

    /// The answer to an error: a refusal in the format that the request asked for, or a redirect; all others are not handled.
    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse {
        if let redirected = error as? Redirected {
            return .goRedirect(redirected.location, status: redirected.status, for: request.method)
        }
        return ErrorResponse(version: APIVersion(request), randomness: environment.randomness)
            .response(to: error as? GoTrueError ?? .unhandled)
    }

    /// Removes what ended before `end`, as the real server's cleanup does (`internal/models/cleanup.go`): flows, challenges, links, and
    /// sessions where the settings let them expire.
    ///
    /// Used refresh tokens are kept as long as their session: reusing one must still end it.
    func removeExpired(before end: Instant) throws {
        let settings = settings
        let codeLife = max(settings.mail.codeLife, settings.sms.codeLife)
        try database.write { db in
            try db.delete(FlowState.self, "max(created_at, coalesce(auth_code_issued_at, 0)) < \(end - settings.flowLife)")
            try db.delete(FactorChallenge.self, "created_at < \(end - settings.factors.challengeLife)")
            try db.delete(PasskeyChallenge.self, "expires_at < \(end)")
            // An unknown link and one that has expired get the same answer.
            try db.delete(OneTimeToken.self, "created_at < \(end - codeLife)")
            if let life = settings.sessions.life {
                try db.delete(Session.self, "created_at < \(end - life)")
            }
            if let life = settings.sessions.idleLife {
                try db.delete(
                    Session.self,
                    """
                    coalesce(refreshed_at, created_at) < \(end - life) AND NOT EXISTS (
                        SELECT 1 FROM refresh_tokens WHERE session_id = sessions.id AND updated_at >= \(end - life))
                    """)
            }
        }
    }
}
