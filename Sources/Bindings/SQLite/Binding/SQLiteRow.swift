/// The current row of a result.
///
/// This value can be used only while the row is read. The compiler inlines and specializes the code that reads a value, so
/// that no generic code runs.
public struct SQLiteRow: ~Copyable {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// The value of a column, converted to the type that the caller wants.
    ///
    /// The call throws ``SQLiteError`` with `mismatch` if there is no such column, or if the column has another type.
    public subscript<Value: SQLiteConvertible>(name: String) -> Value {
        @inlinable get throws(SQLiteError) {
            guard let value = Value(try value(called: name)) else {
                throw mismatch("column \(name) cannot be read as \(Value.self)")
            }
            return value
        }
    }

    /// The value of a column, converted to the type that the caller wants.
    ///
    /// The call throws ``SQLiteError`` with `mismatch` if there is no such column, or if the column has another type.
    ///
    /// - Parameter index: The number of the column, counted from 0.
    public subscript<Value: SQLiteConvertible>(index: Int) -> Value {
        @inlinable get throws(SQLiteError) {
            guard let value = Value(try value(at: index)) else {
                throw mismatch("column \(index) cannot be read as \(Value.self)")
            }
            return value
        }
    }

    @usableFromInline func value(called name: String) throws(SQLiteError) -> SQLiteValue {
        guard let index = statement.index(of: name) else { throw mismatch("the row has no column \(name)") }
        return statement.value(at: index)
    }

    @usableFromInline func value(at index: Int) throws(SQLiteError) -> SQLiteValue {
        guard index >= 0, index < Int(statement.columns) else { throw mismatch("the row has no column \(index)") }
        return statement.value(at: Int32(index))
    }

    @usableFromInline func mismatch(_ message: String) -> SQLiteError {
        SQLiteError(code: .mismatch, message: message, statement: statement.text)
    }
}
