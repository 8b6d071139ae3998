internal import LockstepPrimitives
internal import LockstepSQLite

/// A row that the emulator has changed.
struct ChangedRow: Sendable {
    enum Change: Sendable, Hashable { case insertion, update, deletion }

    let change: Change
    /// The values for PostgreSQL: those of the key, and the changed ones.
    let values: JSONObject
    /// The names of the columns that have changed.
    let columns: [MirroredColumn]
}

/// The emulator's rows in SQLite, with a record of the changes of a request.
///
/// Temporary triggers write the former values of a changed row to a temporary table. So a request writes only the
/// values that it has changed. An unchanged time or number keeps the form in which another program wrote it.
struct RowCopy: Sendable {
    private static func record(of table: MirroredTable) -> String { "mirror_\(table.name)" }

    private static func list(_ names: [String], _ prefix: String = "") -> String {
        names.map { prefix + $0 }.joined(separator: ", ")
    }

    private static func condition(_ table: MirroredTable, _ left: String, _ right: String) -> String {
        table.key.map { "\(left).\($0) = \(right).\($0)" }.joined(separator: " AND ")
    }

    /// Creates the records in a connection with the emulator's tables.
    func prepare(_ connection: inout SQLiteConnection) throws {
        // In PostgreSQL, a user can have several factors without a name.
        try connection.script(
            """
            DROP INDEX IF EXISTS mfa_factors_name;
            CREATE UNIQUE INDEX mfa_factors_name ON mfa_factors (friendly_name, user_id) WHERE trim(friendly_name) <> '';
            CREATE TEMP TABLE mirror_pause (is_on INTEGER)
            """)
        for table in MirroredTable.all {
            let record = Self.record(of: table), names = table.columns.map(\.name)
            let isRecorded = "WHEN NOT EXISTS (SELECT 1 FROM mirror_pause)"
            func note(_ side: String, _ columns: [String], existed: Int) -> String {
                """
                INSERT INTO \(record) (existed, \(Self.list(columns))) SELECT \(existed), \(Self.list(columns, side + "."))
                WHERE NOT EXISTS (SELECT 1 FROM \(record) WHERE \(Self.condition(table, record, side)))
                """
            }
            try connection.script(
                """
                CREATE TEMP TABLE \(record) (existed, \(Self.list(names)), PRIMARY KEY (\(Self.list(table.key))));
                CREATE TEMP TRIGGER \(record)_insert AFTER INSERT ON main.\(table.name) \(isRecorded) BEGIN
                    \(note("new", table.key, existed: 0)); END;
                CREATE TEMP TRIGGER \(record)_update AFTER UPDATE ON main.\(table.name) \(isRecorded) BEGIN
                    \(note("old", names, existed: 1)); END;
                CREATE TEMP TRIGGER \(record)_delete AFTER DELETE ON main.\(table.name) \(isRecorded) BEGIN
                    \(note("old", names, existed: 1)); END
                """)
        }
    }

    // MARK: Reading from the database

    /// Replaces all rows.
    func replace(from source: RowSource, _ connection: inout SQLiteConnection) throws {
        try unrecorded(&connection) { connection in
            var known: [ExactString: Set<ExactString>] = [:]
            for table in MirroredTable.all {
                let key: SQL = SQL("SELECT \(table.keyText) FROM \(table.name)", values: [])
                known[table.name.exact] = Set(
                    try connection.all(key) { row throws(SQLiteError) -> ExactString in ExactString(try row[0]) })
                if known[table.name.exact]?.isEmpty == false, let parking = table.parking {
                    try connection.run(SQL("UPDATE \(table.name) SET \(parking)", values: []))
                }
            }
            for table in MirroredTable.all {
                var gone = known[table.name.exact] ?? []
                try source.read(all: table) { rows in
                    for row in rows {
                        gone.remove(table.key(of: row).exact)
                        try write(row, table, &connection)
                    }
                }
                try delete(gone, table, &connection)
            }
        }
    }

    /// Replaces rows by their keys.
    func update(_ keys: [ExactString: Set<ExactString>], from source: RowSource, _ connection: inout SQLiteConnection) throws {
        guard !keys.isEmpty else { return }
        var keys = keys
        // If the server did not know a user before, the user's rows may be older than the user.
        var new: [String] = []
        for id in keys["users"] ?? [] where try !connection.exists("SELECT 1 FROM users WHERE id = \(id.text)") {
            new.append(id.text)
        }
        if !new.isEmpty {
            for table in MirroredTable.all where table.owners != nil {
                keys[table.name.exact, default: []].formUnion(try source.keys(of: table, owners: new).map(\.exact))
            }
        }
        try unrecorded(&connection) { connection in
            var found: [(MirroredTable, [JSONObject])] = []
            for table in MirroredTable.all {
                guard let keys = keys[table.name.exact], !keys.isEmpty else { continue }
                let rows = try source.rows(of: table, keys: keys.sorted().map(\.text))
                let there = rows.map(table.key(of:))
                try delete(keys.subtracting(there.map(\.exact)), table, &connection)
                if let parking = table.parking {
                    for key in there {
                        try connection.run(SQL("UPDATE \(table.name) SET \(parking) WHERE id = ?", values: [.text(key)]))
                    }
                }
                found.append((table, rows))
            }
            for (table, rows) in found { for row in rows { try write(row, table, &connection) } }
        }
    }

