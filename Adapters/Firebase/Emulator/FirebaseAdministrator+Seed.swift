public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Seeds for the control routes and the command, for the project of the settings.
extension FirebaseAdministrator: SeedAdministrator {
    /// The hasher for new passwords: Firebase's scrypt with the parameters of the project.
    public var passwordHasher: PasswordHasher { state.passwords.hasher }

    /// Creates an id for a user: 28 letters and digits.
    public func makeUserID() -> String {
        state.environment.randomness.text(28, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }

    /// Replaces users, sessions, tenants and all other stored data with a seed.
    ///
    /// - Throws: `SeedProblem` if the provider cannot store a value. In that case, the call changes nothing.
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

    /// Returns the stored users of the project, with their identities and sessions, as a seed.
    ///
    /// - Returns: A seed that restores the same state.
    /// - Throws: An error of the emulator's database.
    public func currentSeed() throws -> Seed {
        Seed(
            users: try perform { context in try SeededUsers(context: context).all() },
            settings: changedSettings(on: FirebaseEmulator.provider))
    }

    /// Counts what a seed cannot contain, such as `passkeys (2)`.
    public func losses() throws -> [String] {
        try state.database.read { try SeedContent.firebase(state.project).losses(in: &$0) }
    }
}

extension SeedContent {
    static func firebase(_ project: String) -> SeedContent {
        SeedContent(
            contained: ["spaces", "users", "identities", "sessions"],
            passing: [
                "action_codes", "text_codes", "phone_proofs", "pending_sign_ins", "totp_enrolments", "failed_sign_ins",
                "passkey_challenges", "account_events", "secrets",
            ],
            lost: [
                ("passkeys", "passkeys", "TRUE"), ("identity providers", "provider_configs", "TRUE"),
                ("users of other projects", "users", "space IN (SELECT id FROM spaces WHERE project <> \(project))"),
            ])
    }
}
