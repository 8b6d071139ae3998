/// A table of the app's, in the database of a directory, whose rows refer to users.
public struct DirectoryReference: Sendable, Hashable {
    /// What becomes of the rows of a user who is deleted.
    public enum Deletion: String, Sendable, Hashable {
        /// They are deleted, too.
        case cascades
        /// They stay, without the user.
        case clears
        /// They keep the user from being deleted.
        case refuses
    }

    /// The table with its schema, as SQL names it.
    public let table: String
    /// The columns that refer to the user.
    public let columns: [String]
    /// What becomes of its rows when a user is deleted.
    public let deletion: Deletion
    /// How many rows refer to the users in question; `nil` if the role may not count them.
    public var rows: Int?

    /// A table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: The columns that refer to the user.
    ///   - deletion: What becomes of its rows when a user is deleted.
    ///   - rows: How many rows refer to the users in question.
    public init(table: String, columns: [String], deletion: Deletion, rows: Int?) {
        self.table = table
        self.columns = columns
        self.deletion = deletion
        self.rows = rows
    }
}
