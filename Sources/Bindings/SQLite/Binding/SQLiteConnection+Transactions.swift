extension SQLiteConnection {
    /// Runs a closure in a transaction.
    ///
    /// It commits when the closure returns, and rolls back when the closure throws.
    ///
    /// A transaction inside another one is a savepoint, which is rolled back separately.
    ///
    /// - Parameter body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or ``SQLiteError``.
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
