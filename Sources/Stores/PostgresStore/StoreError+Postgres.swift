internal import Lockstep
internal import LockstepPostgres

extension StoreError {
    /// Converts a failure of PostgreSQL to an error of the store.
    ///
    /// `code` is `unreadable` for a call that reads, and `unwritable` for one that writes.
    init(_ code: Code, _ error: PostgresError) {
        switch (error.kind, error.state) {
        case (.refused, .diskFull?):
            self.init(.full, "PostgreSQL has no space left (\(error)). The previous value is unchanged.")
        case (.refused, .undefinedTable?):
            self.init(code, "\(error). Call prepare() at the start of the server, or apply PostgresSchema.sql.")
        case (.refused, .unknownDatabase?):
            self.init(code, "The database does not exist (\(error)). Create it, or correct the connection string.")
        case (.refused, .unknownSchema?):
            self.init(code, "The schema does not exist (\(error)). Create it, or correct search_path in the connection string.")
        case (.refused, .insufficientPrivilege?):
            self.init(code, "The role lacks a permission (\(error)). Grant it the tables of PostgresSchema.sql.")
        case (.refused, let state?) where state.isOfAuthorization:
            self.init(
                code,
                "PostgreSQL does not accept this user (\(error)). Correct user and password in the connection string, or pg_hba.conf."
            )
        case (.timedOut, _), (.disconnected, _), (.cancelled, _):
            self.init(code, "\(error) Try again; the next call connects anew.")
        case (.exhausted, _):
            self.init(code, "\(error) Try again, or allow more connections in the settings.")
        default:
            self.init(code, "PostgreSQL rejected the statement (\(error)). Correct the cause, then try again.")
        }
    }
}
