/// A row of a result.
public struct PostgresRow: Sendable, Hashable {
    /// The values, in the order of the columns.
    public let values: [PostgresValue]

    /// The value of the column at an index, counted from 0, converted to the requested type.
    ///
    /// It throws ``PostgresError`` with `mismatch` if there is no such column, or if it has another type.
    public subscript<Value: PostgresConvertible>(index: Int) -> Value {
        get throws(PostgresError) {
            guard values.indices.contains(index) else { throw PostgresError(.mismatch, "The row has no column \(index).") }
            guard let value = Value(values[index]) else {
                throw PostgresError(.mismatch, "Column \(index) holds no \(Value.self).")
            }
            return value
        }
    }
}

/// The result of a statement.
public struct PostgresOutcome: Sendable {
    /// The rows; empty if the statement returns none.
    public let rows: [PostgresRow]
    /// The number of rows that the statement returned or changed.
    public let count: Int
}

/// A notification from another client on a channel.
public struct PostgresNotification: Sendable, Hashable {
    /// The name of the channel.
    public let channel: String
    /// The payload.
    public let payload: String

    /// Creates a notification.
    ///
    /// - Parameters:
    ///   - channel: The name of the channel.
    ///   - payload: The payload.
    public init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}
