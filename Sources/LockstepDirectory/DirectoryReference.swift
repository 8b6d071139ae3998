/// A table of the app with rows that refer to users.
///
/// The table is in the same database as the users.
public struct DirectoryReference: Sendable, Hashable {
    /// The effect on these rows when a user is deleted.
    public enum Deletion: String, Sendable, Hashable {
        /// The rows are deleted with the user.
        case cascades
        /// The rows stay, and their reference to the user becomes null.
        case clears
        /// The database does not delete a user who has such rows.
        case refuses
    }

    /// The table name with its schema, as written in SQL.
    public let table: String
    /// The columns that refer to the user.
    public let columns: [String]
    /// The effect on these rows when a user is deleted.
    public let deletion: Deletion
    /// The number of rows that refer to the given users.
    ///
    /// The number is `nil` if the database role has no permission to count the rows.
    public var rows: Int?

    /// Creates a description of a table that refers to users.
    ///
    /// - Parameters:
    ///   - table: The table name with its schema, as written in SQL.
    ///   - columns: The columns that refer to the user.
    ///   - deletion: The effect on these rows when a user is deleted.
    ///   - rows: The number of rows that refer to the given users; `nil` if the rows cannot be counted.
    public init(table: String, columns: [String], deletion: Deletion, rows: Int?) {
        self.table = table
        self.columns = columns
        self.deletion = deletion
        self.rows = rows
    }
}
