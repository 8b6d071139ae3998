internal import LockstepSQLite

/// The part of a journal that canaries need.
///
/// No canary is created before its id is on disk.
public protocol CanaryJournal: Sendable {
    /// Records that canaries are about to be created.
    func noteCanaries(_ ids: [String]) async throws(MigrationError)

    /// Returns the ids of canaries that may be on the target.
    func canaries() async throws(MigrationError) -> [String]

    /// Records that canaries were removed.
    func forgetCanaries(_ ids: [String]) async throws(MigrationError)
}

extension SQLiteJournal {
    /// Records that canaries are about to be created.
    public func noteCanaries(_ ids: [String]) throws(MigrationError) {
        try write { connection in
            for id in ids { try connection.run("INSERT OR IGNORE INTO canaries VALUES (\(id))") }
        }
    }

    /// Returns the ids of canaries that may be on the target.
    public func canaries() throws(MigrationError) -> [String] {
        try read { connection in
            try connection.all("SELECT id FROM canaries ORDER BY id") { row throws(SQLiteError) -> String in try row[0] }
        }
    }

    /// Records that canaries were removed.
    public func forgetCanaries(_ ids: [String]) throws(MigrationError) {
        try write { connection in
            for id in ids { try connection.run("DELETE FROM canaries WHERE id = \(id)") }
        }
    }
}
