internal import LockstepPrimitives
internal import LockstepSQLite

extension SQLiteJournal {
    /// The columns of a followed user.
    private static let columns: SQL = "\(JournalSchema.columns), parts, next, next_parts"
    private static let tables: SQL = "users LEFT JOIN carried USING (number)"

    /// Begins a pass over the source.
    ///
    /// At the beginning of a pass, no user is marked as seen. The users that the pass sees are in a temporary table, because other
    /// processes do not need them.
    ///
    /// - Throws: `journal` if the pass cannot be written.
    public func beginPass() throws(MigrationError) {
        try write { connection in
            try connection.run("CREATE TEMP TABLE IF NOT EXISTS present (number INTEGER PRIMARY KEY)")
            try connection.run("DELETE FROM present")
        }
    }

    /// Records users whom the source still has.
    ///
    /// - Parameter numbers: The numbers that the journal gives to the users.
    /// - Throws: `journal` if the users cannot be written.
    public func notePresent(_ numbers: [Int]) throws(MigrationError) {
        try write { connection in
            for number in numbers { try connection.run("INSERT OR IGNORE INTO present VALUES (\(number))") }
        }
    }

    /// Returns the users with the given ids on the source.
    ///
    /// - Parameter ids: The ids on the source.
    /// - Returns: The users whom the journal contains.
    /// - Throws: `journal` if the users cannot be read.
    public func followed(sourceIDs ids: [String]) throws(MigrationError) -> [FollowedUser] {
        try followed("source IN (\(list: ids)) ORDER BY number")
    }

    /// Returns users who were copied but not seen in this pass, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: The last number to skip; only users with a higher number are returned.
    ///   - limit: The maximum number of users.
    /// - Returns: The users.
    /// - Throws: `journal` if the users cannot be read.
    public func absent(after number: Int, limit: Int) throws(MigrationError) -> [FollowedUser] {
        let states: [UserState] = [.complete, .verified, .adopted, .differs]
        return try followed(
            """
            +state IN (\(list: states.map(\.rawValue))) AND number > \(number)
            AND NOT EXISTS (SELECT 1 FROM present WHERE present.number = users.number) ORDER BY number LIMIT \(limit)
            """)
    }

    /// Returns users for whom a change may have been sent, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: The last number to skip; only users with a higher number are returned.
    ///   - limit: The maximum number of users.
    /// - Returns: The users.
    /// - Throws: `journal` if the users cannot be read.
    public func changing(after number: Int, limit: Int) throws(MigrationError) -> [FollowedUser] {
        try followed("next IS NOT NULL AND number > \(number) ORDER BY number LIMIT \(limit)")
    }

    private func followed(_ condition: SQL) throws(MigrationError) -> [FollowedUser] {
        try read { connection in
            try connection.all("SELECT \(Self.columns) FROM \(Self.tables) WHERE \(condition)") {
                row throws(SQLiteError) in try FollowedUser(row)
            }
        }
    }

    /// Records changes to users before the run sends them.
    ///
    /// - Parameter changes: The changes.
    /// - Throws: `journal` if the changes cannot be written.
    public func intendChanges(_ changes: [ChangeIntent]) throws(MigrationError) {
        try write { connection in
            for change in changes {
                try connection.run(
                    """
                    INSERT INTO carried (number, next, next_parts)
                    VALUES (\(change.number), \(change.digest), \(change.carried.bytes))
                    ON CONFLICT (number) DO UPDATE SET next = excluded.next, next_parts = excluded.next_parts
                    """)
            }
        }
    }

    /// Records the outcomes of changes to users.
    ///
    /// - Parameter changes: The outcomes.
    /// - Throws: `journal` if the outcomes cannot be written.
    public func settleChanges(_ changes: [ChangeSettlement]) throws(MigrationError) {
        try write { connection in
            for change in changes {
                try connection.run("UPDATE carried SET next = NULL, next_parts = NULL WHERE number = \(change.number)")
                guard let made = change.made else { continue }
                try connection.carry(made.carried, of: change.number)
                // A user who was there before the run stays one who is never deleted.
                try connection.run(
                    """
                    UPDATE users SET digest = \(made.digest), reason = NULL,
                        state = CASE state WHEN \(UserState.adopted.rawValue) THEN state ELSE \(UserState.complete.rawValue) END
                    WHERE number = \(change.number)
                    """)
            }
        }
    }

    /// Records the plan for users who are new on the source.
    ///
    /// Users who were not copied are planned again.
    ///
    /// - Parameter users: The users.
    /// - Throws: `collision` if another user already has the id on the target; `journal`.
    public func add(_ users: [PlannedUser]) throws(MigrationError) {
        try write { connection in
            for user in users {
                if let id = user.targetID,
                    try connection.exists("SELECT 1 FROM users WHERE target = \(id) AND source <> \(user.sourceID)")
                {
                    throw MigrationError(
                        .collision, "Two users of the source get the id \"\(id)\" on the target. No user was created.")
                }
                try connection.run(
                    """
                    INSERT INTO users (source, target, state, reason, digest)
                    VALUES (\(user.sourceID), \(user.targetID.sqliteValue), \(user.state.rawValue), \((user.reason?.rawValue).sqliteValue),
                        \(user.digest))
                    ON CONFLICT (source) DO UPDATE SET state = excluded.state, reason = excluded.reason, digest = excluded.digest,
                        target = excluded.target
                    """)
                guard user.state == .adopted, let carried = user.carried,
                    let number: Int = try connection.value("SELECT number FROM users WHERE source = \(user.sourceID)")
                else { continue }
                try connection.carry(carried, of: number)
            }
        }
    }

    /// Records that users were deleted from the source or from the target.
    ///
    /// - Parameters:
    ///   - numbers: The numbers that the journal gives to the users.
    ///   - side: Where they were deleted: `source` or `target`.
    /// - Throws: `journal` if the users cannot be written.
    public func bury(_ numbers: [Int], goneFrom side: String) throws(MigrationError) {
        guard !numbers.isEmpty else { return }
        try write { connection in
            for number in numbers {
                try connection.run(
                    "UPDATE users SET state = \(UserState.gone.rawValue), reason = \(side), removal = NULL WHERE number = \(number)"
                )
                try connection.run("UPDATE carried SET next = NULL, next_parts = NULL WHERE number = \(number)")
            }
        }
    }
}

extension SQLiteConnection {
    /// Notes what is carried over of a user.
    mutating func carry(_ user: CarriedUser, of number: Int) throws(SQLiteError) {
        try run(
            """
            INSERT INTO carried (number, parts) VALUES (\(number), \(user.bytes))
            ON CONFLICT (number) DO UPDATE SET parts = excluded.parts
            """)
    }
}

extension FollowedUser {
    init(_ row: borrowing SQLiteRow) throws(SQLiteError) {
        self.row = try JournalUser(row)
        let (parts, next, nextParts): ([UInt8]?, [UInt8]?, [UInt8]?) = (try row["parts"], try row["next"], try row["next_parts"])
        carried = parts.flatMap(CarriedUser.init)
        intent =
            if let next, let carried = nextParts.flatMap(CarriedUser.init) {
                ChangeIntent(number: self.row.number, digest: next, carried: carried)
            } else {
                nil
            }
    }
}
