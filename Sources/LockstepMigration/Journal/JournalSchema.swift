internal import LockstepSQLite

/// The tables of a run's journal.
enum JournalSchema {
    /// The version that this build writes; it rejects all others.
    static let version = 4

    static let text = """
        CREATE TABLE head (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE users (
            number INTEGER PRIMARY KEY, source TEXT NOT NULL, target TEXT, state TEXT NOT NULL, reason TEXT,
            digest BLOB NOT NULL, stages BLOB, removal TEXT, signed_in INTEGER,
            shape INTEGER NOT NULL DEFAULT 0, other INTEGER
        ) STRICT;
        CREATE TABLE target_users (id TEXT NOT NULL, external TEXT, digest BLOB NOT NULL) STRICT;
        CREATE TABLE claims (kind INTEGER NOT NULL, digest BLOB NOT NULL, owner INTEGER NOT NULL) STRICT;
        CREATE TABLE canaries (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TABLE carried (number INTEGER PRIMARY KEY, parts BLOB, next BLOB, next_parts BLOB) STRICT;
        \(indexes)
        PRAGMA user_version = 4;
        """

    /// The indexes of the users.
    ///
    /// A plan makes them when all users are there: SQLite sorts then, and does not write all over the file.
    static let indexes = """
        CREATE UNIQUE INDEX users_by_source ON users (source);
        CREATE UNIQUE INDEX users_by_target ON users (target);
        CREATE INDEX users_by_state ON users (state, number);
        """

    /// Checks the version of a journal; a new file has none.
    ///
    /// - Throws: `newerJournal`, `olderJournal`.
    static func check(_ found: Int, of path: String) throws(MigrationError) {
        switch found {
        case 0, version: return
        case 1..<version:
            // Nothing was released with it.
            throw MigrationError(
                .olderJournal,
                "The journal \"\(path)\" has format \(found), which builds of Lockstep 0.1.0 wrote before its release. Finish the run with "
                    + "the build that began it (apply, verify, follow), or undo it there. Then make a new plan with this build.")
        default:
            throw MigrationError(
                .newerJournal,
                "The journal \"\(path)\" has format \(found), which was written by a newer version. Use that version.")
        }
    }

    static let columns: SQL = """
        number, source, target, state, reason, digest, removal, signed_in,
        (SELECT o.source FROM users o WHERE o.number = users.other), stages
        """
}

extension JournalUser {
    init(_ row: borrowing SQLiteRow) throws(SQLiteError) {
        number = try row[0]
        sourceID = try row[1]
        targetID = try row[2]
        let (state, reason, removal): (String, String?, String?) = (try row[3], try row[4], try row[6])
        // A state of another build: the user is left alone.
        self.state = UserState(rawValue: state) ?? .unknown
        self.reason = reason
        digest = try row[5]
        self.removal = removal.flatMap(Removal.init)
        signedIn = try row[7]
        firstSourceID = try row[8]
        let stages: [UInt8]? = try row[9]
        self.stages = (stages ?? []).pieces(of: RunKey.digestSize)
    }
}

extension [UInt8] {
    fileprivate func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0...].prefix(size)) }
    }
}
