public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Seeds for the control routes and the command.
extension ClerkAdministrator: SeedAdministrator {
    /// The hasher for new passwords: bcrypt with the cost in the settings.
    public var passwordHasher: PasswordHasher {
        .bcrypt(state.settings.usesCheapHashes ? .least : .real, randomness: state.environment.randomness)
    }

    /// Creates an id for a user, such as `user_…`.
    public func makeUserID() -> String {
        IDGenerator(randomness: state.environment.randomness).make(.user, at: state.environment.now)
    }

    /// Replaces all stored data, including users, organizations and sessions, with a seed.
    ///
    /// - Throws: `SeedProblem` if the provider cannot store a value. In that case, the stored data stays unchanged.
    public func replaceState(by seed: Seed) throws {
        let settings = try settings(of: seed, on: ClerkEmulator.provider)
        try TransactionRunner(state).perform(settings: settings.settings) { context in
            try state.deleteRows(&context.db)
            let users = SeededUsers(context: context)
            for user in seed.users { try user.naming(on: ClerkEmulator.provider, users.write) }
            let organizations = SeededOrganizations(context: context)
            for organization in seed.organizations {
                try organization.naming(on: ClerkEmulator.provider, organizations.write)
            }
            // A seed describes a state, not events of the past.
            try context.db.run("DELETE FROM events")
        }
        adopt(settings)
    }

    /// Returns the stored users and organizations, with identities, sessions and members, as a seed.
    ///
    /// - Returns: A seed that restores the same state.
    /// - Throws: An error of the emulator's database.
    public func currentSeed() throws -> Seed {
        try perform { context in
            Seed(
                users: try SeededUsers(context: context).all(),
                organizations: try SeededOrganizations(context: context).all(),
                settings: changedSettings(on: ClerkEmulator.provider))
        }
    }

    /// Counts what a seed cannot contain, such as `passkeys (2)`.
    public func losses() throws -> [String] { try state.database.read { try SeedContent.clerk.losses(in: &$0) } }
}

extension SeedContent {
    static let clerk = SeedContent(
        contained: [
            "users", "identifications", "external_accounts", "backup_codes", "sessions", "clients", "organizations",
            "memberships",
        ],
        passing: ["client_tokens", "sign_ins", "sign_ups", "links", "nonces", "events", "enterprise_test_runs", "instance"],
        lost: [
            ("passkeys", "passkeys", "credential IS NOT NULL"), ("photos", "images", "TRUE"),
            ("open invitations and tickets", "tickets", "status = 'pending' AND kind <> 'approved_link'"),
            ("people on the waitlist", "waitlist", "TRUE"), ("requests to join an organization", "enrollments", "TRUE"),
            ("domains of organizations", "organization_domains", "TRUE"),
            ("metadata of memberships", "memberships", "public_metadata <> '{}' OR private_metadata <> '{}'"),
            ("roles", "roles", "key NOT IN ('org:admin', 'org:member')"), ("permissions", "permissions", "system = 0"),
            ("sets of roles", "role_sets", "initial = 0"), ("enterprise connections", "enterprise_connections", "TRUE"),
            ("enterprise accounts", "enterprise_accounts", "TRUE"), ("templates of tokens", "templates", "TRUE"),
            ("addresses of the instance", "instance_addresses", "TRUE"), ("restricted identifiers", "restrictions", "TRUE"),
        ])
}
