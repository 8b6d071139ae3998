extension SQLiteConnection {
    /// Runs a closure in a transaction.
    ///
    /// If the closure returns, the transaction is committed. If the closure throws an error, the transaction is rolled back. A
    /// transaction inside another one is a savepoint, which can be rolled back alone.
    ///
    /// - Parameter body: The closure, which receives the connection.
    /// - Throws: The error that `body` throws; ``SQLiteError``.
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
            // SQLite automatically rolls back after some errors, such as a full disk; then there is nothing left to undo.
            _ = try? run(isOutermost ? "ROLLBACK" : "ROLLBACK TO inner")
            if !isOutermost { _ = try? run("RELEASE inner") }
            throw error
        }
    }
}
