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
}
