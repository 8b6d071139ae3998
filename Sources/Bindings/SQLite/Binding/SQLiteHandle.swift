internal import CLockstepSQLite
internal import LockstepPrimitives

/// The open database.
///
/// `init` opens the database. It is closed when neither the connection nor a statement uses it.
@safe final class SQLiteHandle {
    /// The database of SQLite, which is open as long as this object exists.
    @unsafe let pointer: OpaquePointer

    init(_ location: SQLiteLocation, busyTimeout: Duration) throws(SQLiteError) {
        let (path, mode) =
            switch location {
            case .memory: (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            case .file(let path): (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            case .readOnly(let path): (path, SQLITE_OPEN_READONLY)
            }
        var opened: OpaquePointer?
        // `opened` lives on this stack frame through the call, and so does the copy of the path, which ends with NUL.
        let result = unsafe sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let opened = unsafe opened else {
            // sqlite3_errstr returns a constant. A handle that failed to open must still be closed, and nil is allowed.
            let message = unsafe String(cString: sqlite3_errstr(result))
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: .init(rawValue: result), message: "\(message): \(path)")
        }
        unsafe pointer = opened
        // The database is open, and has no other owner yet.
        unsafe sqlite3_busy_timeout(pointer, Int32(clamping: max(1, busyTimeout.milliseconds)))
    }

    deinit {
        // Every statement keeps this object alive, so all are finalized by now, and nothing else can reach the pointer.
        unsafe sqlite3_close_v2(pointer)
    }

    func execute(_ text: String) throws(SQLiteError) {
        // The pointer is open. The text is a copy that ends with NUL and outlives the call. There is no callback.
        let result = unsafe sqlite3_exec(pointer, text, nil, nil, nil)
        if result != SQLITE_OK { throw error(result, in: text) }
    }

    func error(_ code: Int32, in statement: String) -> SQLiteError {
        // The pointer is open. SQLite's message is valid until the next call on it, and is copied here.
        let message = unsafe String(cString: sqlite3_errmsg(pointer))
        return SQLiteError(code: .init(rawValue: code), message: message, statement: statement)
    }

    /// The code of the last call that failed.
    var lastCode: Int32 {
        // The pointer is open.
        unsafe sqlite3_extended_errcode(pointer)
    }

    /// The number of rows that the last statement has changed.
    var changes: Int {
        // The pointer is open.
        unsafe Int(sqlite3_changes64(pointer))
    }

    /// The number of rows changed since the connection was opened.
    var allChanges: Int {
        // The pointer is open.
        unsafe Int(sqlite3_total_changes64(pointer))
    }

    var lastInsertedRow: Int64 {
        // The pointer is open.
        unsafe sqlite3_last_insert_rowid(pointer)
    }
}
