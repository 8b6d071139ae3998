/// A row of a result.
package struct PostgresRow: Sendable, Hashable {
    /// The values, in the order of the columns.
    package let values: [PostgresValue]

    /// The value of a column, converted to the type that the caller wants.
    ///
    /// The call throws ``PostgresError`` with `mismatch` if there is no such column, or if the column has another
    /// type.
    ///
    /// - Parameter index: The number of the column, counted from 0.
    package subscript<Value: PostgresConvertible>(index: Int) -> Value {
        get throws(PostgresError) {
            guard values.indices.contains(index) else { throw PostgresError(.mismatch, "The row has no column \(index).") }
            guard let value = Value(values[index]) else {
                throw PostgresError(.mismatch, "Column \(index) cannot be read as \(Value.self).")
            }
            return value
        }
    }
}

/// The rows that a statement returned, and the number of rows that it returned or changed.
package struct PostgresOutcome: Sendable {
    /// The rows; none if the statement returns no rows.
    package let rows: [PostgresRow]
    /// The number of rows that the statement returned or changed.
    package let count: Int
}

/// A notification that another client has sent on a channel.
package struct PostgresNotification: Sendable, Hashable {
    /// The name of the channel.
    package let channel: String
    /// The message of the notification.
    package let payload: String

    /// Creates a notification.
    ///
    /// - Parameters:
    ///   - channel: The name of the channel.
    ///   - payload: The message of the notification.
    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}