    private func write(_ row: JSONObject, _ table: MirroredTable, _ connection: inout SQLiteConnection) throws {
        try connection.run(SQL(table.upsert, values: table.columns.map { $0.stored(row[$0.name]) }))
    }

    private func delete(_ keys: Set<ExactString>, _ table: MirroredTable, _ connection: inout SQLiteConnection) throws {
        let condition = table.key.map { "\($0) = ?" }.joined(separator: " AND ")
        for key in keys {
            let parts = table.parts(of: key.text)
            guard parts.count == table.key.count else { continue }
            try connection.run(
                SQL("DELETE FROM \(table.name) WHERE \(condition)", values: parts.map { .text($0) }))
        }
    }

    private func unrecorded(
        _ connection: inout SQLiteConnection, _ body: (inout SQLiteConnection) throws -> Void
    ) throws {
        try connection.run("INSERT INTO mirror_pause VALUES (1)")
        try body(&connection)
        try connection.run("DELETE FROM mirror_pause")
    }

    // MARK: Changes of a request

    /// Returns the rows that were changed since the records were emptied, by table.
    func changes(_ connection: inout SQLiteConnection) throws -> [(table: MirroredTable, rows: [ChangedRow])] {
        var all: [(table: MirroredTable, rows: [ChangedRow])] = []
        for table in MirroredTable.all {
            let record = Self.record(of: table), names = table.columns.map(\.name), count = names.count
            let statement = """
                SELECT existed, t.\(table.key[0]) IS NOT NULL, \(Self.list(names, "r.")), \(Self.list(names, "t."))
                FROM \(record) r LEFT JOIN \(table.name) t ON \(Self.condition(table, "t", "r")) ORDER BY r.rowid
                """
            let rows = try connection.all(SQL(statement, values: [])) { row throws(SQLiteError) -> ChangedRow? in
                let (existed, exists): (Int64, Int64) = (try row[0], try row[1])
                var before: [SQLiteValue] = [], after: [SQLiteValue] = []
                for index in 0..<count {
                    before.append(try row[2 + index])
                    after.append(try row[2 + count + index])
                }
                return Self.changed(table, before: existed == 1 ? before : nil, after: exists == 1 ? after : nil)
            }.compactMap(\.self)
            if !rows.isEmpty { all.append((table, rows)) }
        }
        return all
    }

    private static func changed(_ table: MirroredTable, before: [SQLiteValue]?, after: [SQLiteValue]?) -> ChangedRow? {
        let columns = table.columns.enumerated().filter { !$0.element.isComputed }
        func values(_ columns: [(offset: Int, element: MirroredColumn)], _ row: [SQLiteValue]) -> JSONObject {
            columns.reduce(into: [:]) { $0[$1.element.name] = $1.element.sent(row[$1.offset]) }
        }
        let key = columns.filter { table.key.contains($0.element.name) }
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let after?):
            return ChangedRow(change: .insertion, values: values(columns, after), columns: columns.map(\.element))
        case (let before?, nil): return ChangedRow(change: .deletion, values: values(key, before), columns: [])
        case (let before?, let after?):
            let changed = columns.filter { before[$0.offset] != after[$0.offset] && !table.key.contains($0.element.name) }
            guard !changed.isEmpty else { return nil }
            return ChangedRow(change: .update, values: values(key + changed, after), columns: changed.map(\.element))
        }
    }

    /// Empties the records.
    func forgetChanges(_ connection: inout SQLiteConnection) throws {
        for table in MirroredTable.all { try connection.run(SQL("DELETE FROM \(Self.record(of: table))", values: [])) }
    }
}

extension MirroredTable {
    /// The key of a row in SQLite, as one text.
    fileprivate var keyText: String { key.joined(separator: " || ' ' || ") }

    /// Returns the key of a row from PostgreSQL, as one text.
    fileprivate func key(of row: JSONObject) -> String { key.map { row[$0]?.string ?? "" }.joined(separator: " ") }

    fileprivate var upsert: String {
        let names = columns.map(\.name)
        let others = names.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
        return """
            INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(others.joined(separator: ", "))
            """
    }
}
