internal import LockstepEmulation
internal import LockstepPostgres
internal import LockstepPrimitives

/// The database with the rows.
///
/// It has one connection, which blocks the server's thread for short calls.
final class RowSource {
    /// The time limit of a call, including the wait for other programs' transactions.
    private static let limit = Duration.seconds(15)

    private let address: PostgresAddress
    private let clock: any DeviceClock
    private var connection: PostgresConnection?
    /// Whether `--create-schema` created the tables.
    private(set) var isOwn = false

    init(_ connectionString: Secret, clock: any DeviceClock) throws {
        do {
            address = try PostgresAddress(connectionString)
        } catch {
            throw RowMirrorError(error.message)
        }
        self.clock = clock
    }

    // MARK: The connection

    /// Prepares the database.
    ///
    /// - Returns: Its name.
    func prepare(createsSchema: Bool) throws -> String {
        _ = try connect()
        return try call { connection throws(PostgresError) in
            let schema = GoTrueSchema(connection)
            try schema.check(createsSchema: createsSchema)
            isOwn = try schema.isOwn
            return try connection.run("SELECT current_database()::text").rows[0][0]
        }
    }

    /// Makes sure that there is a connection.
    ///
    /// - Returns: Whether the connection is new.
    func connect() throws -> Bool {
        if let connection, connection.renew(within: Self.limit) { return false }
        connection = nil
        try RowMirrorError.reading { () throws(PostgresError) in
            let new = try PostgresConnection(address, within: Self.limit, clock: clock)
            try new.run(
                """
                SELECT set_config('TimeZone', 'UTC', false), set_config('row_security', 'off', false),
                    set_config('lock_timeout', '10s', false), set_config('application_name', 'lockstep emulator', false),
                    pg_advisory_lock_shared(\(GoTrueSchema.lock))
                """)
            connection = new
        }
        return true
    }

    private func call<Value>(
        isOfWriting: Bool = false, _ body: (PostgresConnection) throws(PostgresError) -> Value
    ) throws -> Value {
        guard let connection else { throw RowMirrorError("There is no connection to the database.", isOfWriting: isOfWriting) }
        do throws(PostgresError) {
            return try body(connection)
        } catch {
            throw RowMirrorError(error, isOfWriting: isOfWriting)
        }
    }

    // MARK: Transactions

