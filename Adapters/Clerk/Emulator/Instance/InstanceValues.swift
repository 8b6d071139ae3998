internal import LockstepEmulation
internal import LockstepSQLite

/// The instance's own named values: its keys.
struct InstanceValues: Sendable {
    let database: Database

    func find(_ name: String) throws -> String? {
        try database.read { try $0.value("SELECT value FROM instance WHERE name = \(name)", as: String.self) }
    }

    /// The value of that name, created where it is missing.
    func value(_ name: String, _ make: () throws -> String) throws -> String {
        if let value = try find(name) { return value }
        let value = try make()
        // Another process on the same folder may have created one meanwhile: both use the first one.
        try database.write {
            _ = try $0.run("INSERT INTO instance (name, value) VALUES (\(name), \(value)) ON CONFLICT (name) DO NOTHING")
        }
        return try find(name) ?? value
    }

    func all() throws -> [(name: String, value: String)] {
        try database.read { connection in
            try connection.all("SELECT name, value FROM instance") { row throws(SQLiteError) in
                (name: try row[0] as String, value: try row[1] as String)
            }
        }
    }
}
