internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepSystem

/// A journal in a SQLite file in the folder of the run.
///
/// Each transaction waits for the disk (`synchronous = FULL`), so that a power failure loses no record.
public actor SQLiteJournal: MoveJournal {
    private let executor: ThreadExecutor
    private var connection: SQLiteConnection
    private var observer: @Sendable (WriteMoment) -> Void = { _ in }

    /// The thread on which the journal runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// Opens the journal, or creates it if it is missing.
    ///
    /// - Parameters:
    ///   - path: The file, in a folder that only this user can access.
    ///   - isReadOnly: Whether the journal is only read, while another process writes it.
    /// - Throws: `newerJournal`, `journal`; `notPlanned` if the other process has only begun.
    init(_ path: String, isReadOnly: Bool = false) throws(MigrationError) {
        do {
            executor = try ThreadExecutor()
            // Made first, so that SQLite's files get its permissions.
            if !isReadOnly { try PrivateFile.make(path) }
            try PrivateFile.check(path)
            var connection = try SQLiteConnection(isReadOnly ? .readOnly(path) : .file(path))
            // The plan of a large move sorts its rows in pieces of the cache's size.
            if !isReadOnly { try connection.script("PRAGMA synchronous = FULL; PRAGMA cache_size = -16384") }
            let version: Int = try connection.value("PRAGMA user_version") ?? 0
            try JournalSchema.check(version, of: path)
            if version == 0 {
                guard !isReadOnly else { throw MigrationError(.notPlanned, "The run has no plan yet.") }
                try connection.transaction { try $0.script(JournalSchema.text) }
            }
            self.connection = connection
        } catch let error as MigrationError {
            throw error
        } catch {
            throw Self.failure(error)
        }
    }

    /// A moment of a write.
    package enum WriteMoment: String, CaseIterable, Sendable {
        /// Just before the rows are on disk.
        case before
        /// Just after.
        case after
    }

    /// Calls a function just before and just after each write, so that a process can be ended there.
    package func observeWrites(_ observer: @escaping @Sendable (WriteMoment) -> Void) { self.observer = observer }

    private static func failure(_ error: any Error) -> MigrationError {
        if let error = error as? MigrationError { return error }
        return MigrationError(
            .journal, "The journal of the run cannot be used: \(error). Free space, or repair the folder, then continue the run.")
    }

    /// Runs `body` in one transaction.
    @discardableResult
    func write<Value>(_ body: (inout SQLiteConnection) throws -> Value) throws(MigrationError) -> Value {
        observer(.before)
        defer { observer(.after) }
        do {
            return try connection.transaction(body)
        } catch {
            throw Self.failure(error)
        }
    }

    func read<Value>(_ body: (inout SQLiteConnection) throws -> Value) throws(MigrationError) -> Value {
        do {
            return try body(&connection)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Prevents the file from growing, as on a full disk.
    func limitToPresentSize() throws(MigrationError) {
        try read { connection in
            // A plan leaves free pages behind.
            let size: Int = try connection.value("PRAGMA page_size") ?? 0
            let free: Int = try connection.value("PRAGMA freelist_count") ?? 0
            try connection.script("CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(\(size * free)))")
            let pages: Int = try connection.value("PRAGMA page_count") ?? 0
            try connection.script("PRAGMA max_page_count = \(pages)")
        }
    }

    /// Sets whether each transaction waits until its rows are on the disk.
    private func wait(forDisk isWaiting: Bool) throws(MigrationError) {
        try read { try $0.script("PRAGMA synchronous = \(isWaiting ? "FULL" : "NORMAL")") }
    }

    /// The number with which SQLite describes how much the database waits for the disk.
    func synchronous() throws(MigrationError) -> Int { try read { try $0.value("PRAGMA synchronous") ?? 0 } }
}

// MARK: The run

extension SQLiteJournal {
    /// Returns the source and the target of the run.
    ///
    /// - Returns: The source and the target; `nil` before the run is planned.
    /// - Throws: `journal` if the source and the target cannot be read.
    public func head() throws(MigrationError) -> RunHead? {
        let values = try read { connection in
            try connection.all("SELECT name, value FROM head") { row throws(SQLiteError) -> (String, String) in
                (try row[0], try row[1])
            }
        }
        let named = Dictionary(uniqueKeysWithValues: values)
        guard let source = named["source"], let target = named["target"] else { return nil }
        // A run of an unknown kind is not continued: no target has the mark.
        guard let access = MoveTarget.Access(rawValue: named["access"] ?? "api") else { return nil }
        return RunHead(source: source, target: target, access: access, plan: named["plan"])
    }

    /// Binds the run to a source and a target, and deletes all users from the journal.
    ///
    /// - Parameter head: The source and the target.
    /// - Throws: `journal` if the source and the target cannot be written.
    public func begin(_ head: RunHead) throws(MigrationError) {
        try write { connection in
            for table in ["head", "users", "carried", "target_users", "claims"] as [SQL] {
                try connection.run("DELETE FROM " + table)
            }
            try connection.run(
                """
                INSERT INTO head VALUES ('source', \(head.source)), ('target', \(head.target)), ('access', \(head.access.rawValue))
                """)
            for index in ["users_by_source", "users_by_target", "users_by_state"] as [SQL] {
                try connection.run("DROP INDEX IF EXISTS " + index)
            }
        }
        // A plan that loses power is made again, so it does not wait for the disk.
        try wait(forDisk: false)
    }

    /// Records that the plan is complete.
    ///
    /// - Parameter summary: The plan, as ``PlanSummary`` writes it.
    /// - Throws: `journal` if the plan cannot be written.
    public func finishPlan(_ summary: String) throws(MigrationError) {
        try wait(forDisk: true)
        try write { connection in try connection.run("INSERT OR REPLACE INTO head VALUES ('plan', \(summary))") }
    }

    /// Returns the number of users in each state.
    public func counts() throws(MigrationError) -> [UserState: Int] {
        let rows = try read { connection in
            try connection.all("SELECT state, count(*) FROM users GROUP BY state") {
                row throws(SQLiteError) -> (String, Int) in (try row[0], try row[1])
            }
        }
        return Dictionary(rows.map { (UserState(rawValue: $0.0) ?? .unknown, $0.1) }, uniquingKeysWith: +)
    }
}

// MARK: Users

extension SQLiteJournal {
    /// Returns users in the order of their numbers.
    ///
    /// - Parameters:
    ///   - states: The states of the users to return.
    ///   - number: The last number to skip; only users with a higher number are returned.
    ///   - limit: The maximum number of users.
    /// - Returns: The users.
    /// - Throws: `journal` if the users cannot be read.
    public func users(in states: Set<UserState>, after number: Int, limit: Int) throws(MigrationError) -> [JournalUser] {
        // By the index of one state. Of several states SQLite would sort all users for each page, so the "+" keeps it to the
        // numbers.
        let condition: SQL =
            states.count == 1 ? "state = \(states.first?.rawValue ?? "")" : "+state IN (\(list: states.map(\.rawValue)))"
        return try users("\(condition) AND number > \(number) ORDER BY number LIMIT \(limit)")
    }

    /// Returns users of all states in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: The last number to skip; only users with a higher number are returned.
    ///   - limit: The maximum number of users.
    /// - Returns: The users.
    /// - Throws: `journal`.
    func users(after number: Int, limit: Int) throws(MigrationError) -> [JournalUser] {
        try users("number > \(number) ORDER BY number LIMIT \(limit)")
    }

    /// Returns the users with the given ids on the source.
    ///
    /// - Parameter ids: The ids on the source.
    /// - Returns: The users whom the journal contains.
    /// - Throws: `journal` if the users cannot be read.
    public func users(sourceIDs ids: [String]) throws(MigrationError) -> [JournalUser] {
        try users("source IN (\(list: ids)) ORDER BY number")
    }

    /// Returns the users with the given ids on the target.
    ///
    /// - Parameter ids: The ids on the target.
    /// - Returns: The users whom the journal contains.
    /// - Throws: `journal` if the users cannot be read.
    public func users(targetIDs ids: [String]) throws(MigrationError) -> [JournalUser] {
        try users("target IN (\(list: ids)) ORDER BY number")
    }

    private func users(_ condition: SQL) throws(MigrationError) -> [JournalUser] {
        try read { connection in
            try connection.all("SELECT \(JournalSchema.columns) FROM users WHERE \(condition)") {
                row throws(SQLiteError) in try JournalUser(row)
            }
        }
    }

    /// Records requests that will create users.
    ///
    /// - Parameter users: The users.
    /// - Throws: `journal` if the users cannot be written.
    public func intend(_ users: [Intent]) throws(MigrationError) {
        try write { connection in
            for user in users {
                try connection.run(
                    """
                    UPDATE users SET state = \(UserState.intended.rawValue), digest = \(user.digest), reason = NULL,
                        signed_in = \(user.signedIn.sqliteValue), stages = \(user.stages.flatMap(\.self))
                    WHERE number = \(user.number)
                    """)
                if let carried = user.carried { try connection.carry(carried, of: user.number) }
            }
        }
    }

    /// Records the outcomes of requests that create users.
    ///
    /// - Parameter users: The outcomes, one for each user.
    /// - Throws: `collision` if another user of the source already has an id that the target has made; `journal`.
    public func settle(_ users: [Settlement]) throws(MigrationError) {
        try write { connection in
            for user in users {
                if let id = user.targetID { try connection.requireUnused(id, by: user.number) }
                try connection.run(
                    """
                    UPDATE users SET state = \(user.state.rawValue), reason = \(user.reason.sqliteValue),
                        target = coalesce(target, \(user.targetID.sqliteValue))
                    WHERE number = \(user.number)
                    """)
            }
        }
    }

    /// Records that users will be deleted.
    ///
    /// - Parameter numbers: The numbers that the journal gives to the users.
    /// - Throws: `journal` if the users cannot be written.
    public func intendRemoval(_ numbers: [Int]) throws(MigrationError) {
        try settleRemoval(numbers.map { ($0, .intended) })
    }

    /// Records the outcomes of an undo.
    ///
    /// - Parameter users: The users with their outcomes.
    /// - Throws: `journal` if the outcomes cannot be written.
    public func settleRemoval(_ users: [(number: Int, removal: Removal?)]) throws(MigrationError) {
        try write { connection in
            for (number, removal) in users {
                try connection.run("UPDATE users SET removal = \((removal?.rawValue).sqliteValue) WHERE number = \(number)")
                let state: UserState? =
                    switch removal {
                    case .undone: .undone
                    case .signedIn, .changed: .kept
                    case .intended, nil: nil
                    }
                if let state { try connection.run("UPDATE users SET state = \(state.rawValue) WHERE number = \(number)") }
            }
        }
    }
}

extension SQLiteConnection {
    /// Checks that no other user of the source has an id that the target has made.
    fileprivate mutating func requireUnused(_ id: String, by number: Int) throws {
        let found: String? = try value("SELECT source FROM users WHERE target = \(id) AND number <> \(number)")
        guard let other = found, let own: String = try value("SELECT source FROM users WHERE number = \(number)") else { return }
        throw MigrationError(
            .collision,
            "The users \"\(other.visible)\" and \"\(own.visible)\" of the source are one user of the target, \"\(id.visible)\". The run has "
                + "stopped. Find out who else writes users there, or the cache or proxy that mixes up responses.")
    }
}
