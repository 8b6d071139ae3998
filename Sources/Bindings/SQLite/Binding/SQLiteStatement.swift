internal import CLockstepSQLite

/// A prepared statement.
///
/// Only the connection that owns the statement runs it.
@safe final class SQLiteStatement {
    let text: String
    let places: Int
    private let handle: OpaquePointer
    private let database: SQLiteHandle
    private var names: [String: Int32] = [:]
    /// The columns in the order in which the last row was read, and the position in the current row.
    ///
    /// The rows of a statement are read in the same order. So the next column is known without looking it up.
    private var sequence: [(name: String, index: Int32)] = []
    private var position = 0

    /// Prepares a statement; `nil` if the text is not exactly one statement.
    ///
    /// The connection then knows why.
    init?(_ text: String, on database: SQLiteHandle) {
        var prepared: OpaquePointer?
        // The database is open as long as its object lives, and this object keeps it alive. `prepared` lives on this stack
        // frame. The text is a copy that ends with NUL, for the call.
        let result = unsafe sqlite3_prepare_v3(database.pointer, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK, let prepared = unsafe prepared else { return nil }
        unsafe handle = prepared
        self.database = database
        self.text = text
        // Just prepared.
        places = unsafe Int(sqlite3_bind_parameter_count(prepared))
    }

    deinit {
        // No other object has the handle, and only this code finalizes it.
        unsafe sqlite3_finalize(handle)
    }

    func bind(_ value: SQLiteValue, at index: Int) -> Int32 {
        let place = Int32(index + 1)
        // In all cases: the handle is not finalized, and SQLite copies the bytes before it returns (SQLITE_TRANSIENT).
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, place)
        case .int(let number): return unsafe sqlite3_bind_int64(handle, place, number)
        case .double(let number): return unsafe sqlite3_bind_double(handle, place, number)
        case .text(var text):
            return text.withUTF8 { utf8 in
                unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                    unsafe lockstep_sqlite_bind_text(handle, place, characters.baseAddress, Int32(clamping: characters.count))
                }
            }
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes { buffer in
                unsafe lockstep_sqlite_bind_blob(handle, place, buffer.baseAddress, Int32(clamping: buffer.count))
            }
        }
    }

    /// How often the statement has run since it was prepared.
    var runs: Int {
        // The handle is not finalized.
        unsafe Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_RUN, 0))
    }

    func step() -> Int32 {
        position = 0
        // The handle is not finalized.
        return unsafe sqlite3_step(handle)
    }

    /// Prepares the statement for its next use, and releases its locks and values.
    func reset() {
        // The handle is not finalized.
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    /// The number of columns in the current row.
    var columns: Int32 {
        // The handle is not finalized.
        unsafe sqlite3_data_count(handle)
    }

    func index(of name: String) -> Int32? {
        if position < sequence.count, sequence[position].name == name {
            position += 1
            return sequence[position - 1].index
        }
        guard let index = lookedUp(name) else { return nil }
        sequence.removeSubrange(position...)
        // At most one entry per column: if a reader reads the same column again, the column is found by its name.
        if position < Int(columns) {
            sequence.append((name, index))
            position += 1
        }
        return index
    }

    private func lookedUp(_ name: String) -> Int32? {
        if let index = names[name] { return index }
        for index in 0..<columns {
            // The index is within the count. The name is valid until the statement is finalized, and is copied here.
            if let column = unsafe sqlite3_column_name(handle, index) { unsafe names[String(cString: column)] = index }
        }
        return names[name]
    }

    /// Returns the value in a column of the current row.
    func value(at index: Int32) -> SQLiteValue {
        // In all cases: the handle is on a row, and the index is within its columns. SQLite's pointer is valid until the next
        // step or reset, which cannot happen before the copy here is complete.
        switch unsafe sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return unsafe .int(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return unsafe .double(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            guard let start = unsafe sqlite3_column_text(handle, index) else { return .null }
            let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
            return unsafe .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = unsafe UnsafeRawBufferPointer(
                start: sqlite3_column_blob(handle, index), count: Int(sqlite3_column_bytes(handle, index)))
            return unsafe .blob(Array(bytes))
        default: return .null
        }
    }
}
