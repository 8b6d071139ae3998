/// One row of an answer.
public struct PostgresRow: Sendable, Hashable {
    /// The values, in the order of the columns.
    public let values: [PostgresValue]

    /// The value of the column at a place, counted from 0, in the type that is asked for.
    ///
    /// - Throws: ``PostgresError`` with `mismatch` when there is no such column, or it holds another kind of value.
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

/// What the server answered to one statement.
public struct PostgresOutcome: Sendable {
    /// The rows; none where the statement gives none.
    public let rows: [PostgresRow]
    /// How many rows the statement has given or changed.
    public let count: Int
}

/// A notification that a client has sent on a channel.
public struct PostgresNotification: Sendable, Hashable {
    /// The channel's name.
    public let channel: String
    /// The payload.
    public let payload: String

    /// A notification.
    public init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}
