/// The row a statement stands on; there only while it is read.
public struct SQLiteRow: ~Copyable {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// The value of a column, in the type that is asked for.
    ///
    /// - Throws: ``SQLiteError`` with `mismatch` when there is no such column, or it holds another kind of value.
    public subscript<Value: SQLiteConvertible>(name: String) -> Value {
        get throws(SQLiteError) {
            guard let index = statement.index(of: name) else {
                throw SQLiteError(code: .mismatch, message: "no column \(name)", statement: statement.text)
            }
            return try value(at: index, called: name)
        }
    }

    /// The value of the column at a place, counted from 0.
    ///
    /// - Throws: ``SQLiteError`` with `mismatch` when there is no such column, or it holds another kind of value.
    public subscript<Value: SQLiteConvertible>(index: Int) -> Value {
        get throws(SQLiteError) {
            guard index >= 0, index < Int(statement.columns) else {
                throw SQLiteError(code: .mismatch, message: "no column \(index)", statement: statement.text)
            }
            return try value(at: Int32(index), called: "\(index)")
        }
    }

    private func value<Value: SQLiteConvertible>(at index: Int32, called name: String) throws(SQLiteError) -> Value {
        let value = statement.value(at: index)
        guard let result = Value(value) else {
            throw SQLiteError(code: .mismatch, message: "column \(name) holds no \(Value.self)", statement: statement.text)
        }
        return result
    }
}
