/// Where a database is.
public enum SQLiteLocation: Sendable, Hashable {
    /// In memory, for this connection alone; gone when it is closed.
    case memory
    /// A file, made when it is not there. Its folder must exist.
    case file(String)
    /// A file that is only read; it must be there.
    case readOnly(String)
}
