/// The row a statement stands on; there only while it is read.
///
/// What depends on the type that is asked for is compiled where it is asked: reading a row takes no generic code at run time.
public struct SQLiteRow: ~Copyable {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// The value of a column, in the type that is asked for.
    ///
    /// - Throws: ``SQLiteError`` with `mismatch` when there is no such column, or it holds another kind of value.
    public subscript<Value: SQLiteConvertible>(name: String) -> Value {
        @inlinable get throws(SQLiteError) {
            guard let value = Value(try value(called: name)) else { throw mismatch("column \(name) holds no \(Value.self)") }
            return value
        }
    }

    /// The value of the column at a place, counted from 0.
    ///
    /// - Throws: ``SQLiteError`` with `mismatch` when there is no such column, or it holds another kind of value.
    public subscript<Value: SQLiteConvertible>(index: Int) -> Value {
        @inlinable get throws(SQLiteError) {
            guard let value = Value(try value(at: index)) else { throw mismatch("column \(index) holds no \(Value.self)") }
            return value
        }
    }

    @usableFromInline func value(called name: String) throws(SQLiteError) -> SQLiteValue {
        guard let index = statement.index(of: name) else { throw mismatch("no column \(name)") }
        return statement.value(at: index)
    }

    @usableFromInline func value(at index: Int) throws(SQLiteError) -> SQLiteValue {
        guard index >= 0, index < Int(statement.columns) else { throw mismatch("no column \(index)") }
        return statement.value(at: Int32(index))
    }

    @usableFromInline func mismatch(_ message: String) -> SQLiteError {
        SQLiteError(code: .mismatch, message: message, statement: statement.text)
    }
}
