public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Seeds for the control routes and the command, of the project of the settings.
extension FirebaseAdministrator: SeedAdministrator {
    /// Firebase's scrypt with the project's parameters.
    public var passwordHasher: PasswordHasher { state.passwords.hasher }

    /// Creates an id of 28 letters and digits.
    public func makeUserID() -> String {
        state.environment.randomness.text(28, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }

    /// Replaces users, sessions, tenants and all other stored data.
    public func replaceState(by seed: Seed) throws {
        try seed.requireNoOrganizations(on: FirebaseEmulator.provider)
        let settings = try settings(of: seed, on: FirebaseEmulator.provider)
        try TransactionRunner(state).perform(settings: settings.settings) { context in
            try state.deleteRows(&context.db)
            let users = SeededUsers(context: try own(context))
            for user in seed.users { try user.naming(on: FirebaseEmulator.provider, users.write) }
        }
        adopt(settings)
    }

    /// Returns the users of the project with their identities and sessions.
    public func currentSeed() throws -> Seed {
        Seed(
            users: try perform { context in try SeededUsers(context: context).all() },
            settings: changedSettings(on: FirebaseEmulator.provider))
    }
}
