/// Where a database is.
public enum SQLiteLocation: Sendable, Hashable {
    /// In memory, for one connection.
    ///
    /// It is lost when the connection is closed.
    case memory
    /// In a file, which is created if it does not exist.
    ///
    /// The folder must exist.
    case file(String)
    /// In an existing file, which can only be read.
    case readOnly(String)
}
