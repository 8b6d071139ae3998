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
    /// The settings, which a reset restores.
    let settingsStore: SettingsStore<GoTrueSettings>
    let issuerKeys = IssuerKeys()
    let verifiedTokens = VerifiedTokens()
    let userLists = UserListMemory()
    /// The address in links and tokens.
    let base: String
    /// A description of the users' database, if there is a separate one; without secrets.
    let databaseSummary: String?
    private let redirectRules: SettingsDerived<RedirectRules.Source, RedirectRules>
    private let callerLimits: SettingsDerived<LimitSettings, CallerLimits>

    init(settings: GoTrueSettings, environment: EmulationEnvironment, mirror: (any RowMirror)? = nil) throws {
        settingsStore = SettingsStore(settings)
        self.environment = environment
        base = settings.externalURL ?? environment.base
        database = try Database("gotrue", in: environment.storage, .goTrue, mirror: mirror)
        databaseSummary = mirror?.summary
        keys = try TokenKeys(settings.tokens)
        projectKeys = try ProjectKeys(settings.tokens, keys)
        apiKeys = try ProjectKeys.tokens(of: base, with: keys.apiKeySigning)
        redirectRules = SettingsDerived(RedirectRules.Source(settings)) { RedirectRules($0) }
        callerLimits = SettingsDerived(settings.limits) { CallerLimits($0, clock: environment.clock) }
        if !settings.mail.isReachable { environment.outbox.isReachable = false }
    }

    /// The settings as they are now.
    var settings: GoTrueSettings { settingsStore.current }

    /// The currently allowed targets of links.
    var redirects: RedirectRules { redirectRules.value(of: RedirectRules.Source(settings)) }

    /// The current limits; if their settings change, counting starts again.
    var limits: CallerLimits { callerLimits.value(of: settings.limits) }

    /// Changes the settings that every request reads: switches, but not keys and addresses.
    func change(_ body: (inout GoTrueSettings) -> Void) { settingsStore.change(body) }

    /// Restores the initial state.
    func reset() throws {
        try database.erase()
        settingsStore.reset()
        limits.reset()
        issuerKeys.reset()
    }

    /// Returns the response to an error: an error of GoTrue in the required format, or a redirect; other errors are not
    /// handled.
    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse {
        if let redirected = error as? Redirected {
            return .goRedirect(redirected.location, status: redirected.status, for: request.method)
        }
        return ErrorResponse(version: APIVersion(request), randomness: environment.randomness)
            .response(to: error as? GoTrueError ?? .ofDatabase(error, request) ?? .unhandled)
    }

    /// Removes data that expired before `end`, as the real server's cleanup does (`internal/models/cleanup.go`): flows,
    /// challenges, links, and sessions if the settings let them expire.
    ///
    /// Used refresh tokens are kept as long as their session, because a second use must still end the session.
    func removeExpired(before end: Instant) throws {
        let settings = settings
        let codeLife = max(settings.mail.codeLife, settings.sms.codeLife)
        try database.write { db in
            try db.delete(FlowState.self, "max(created_at, coalesce(auth_code_issued_at, 0)) < \(end - settings.flowLife)")
            try db.delete(FactorChallenge.self, "created_at < \(end - settings.factors.challengeLife)")
            try db.delete(PasskeyChallenge.self, "expires_at < \(end)")
            // An unknown link and an expired link get the same response.
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
