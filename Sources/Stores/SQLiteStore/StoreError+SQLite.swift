internal import Lockstep
internal import LockstepSQLite

extension StoreError {
    /// Converts a failure of SQLite to an error of the store; `nil` for damage, which is handled before.
    init?(_ error: SQLiteError, writing: Bool, file: String) {
        if error.isDamage { return nil }
        let code: Code =
            switch error.code.primary {
            case .busy, .locked: .busy
            case .full: .full
            case .inputOutput where error.code == .sharedMemorySize: .full
            default: writing ? .unwritable : .unreadable
            }
        let advice =
            switch code {
            case .busy: "Another process has been writing for too long. Try again."
            case .full: "The previous value is unchanged. Free some space."
            default: "Check that this process may read and write \(file) and its folder."
            }
        self.init(code, "\(error.message) (SQLite \(error.code.rawValue)). \(advice)")
    }
}

extension SQLiteError {
    /// Whether the file is no longer a database.
    var isDamage: Bool { code.primary == .corrupt || code.primary == .notADatabase }
}
