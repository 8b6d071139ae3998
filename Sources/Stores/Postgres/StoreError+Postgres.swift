internal import Lockstep
internal import LockstepPostgres

extension StoreError {
    /// The failure of a call as an error of the store.
    ///
    /// - Parameter code: `unreadable` for a call that reads, `unwritable` for one that writes.
    init(_ code: Code, _ error: PostgresError) {
        switch (error.kind, error.state) {
        case (.refused, .diskFull?):
            self.init(.full, "PostgreSQL has no space left (\(error)). What was stored before is still there.")
        case (.refused, .undefinedTable?):
            self.init(code, "\(error). Call prepare() at the start of the server, or apply PostgresSchema.sql.")
        case (.timedOut, _), (.disconnected, _), (.cancelled, _):
            self.init(code, "\(error) Try again; the next call connects anew.")
        case (.exhausted, _):
            self.init(code, "\(error) Try again, or allow more connections in the settings.")
        default:
            self.init(code, "PostgreSQL did not do it (\(error)).")
        }
    }
}
