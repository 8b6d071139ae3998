internal import LockstepPostgres
internal import LockstepPrimitives

/// The tables of the server, with the triggers that record their changes.
package struct GoTrueSchema {
    /// The number of the lock that each emulator on the database acquires: "lockstep" in ASCII.
    static let lock: Int64 = 0x6c6f_636b_7374_6570
    /// The oldest PostgreSQL with 64-bit transaction numbers.
    private static let oldestVersion: Int64 = 130_000
    /// The mark of the schema that records changes, with the version of this emulator.
    private static let mark = "lockstep emulator, form 1"
    private static let triggersOfTable = 5

    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    /// Checks the tables, or creates them on request, and creates the schema that records changes.
    func check(createsSchema: Bool) throws(PostgresError) {
        let version: Int64 = try connection.run("SELECT current_setting('server_version_num')::bigint").rows[0][0]
        guard version >= Self.oldestVersion else {
            throw PostgresError(
                .mismatch, "The server is PostgreSQL \(version / 10_000). The emulator needs version 13 or newer.")
        }
        var isNew = false
        if try columns().isEmpty {
            guard createsSchema else {
                throw PostgresError(
                    .mismatch,
                    "The database has no schema auth. Add --create-schema, or choose the database of a GoTrue server.")
            }
            try connection.transaction { connection throws(PostgresError) in
                try connection.run(PostgresStatement(stringLiteral: "DO $lockstep$ BEGIN\n\(Self.tables)\nEND $lockstep$"))
            }
            isNew = true
        }
        let there = try columns()
        for table in MirroredTable.all {
            for name in table.columns.map(\.name) + table.constants.map(\.name)
            where !there.contains("\(table.name).\(name)".exact) {
                throw PostgresError(
                    .mismatch,
                    """
                    Table auth.\(table.name) has no column "\(name)", so it is not that of GoTrue 2.196. Run the server's migrations, or \
                    choose an empty database and add --create-schema.
                    """)
            }
        }
        try record(isNew: isNew)
        // Without another emulator, no one waits for earlier changes.
        try connection.run(
            """
            DO $lockstep$ BEGIN
                IF pg_try_advisory_lock(\(fragment(String(Self.lock)))) THEN
                    DELETE FROM lockstep_emulator.changes;
                    PERFORM pg_advisory_unlock(\(fragment(String(Self.lock))));
                END IF;
            END $lockstep$
            """)
    }

    /// Whether `--create-schema` created the tables.
    var isOwn: Bool {
        get throws(PostgresError) {
            try connection.run("SELECT EXISTS (SELECT 1 FROM lockstep_emulator.origin)").rows[0][0]
        }
    }

    private func columns() throws(PostgresError) -> Set<ExactString> {
        let rows = try connection.run(
            """
            SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'auth' AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
            """
        ).rows
        var names: Set<ExactString> = []
        for row in rows { names.insert(ExactString(try row[0])) }
        return names
    }

    /// Creates the schema that records changes, and the triggers, if they do not exist.
    private func record(isNew: Bool) throws(PostgresError) {
        let isThere: Bool = try connection.run(
            """
            SELECT coalesce((SELECT obj_description(oid, 'pg_namespace') = \(Self.mark) FROM pg_namespace
                WHERE nspname = 'lockstep_emulator'), false)
            AND (SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'lockstep\\_emulator\\_%')
                = \(Int64(MirroredTable.all.count * Self.triggersOfTable))
            """
        ).rows[0][0]
        if isThere, !isNew { return }
        try connection.transaction { connection throws(PostgresError) in
            try connection.run(PostgresStatement(stringLiteral: Self.recording))
            for table in MirroredTable.all {
                for statement in Self.triggers(of: table) { try connection.run(PostgresStatement(stringLiteral: statement)) }
            }
            if isNew { try connection.run("INSERT INTO lockstep_emulator.origin DEFAULT VALUES") }
        }
    }

    /// The functions run with the rights of their owner, because other roles also change rows of users.
    private static let recording = """
        DO $lockstep$ BEGIN
        CREATE SCHEMA IF NOT EXISTS lockstep_emulator;
        COMMENT ON SCHEMA lockstep_emulator IS '\(mark)';
        CREATE TABLE IF NOT EXISTS lockstep_emulator.origin (made_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE IF NOT EXISTS lockstep_emulator.changes (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            transaction xid8 NOT NULL DEFAULT pg_current_xact_id(), relation text NOT NULL, key text);
        CREATE INDEX IF NOT EXISTS changes_transaction_idx ON lockstep_emulator.changes (transaction);
        CREATE OR REPLACE FUNCTION lockstep_emulator.wait_turn() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $body$
        BEGIN
            LOCK TABLE lockstep_emulator.changes IN ROW EXCLUSIVE MODE;
            RETURN NULL;
        END $body$;
        CREATE OR REPLACE FUNCTION lockstep_emulator.note_change() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $body$
        BEGIN
            IF TG_OP = 'TRUNCATE' THEN
                INSERT INTO lockstep_emulator.changes (relation) VALUES (TG_TABLE_NAME);
                RETURN NULL;
            END IF;
            EXECUTE format('INSERT INTO lockstep_emulator.changes (relation, key) SELECT %L, %s FROM changed',
                TG_TABLE_NAME, TG_ARGV[0]);
            IF TG_OP = 'UPDATE' THEN
                EXECUTE format(
                    'INSERT INTO lockstep_emulator.changes (relation, key) SELECT %1$L, %2$s FROM former EXCEPT SELECT %1$L, %2$s FROM changed',
                    TG_TABLE_NAME, TG_ARGV[0]);
            END IF;
            RETURN NULL;
        END $body$;
        END $lockstep$
        """

    private static func triggers(of table: MirroredTable) -> [String] {
        let expression = table.keyExpression().replacingScalars { $0 == "'" ? "''" : nil }
        let key = "'\(expression)'"
        let events = [
            ("insert", "INSERT", "REFERENCING NEW TABLE AS changed"), ("delete", "DELETE", "REFERENCING OLD TABLE AS changed"),
            ("update", "UPDATE", "REFERENCING NEW TABLE AS changed OLD TABLE AS former"), ("truncate", "TRUNCATE", ""),
        ]
        let notes = events.map { name, event, tables in
            (
                name,
                "AFTER \(event) ON auth.\(table.name) \(tables) FOR EACH STATEMENT EXECUTE FUNCTION lockstep_emulator.note_change(\(key))"
            )
        }
        let wait = (
            "wait",
            "BEFORE INSERT OR UPDATE OR DELETE ON auth.\(table.name) FOR EACH STATEMENT EXECUTE FUNCTION lockstep_emulator.wait_turn()"
        )
        return ([wait] + notes).flatMap { name, rest in
            [
                "DROP TRIGGER IF EXISTS lockstep_emulator_\(name) ON auth.\(table.name)",
                "CREATE TRIGGER lockstep_emulator_\(name) \(rest)",
            ]
        }
    }

    private func fragment(_ text: String) -> PostgresStatement { PostgresStatement(stringLiteral: text) }

    /// Returns a sentence about a failure, with what to do.
    static func sentence(about error: PostgresError) -> String {
        var text = error.message.prefix(400)
        while text.hasSuffix(".") { text.removeLast() }
        let remedy: String? =
            switch (error.kind, error.state) {
            case (.mismatch, _), (.invalidAddress, _): nil
            case (_, .unknownDatabase?): "Create the database, or choose another one."
            case (_, .insufficientPrivilege?): "Connect as the owner of the tables."
            case (_, let state?) where state.isOfAuthorization:
                "Check the user, and give the password in PGPASSWORD or in ~/.pgpass."
            case (_, PostgresError.State(rawValue: "55P03")?):
                "Another transaction has locked users for more than 10 seconds. End it, and try again."
            case (.disconnected, _), (.timedOut, _): "Check that the server is running, and check the host and the port."
            default: nil
            }
        return "\(text).\(remedy.map { " \($0)" } ?? "")"
    }
}
