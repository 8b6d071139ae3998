internal import LockstepEmulation

/// The tables.
extension Schema {
    static let firebase = Schema(
        [
            Space.table.definition, User.table.definition, IdentityEntry.table.definition, PasskeyEntry.table.definition,
            ActionCode.table.definition, TextCode.table.definition, PhoneProof.table.definition, SessionRow.table.definition,
            PendingSignIn.table.definition, TimeFactorEnrolment.table.definition, FailedSignIns.table.definition,
            ProviderConfigRow.table.definition, PasskeyChallenge.table.definition, AccountEventRecord.table.definition, secrets,
        ],
        // A table that a change has created is written here in its current form. If you change such a table, record its
        // earlier form here.
        changes: [
            "ALTER TABLE phone_proofs ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0", ProviderConfigRow.table.definition,
            AccountEventRecord.table.definition, PasskeyChallenge.table.definition, numberUsers,
        ])

    /// Numbers the users of an earlier version in the order in which they were created.
    private static let numberUsers = """
        ALTER TABLE users ADD COLUMN number INTEGER;
        UPDATE users SET number = known.number FROM
            (SELECT space, local_id, row_number() OVER (PARTITION BY space ORDER BY created_at, local_id) AS number FROM users) AS known
            WHERE users.space = known.space AND users.local_id = known.local_id;
        CREATE INDEX users_by_number ON users (space, number);
        """

    /// The secrets that the server creates once for all users, and needs again after a restart.
    private static let secrets = "CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
}
