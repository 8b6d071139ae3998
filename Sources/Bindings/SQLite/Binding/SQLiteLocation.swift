/// The place of a database.
public enum SQLiteLocation: Sendable, Hashable {
    /// In memory, for this connection alone.
    ///
    /// It is lost when the connection is closed.
    case memory
    /// A file.
    ///
    /// It is created if it does not exist, but its folder must exist.
    case file(String)
    /// An existing file that is only read.
    case readOnly(String)
}
