/// The tables of an emulator as this build has them, and what changed since earlier builds.
///
///     let schema = Schema([Note.table.definition], changes: ["ALTER TABLE notes ADD COLUMN read_at INTEGER"])
///
/// A new database begins with the tables. That of an earlier build is brought up to date by the changes that it lacks. `user_version` counts
/// the changes; a database without any has version 1.
public struct Schema: Sendable {
    private let tables: [String]
    private let changes: [String]

    /// Declares the tables.
    ///
    /// - Parameters:
    ///   - tables: The statements that make them: ``Table/definition`` of each record.
    ///   - changes: What each later build has changed in the tables of earlier ones, in order. A change never changes itself.
    public init(_ tables: [String], changes: [String] = []) {
        self.tables = tables
        self.changes = changes
    }

    /// Makes the tables in a new database, or runs the changes that an earlier one lacks.
    ///
    /// - Parameter connection: The database.
    /// - Throws: `SQLiteError` with `mismatch` if the database is of a later build.
    public func open(_ connection: inout SQLiteConnection) throws {
        let version = changes.count + 1
        guard try connection.version() != version else { return }
        try connection.transaction { connection in
            // Read again while the lock is held: another process may have made the tables meanwhile.
            let known = try connection.version()
            guard known <= version else {
                throw SQLiteError(
                    code: .mismatch,
                    message:
                        "the state is of a later build (version \(known); this build knows \(version)): use that build, or another folder"
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
