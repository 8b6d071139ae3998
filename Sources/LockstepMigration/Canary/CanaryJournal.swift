internal import LockstepSQLite

/// The functions of a journal for canaries, which are temporary users on the target.
///
/// A canary is created on the target only after its id is on the disk.
public protocol CanaryJournal: Sendable {
    /// Records that canaries will be created.
    ///
    /// - Parameter ids: The ids of the canaries on the target; the external ids if the target makes the ids.
    /// - Throws: `journal` if the ids cannot be written.
    func noteCanaries(_ ids: [String]) async throws(MigrationError)

    /// Returns the ids of canaries that may exist on the target.
    ///
    /// - Returns: The ids.
    /// - Throws: `journal` if the ids cannot be read.
    func canaries() async throws(MigrationError) -> [String]

    /// Records that canaries were deleted from the target.
    ///
    /// - Parameter ids: The ids of the canaries.
    /// - Throws: `journal` if the ids cannot be written.
    func forgetCanaries(_ ids: [String]) async throws(MigrationError)
}

extension SQLiteJournal {
    /// Records that canaries will be created.
    ///
    /// - Parameter ids: The ids of the canaries on the target; the external ids if the target makes the ids.
    /// - Throws: `journal` if the ids cannot be written.
    public func noteCanaries(_ ids: [String]) throws(MigrationError) {
        try write { connection in
            for id in ids { try connection.run("INSERT OR IGNORE INTO canaries VALUES (\(id))") }
        }
    }

    /// Returns the ids of canaries that may exist on the target.
    ///
    /// - Returns: The ids.
    /// - Throws: `journal` if the ids cannot be read.
    public func canaries() throws(MigrationError) -> [String] {
        try read { connection in
            try connection.all("SELECT id FROM canaries ORDER BY id") { row throws(SQLiteError) -> String in try row[0] }
        }
    }

    /// Records that canaries were deleted from the target.
    ///
    /// - Parameter ids: The ids of the canaries.
    /// - Throws: `journal` if the ids cannot be written.
    public func forgetCanaries(_ ids: [String]) throws(MigrationError) {
        try write { connection in
            for id in ids { try connection.run("DELETE FROM canaries WHERE id = \(id)") }
        }
    }
}
