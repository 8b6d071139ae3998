/// An app's table in the database of a directory whose rows reference users.
public struct DirectoryReference: Sendable, Hashable {
    /// The effect of a user's deletion on the rows that reference the user.
    public enum Deletion: String, Sendable, Hashable {
        /// The rows are deleted, too.
        case cascades
        /// The rows stay, without the reference to the user.
        case clears
        /// The rows prevent the deletion of the user.
        case refuses
    }

    /// The table with its schema, as in SQL.
    public let table: String
    /// The columns that reference the user.
    public let columns: [String]
    /// The effect of a user's deletion on its rows.
    public let deletion: Deletion
    /// The number of rows that reference the given users; `nil` if the role may not count them.
    public var rows: Int?

    /// Creates a reference.
    ///
    /// - Parameters:
    ///   - table: The table with its schema, as in SQL.
    ///   - columns: The columns that reference the user.
    ///   - deletion: The effect of a user's deletion on its rows.
    ///   - rows: The number of rows that reference the given users.
    public init(table: String, columns: [String], deletion: Deletion, rows: Int?) {
        self.table = table
        self.columns = columns
        self.deletion = deletion
        self.rows = rows
    }
}
