import LockstepPrimitives

/// A row of one table; the first column is the key.
protocol StoredRecord {
    static var table: String { get }
    /// The columns, in the order in which ``init(_:)`` reads and ``stored`` writes them.
    static var columns: [String] { get }

    init(_ row: inout RowReader)
    var stored: [StoredValue] { get }
}
