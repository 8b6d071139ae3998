/// The tables of an emulator, and the changes that update the tables of earlier versions.
///
///     let schema = Schema([Note.table.definition], changes: ["ALTER TABLE notes ADD COLUMN read_at INTEGER"])
///
/// A new database gets the tables. A database of an earlier version gets the changes that it does not have yet. `user_version` of
/// the database is the number of its changes plus 1.
public struct Schema: Sendable {
    private let tables: [String]
    private let changes: [String]

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - tables: The statements that make the tables: ``Table/definition`` of each record.
    ///   - changes: The statements that have changed the tables since the first version, in order. Only append to this list;
    ///     never edit a change.
    public init(_ tables: [String], changes: [String] = []) {
        self.tables = tables
        self.changes = changes
    }

    /// Makes the tables in a new database, or applies the missing changes to an older one.
    ///
    /// - Throws: `SQLiteError` with `mismatch` if a later version of the program has made the database.
    public func open(_ connection: inout SQLiteConnection) throws {
        let version = changes.count + 1
        guard try connection.version() != version else { return }
        try connection.transaction { connection in
            // The version is read again while the lock is held, because another process may have made the tables meanwhile.
            let known = try connection.version()
            guard known <= version else {
                throw SQLiteError(
                    code: .mismatch,
                    message:
                        "a later build wrote the state (version \(known); this build reads \(version)): use that build, or another folder"
                )
            }
            let scripts = known == 0 ? tables : Array(changes.dropFirst(known - 1))
            for script in scripts { try connection.script(script) }
            try connection.script("PRAGMA user_version = \(version)")
        }
    }
}

extension SQLiteConnection {
    fileprivate mutating func version() throws -> Int { try value("PRAGMA user_version", as: Int.self) ?? 0 }
}
