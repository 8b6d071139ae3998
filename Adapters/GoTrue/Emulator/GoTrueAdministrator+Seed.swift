public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Seeds for the control routes and the command.
extension GoTrueAdministrator: SeedAdministrator {
    /// bcrypt with the cost from the settings.
    public var passwordHasher: PasswordHasher {
        .bcrypt(state.settings.passwords.cost, randomness: state.environment.randomness)
    }

    /// Creates a UUID.
    public func makeUserID() -> String { state.environment.randomness.uuid() }

    /// Replaces users, sessions and all other stored data.
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

    /// Returns the users with their identities and sessions.
    public func currentSeed() throws -> Seed {
        Seed(
            users: try TransactionRunner(state).perform { context in try SeededUsers(context: context).all() },
            settings: changedSettings(on: GoTrueEmulator.provider))
    }
}
