internal import Lockstep
internal import LockstepSQLite

/// The tables of the store.
enum SessionSchema {
    /// The version that this program reads and writes, which `PRAGMA user_version` contains.
    ///
    /// Version 1 had no owners and no digests.
    static let version = 2

    private static let tables = """
        CREATE TABLE sessions (
            owner TEXT NOT NULL, provider TEXT NOT NULL, backend TEXT NOT NULL, slot TEXT NOT NULL, revision TEXT NOT NULL,
            bytes BLOB NOT NULL, digest BLOB NOT NULL,
            PRIMARY KEY (owner, provider, backend, slot)
        ) WITHOUT ROWID;
        CREATE TABLE present (id BLOB PRIMARY KEY) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """

    /// Makes the tables in an empty database.
    static func make(_ connection: inout SQLiteConnection) throws {
        try connection.transaction { connection in
            try connection.script(
                """
                \(tables)
                CREATE TABLE aside (
                    number INTEGER PRIMARY KEY, provider TEXT NOT NULL, backend TEXT NOT NULL, slot TEXT NOT NULL, bytes,
                    owner TEXT NOT NULL DEFAULT ''
                );
                """)
        }
    }

    /// Updates the tables to the version of this program.
    ///
    /// `owner` is the owner of the rows from a version without owners. It throws a ``StoreError`` if the tables have a newer
    /// version, or if they have rows and no owner is given. It throws a ``SQLiteError`` with `corrupt` if there are no tables,
    /// because no version leaves such a database.
    static func migrate(_ connection: inout SQLiteConnection, path: String, unownedRowsBelongTo owner: StoreOwner?) throws {
        let found = try connection.value("PRAGMA user_version", as: Int.self) ?? 0
        guard found != version else { return }
        guard found < version else {
            throw StoreError(
                .unreadable,
                "\(path) was written by a newer version of Lockstep: it has version \(found), but this program supports version \(version)."
            )
        }
        guard found == 1 else { throw SQLiteError(code: .corrupt, message: "it has no session tables") }
        try connection.transaction { connection in
            guard try connection.value("PRAGMA user_version", as: Int.self) == 1 else { return }
            let rows = try connection.all("SELECT provider, backend, slot, revision, bytes FROM stored") {
                row throws(SQLiteError) -> [SQLiteValue] in [try row[0], try row[1], try row[2], try row[3], try row[4]]
            }
            guard let name = owner?.name ?? (rows.isEmpty ? "" : nil) else {
                throw StoreError(
                    .unreadable,
                    """
                    \(path) holds \(rows.count) values from a version of Lockstep without owners. Nothing was changed. Name their owner: SQLiteSessionDatabase(directory:unownedRowsBelongTo:).
                    """)
            }
            try connection.script(
                """
                \(tables)
                ALTER TABLE aside ADD COLUMN owner TEXT NOT NULL DEFAULT '';
                """)
            for row in rows {
                guard case (.text(let provider), .text(let backend), .text(let slot)) = (row[0], row[1], row[2]),
                    let slot = StoreKey.Slot(rawValue: slot), case (.text(let revision), .blob(let bytes)) = (row[3], row[4])
                else {
                    try connection.run(
                        "INSERT INTO aside (provider, backend, slot, bytes) VALUES (\(row[0]), \(row[1]), \(row[2]), \(row[4]))")
                    continue
                }
                let place = SessionRow(owner: name, key: StoreKey(provider: provider, backend: backend, slot: slot))
                try connection.write(
                    StoredValue(bytes: bytes, revision: Revision(rawValue: revision)), to: place, isNew: true)
            }
            try connection.run("UPDATE aside SET owner = \(name)")
            try connection.script("DROP TABLE stored")
        }
    }
}