    /// Runs `body` in a transaction whose statements all see the same rows.
    func inSnapshot<Value>(_ body: () throws -> Value) throws -> Value {
        _ = try call { connection throws(PostgresError) in
            try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        }
        do {
            let value = try body()
            _ = try call { connection throws(PostgresError) in try connection.run("COMMIT") }
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Begins a transaction during which no other program changes the rows.
    ///
    /// Before other programs change rows, a trigger first acquires a weaker lock.
    func beginWriting() throws {
        try call { connection throws(PostgresError) in
            try connection.run("BEGIN")
            try connection.run("LOCK TABLE lockstep_emulator.changes IN SHARE ROW EXCLUSIVE MODE")
        }
    }

    func commit() throws {
        _ = try call(isOfWriting: true) { connection throws(PostgresError) in try connection.commit("COMMIT") }
    }

    /// Rolls back an open transaction; does nothing if there is none.
    func rollBack() {
        // If a connection cannot roll back, it is given up, and its server rolls back.
        if (try? connection?.run("ROLLBACK")) == nil { connection = nil }
    }

    // MARK: Reading

    /// Returns the position of all visible rows.
    func position() throws -> ChangePosition {
        try call { connection throws(PostgresError) in
            ChangePosition(
                horizon: try connection.run("SELECT pg_snapshot_xmin(pg_current_snapshot())::text").rows[0][0], seen: [])
        }
    }

    /// Returns the changes of other programs and the emulator's own, because an app's trigger may have changed the
    /// written rows.
    func changes(after position: ChangePosition) throws -> KnownChanges {
        try call { connection throws(PostgresError) in
            let rows = try connection.run(
                """
                SELECT number, relation, key, transaction >= pg_snapshot_xmin(pg_current_snapshot()),
                    pg_snapshot_xmin(pg_current_snapshot())::text
                FROM lockstep_emulator.changes WHERE transaction >= \(position.horizon)::xid8 ORDER BY number
                """
            ).rows
            var changes = KnownChanges()
            changes.position = position
            for row in rows {
                let (number, relation, isLate): (Int64, String, Bool) = (try row[0], try row[1], try row[3])
                if !position.seen.contains(number) {
                    if row.values[2] == .null {
                        changes.isTruncation = true
                    } else {
                        changes.keys[relation.exact, default: []].insert(ExactString(try row[2]))
                    }
                }
                let horizon: String = try row[4]
                if changes.position.horizon != horizon { changes.position = ChangePosition(horizon: horizon, seen: []) }
                if isLate { changes.position.seen.insert(number) }
            }
            return changes
        }
    }

    /// Reads all rows of a table in portions.
    func read(all table: MirroredTable, _ body: ([JSONObject]) throws -> Void) throws {
        let selection = PostgresStatement(
            stringLiteral: """
                DECLARE lockstep_rows NO SCROLL CURSOR FOR SELECT to_jsonb(t)::text FROM auth.\(table.name) t
                WHERE \(table.filter) ORDER BY \(table.order)
                """)
        _ = try call { connection throws(PostgresError) in try connection.run(selection) }
        while true {
            let rows = try call { connection throws(PostgresError) in try connection.run("FETCH 1000 FROM lockstep_rows").rows }
            if rows.isEmpty { break }
            try body(try Self.read(rows))
        }
        _ = try call { connection throws(PostgresError) in try connection.run("CLOSE lockstep_rows") }
    }

    /// Reads the rows with these keys; a key without a row is left out.
    func rows(of table: MirroredTable, keys: [String]) throws -> [JSONObject] {
        let (condition, filter, order) = (fragment(table.keyCondition), fragment(table.filter), fragment(table.order))
        var found: [JSONObject] = []
        for start in stride(from: 0, to: keys.count, by: 1000) {
            let list = Self.list(keys[start..<min(start + 1000, keys.count)])
            found += try Self.read(
                try call { connection throws(PostgresError) in
                    try connection.run(
                        """
                        SELECT to_jsonb(t)::text FROM jsonb_array_elements_text(\(list)::jsonb) AS k(key)
                        JOIN auth.\(fragment(table.name)) t ON \(condition) WHERE \(filter) ORDER BY \(order)
                        """
                    ).rows
                })
        }
        return found
    }

    /// Reads the keys of the rows that belong to these users.
    func keys(of table: MirroredTable, owners: [String]) throws -> [String] {
        guard let condition = table.owners else { return [] }
        return try call { connection throws(PostgresError) in
            try connection.run(
                """
                WITH owners AS (SELECT jsonb_array_elements_text(\(Self.list(owners[...]))::jsonb) AS id)
                SELECT \(fragment(table.keyExpression("t."))) FROM auth.\(fragment(table.name)) t WHERE \(fragment(condition))
                """
            ).rows.map { row throws(PostgresError) in try row[0] }
        }
    }

    private static func read(_ rows: [PostgresRow]) throws -> [JSONObject] {
        try rows.map { row in
            let text: String = try row[0]
            return try JSON.parse(Array(text.utf8)).object ?? [:]
        }
    }

    private static func list(_ texts: ArraySlice<String>) -> String { JSON.array(texts.map(JSON.string)).text() }

    /// Returns a part of a statement that this program has written.
    private func fragment(_ text: String) -> PostgresStatement { PostgresStatement(stringLiteral: text) }

    // MARK: Writing

    /// Writes the changes of a request: first the deletions, then owners before the rows that they own.
    func write(_ changes: [(table: MirroredTable, rows: [ChangedRow])]) throws {
        try call(isOfWriting: true) { connection throws(PostgresError) in
            for (table, rows) in changes.reversed() {
                try run(table.deletion, rows.filter { $0.change == .deletion }, connection)
            }
            for (table, rows) in changes {
                var updates: [ExactString: [ChangedRow]] = [:]
                for row in rows where row.change == .update {
                    updates[row.columns.map(\.name).joined(separator: ",").exact, default: []].append(row)
                }
                for (_, rows) in updates.sorted(by: { $0.key < $1.key }) {
                    try run(table.update(of: rows[0].columns), rows, connection)
                }
                try run(table.insertion, rows.filter { $0.change == .insertion }, connection)
            }
        }
    }

    private func run(
        _ statement: (head: String, tail: String), _ rows: [ChangedRow], _ connection: PostgresConnection
    ) throws(PostgresError) {
        guard !rows.isEmpty else { return }
        let list = JSON.array(rows.map { .object($0.values) }).text()
        try connection.run("\(fragment(statement.head))jsonb_array_elements(\(list)::jsonb)\(fragment(statement.tail))")
    }
}

extension MirroredTable {
    private var sameKey: String {
        columns.filter { key.contains($0.name) }.map { "t.\($0.name) = \($0.expression)" }.joined(separator: " AND ")
    }

    fileprivate var deletion: (head: String, tail: String) {
        ("DELETE FROM auth.\(name) t USING ", " AS r(data) WHERE \(sameKey)")
    }

    fileprivate func update(of columns: [MirroredColumn]) -> (head: String, tail: String) {
        let values = columns.map { "\($0.name) = \($0.expression)" }.joined(separator: ", ")
        return ("UPDATE auth.\(name) t SET \(values) FROM ", " AS r(data) WHERE \(sameKey)")
    }

    fileprivate var insertion: (head: String, tail: String) {
        let written = columns.filter { !$0.isComputed }
        let names = (constants.map(\.name) + written.map(\.name)).joined(separator: ", ")
        let values = (constants.map(\.expression) + written.map(\.expression)).joined(separator: ", ")
        return (
            "INSERT INTO auth.\(name) (\(names)) SELECT \(values) FROM ", " WITH ORDINALITY AS r(data, place) ORDER BY r.place"
        )
    }
}

extension RowMirrorError {
    init(_ error: PostgresError, isOfWriting: Bool = false) {
        self.init(GoTrueSchema.sentence(about: error), isOfWriting: isOfWriting)
    }

    /// Runs `body`; its failures are reported as read failures.
    static func reading<Value>(_ body: () throws(PostgresError) -> Value) throws -> Value {
        do throws(PostgresError) { return try body() } catch { throw RowMirrorError(error) }
    }
}
