/// A value as SQLite stores it.
public enum SQLiteValue: Sendable, Hashable {
    /// `NULL`
    case null
    /// A whole number.
    case int(Int64)
    /// A floating-point number.
    case double(Double)
    /// A text.
    ///
    /// SQLite stores it in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}
