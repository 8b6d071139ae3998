internal import LockstepEmulation

/// The tables.
extension Schema {
    static let firebase = Schema(
        [
            Space.table.definition, User.table.definition, IdentityEntry.table.definition, PasskeyEntry.table.definition,
            ActionCode.table.definition, TextCode.table.definition, PhoneProof.table.definition, SessionRow.table.definition,
            PendingSignIn.table.definition, TimeFactorEnrolment.table.definition, FailedSignIns.table.definition,
            ProviderConfigRow.table.definition, PasskeyChallenge.table.definition, accountEvents, secrets,
        ],
        // A table that a change has made stands here as it is now: who changes one of them writes down here what it was before.
        changes: [
            "ALTER TABLE phone_proofs ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0", ProviderConfigRow.table.definition,
            accountEvents, PasskeyChallenge.table.definition,
        ])

    /// The events of accounts that are still to be sent (``AccountEventRecord``).
    private static let accountEvents =
        "CREATE TABLE account_events (id INTEGER PRIMARY KEY, address TEXT NOT NULL, body TEXT NOT NULL);"

    /// What the server makes once for all users, and needs again after a restart.
    private static let secrets = "CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
}
