public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Seeds for the control routes and the command.
extension GoTrueAdministrator: SeedAdministrator {
    /// The hasher for new passwords: bcrypt with the cost in the settings.
    public var passwordHasher: PasswordHasher {
        .bcrypt(state.settings.passwords.cost, randomness: state.environment.randomness)
    }

    /// Creates an id for a user: a UUID.
    public func makeUserID() -> String { state.environment.randomness.uuid() }

    /// Replaces users, sessions and all other stored data with a seed.
    ///
    /// - Throws: `SeedProblem` if the provider cannot store a value. In that case, the call changes nothing.
    public func replaceState(by seed: Seed) throws {
        try state.database.requireErasable()
        try seed.requireNoOrganizations(on: GoTrueEmulator.provider)
        let settings = try settings(of: seed, on: GoTrueEmulator.provider)
        try TransactionRunner(state).perform(settings: settings.settings) { context in
            try context.db.deleteEverything()
            let users = SeededUsers(context: context)
            for user in seed.users { try user.naming(on: GoTrueEmulator.provider, users.write) }
        }
        adopt(settings)
        state.limits.reset()
    }

    /// Returns the stored users, with their identities and sessions, as a seed.
    ///
    /// - Returns: A seed that restores the same state.
    /// - Throws: An error of the emulator's database.
    public func currentSeed() throws -> Seed {
        Seed(
            users: try TransactionRunner(state).perform { context in try SeededUsers(context: context).all() },
            settings: changedSettings(on: GoTrueEmulator.provider))
    }

    /// Counts what a seed cannot contain, such as `passkeys (2)`.
    public func losses() throws -> [String] { try state.database.read { try SeedContent.goTrue.losses(in: &$0) } }
}

extension SeedContent {
    static let goTrue = SeedContent(
        contained: ["users", "identities", "sessions", "mfa_amr_claims", "refresh_tokens", "mfa_factors"],
        passing: ["one_time_tokens", "flow_state", "mfa_challenges", "webauthn_challenges", "audit_log_entries"],
        lost: [
            ("passkeys", "webauthn_credentials", "TRUE"),
            ("passkeys as second factors", "mfa_factors", "status = 'verified' AND factor_type = 'webauthn'"),
            ("unverified second factors", "mfa_factors", "status <> 'verified'"),
            ("softly deleted users", "users", "deleted_at IS NOT NULL"),
        ])
}
