internal import LockstepPostgres

/// The tables in which the store keeps sessions.
///
/// ``PostgresSessionDatabase/prepare()`` creates them. If your server runs its own migrations, run ``sql`` there
/// instead. You can run the statements any number of times.
///
/// The `search_path` of the connection determines the schema. To use a separate schema, add
/// `options=-csearch_path=auth` to the connection string.
public enum PostgresSchema {
    /// The version of the tables that this release reads and writes.
    public static let version = 1

    /// The SQL statements that create the tables.
    ///
    /// Each ends with `;`.
    public static let sql = statements.map { $0 + ";\n" }.joined()

    static let statements = [
        "CREATE TABLE IF NOT EXISTS lockstep_schema (version bigint PRIMARY KEY)",
        // `id` is a digest of the owner and the key. `key` contains the key as JSON. `sealed` is encrypted with the key
        // `key_id`.
        """
        CREATE TABLE IF NOT EXISTS lockstep_sessions (
            id bytea PRIMARY KEY,
            owner text NOT NULL,
            key text NOT NULL,
            revision text NOT NULL,
            key_id text NOT NULL,
            sealed bytea NOT NULL,
            changed timestamptz NOT NULL DEFAULT now())
        """,
        "CREATE INDEX IF NOT EXISTS lockstep_sessions_owner ON lockstep_sessions (owner)",
        // Quarantined values, for analysis.
        """
        CREATE TABLE IF NOT EXISTS lockstep_set_aside (
            id bytea NOT NULL,
            owner text NOT NULL,
            key text NOT NULL,
            revision text NOT NULL,
            key_id text NOT NULL,
            sealed bytea NOT NULL,
            changed timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (id, revision))
        """,
        proofs,
        // The rows that exclusive locks use if the server has no advisory locks.
        "CREATE TABLE IF NOT EXISTS lockstep_sections (id bytea PRIMARY KEY)",
        "INSERT INTO lockstep_schema (version) VALUES (\(version)) ON CONFLICT DO NOTHING",
    ]

    /// The table with which a machine checks whether its secret of each key is right.
    ///
    /// It contains no secret.
    ///
    /// Programs of version 1 with and without knowledge of the table can work at the same time.
    private static let proofs = "CREATE TABLE IF NOT EXISTS lockstep_keys (key_id text PRIMARY KEY, proof bytea NOT NULL)"

    /// The errors of the server if another process makes a table at the same time.
    ///
    /// "IF NOT EXISTS" first looks for the table and then makes it. In between, the other process may make the table, its type or
    /// its rows in the catalog.
    private static let metAnother: Set<PostgresError.State> = [.uniqueViolation, .duplicateTable, .duplicateObject]

    /// Makes all tables.
    ///
    /// If another process creates tables at the same time, this call creates the missing ones.
    ///
    /// Each attempt that collides with the other process finds at least one more table. So there are at most as many attempts
    /// as statements.
    static func install(_ connection: PostgresConnection) throws(PostgresError) {
        for remaining in statements.indices.reversed() {
            do throws(PostgresError) {
                return try connection.transaction { connection throws(PostgresError) in
                    for statement in statements { try connection.run(PostgresStatement(stringLiteral: statement)) }
                }
            } catch  where remaining > 0 && error.state.map(metAnother.contains) == true {
            }
        }
    }

    /// Adds the table of proofs to a database from an older version, if this role has permission.
    static func addProofs(_ connection: PostgresConnection) throws(PostgresError) {
        guard try connection.run("SELECT to_regclass('lockstep_keys') IS NULL").rows.first?[0] == true else { return }
        do throws(PostgresError) {
            try connection.commit(PostgresStatement(stringLiteral: proofs))
        } catch  where error.state.map(metAnother.union([.insufficientPrivilege]).contains) == true {
            // A team that runs its own migrations creates the table with `sql`; or another process was faster.
        }
    }

    /// Returns the newest version of the tables; `nil` if there are none.
    static func installed(_ connection: PostgresConnection) throws(PostgresError) -> Int64? {
        do throws(PostgresError) {
            return try connection.run("SELECT max(version) FROM lockstep_schema").rows.first?[0]
        } catch  where error.state == .undefinedTable {
            return nil
        }
    }
}
