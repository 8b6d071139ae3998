extension SQLiteConnection {
    /// Does everything in `body` or nothing: commits when it returns, rolls back when it throws.
    ///
    /// A transaction inside another one is a savepoint: what it did is undone alone.
    @discardableResult
    public mutating func transaction<Value>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        let isOutermost = depth == 0
        try run(isOutermost ? "BEGIN IMMEDIATE" : "SAVEPOINT inner")
        depth += 1
        defer { depth -= 1 }
        do {
            let value = try body(&self)
            try run(isOutermost ? "COMMIT" : "RELEASE inner")
            return value
        } catch {
            // SQLite has rolled back by itself after some errors (a full disk); then there is nothing left to undo.
            _ = try? run(isOutermost ? "ROLLBACK" : "ROLLBACK TO inner")
            if !isOutermost { _ = try? run("RELEASE inner") }
            throw error
        }
    }

    /// Brings the schema up to the last of `steps`; each runs once in the life of a database, in order.
    ///
    /// The number of steps done is kept in `user_version`. A database that knows more steps than these is refused.
    ///
    /// - Throws: ``SQLiteError`` with `mismatch` when the database is of a newer version.
    public mutating func migrate(_ steps: [String]) throws {
        guard try stepsDone(of: steps.count) < steps.count else { return }
        for (index, step) in steps.enumerated() {
            try transaction { connection in
                // Checked again while the lock is held: another process may have done the step meanwhile.
                guard try connection.stepsDone(of: steps.count) <= index else { return }
                try connection.script(step)
                try connection.script("PRAGMA user_version = \(index + 1)")
            }
        }
    }

    private mutating func stepsDone(of count: Int) throws -> Int {
        let done = try value("PRAGMA user_version", as: Int.self) ?? 0
        guard done <= count else {
            throw SQLiteError(
                code: .mismatch, message: "the database is of version \(done), this program knows \(count): use a newer one")
        }
        return done
    }
}
