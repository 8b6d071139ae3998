/// A type whose values can be inserted into a statement and read from a row.
package protocol PostgresConvertible {
    /// This value in the form of PostgreSQL.
    var postgresValue: PostgresValue { get }

    /// Converts a value from PostgreSQL; `nil` if the value has another type.
    init?(_ value: PostgresValue)
}

extension PostgresValue: PostgresConvertible {
    /// The value itself.
    package var postgresValue: PostgresValue { self }

    /// Returns the value itself.
    package init?(_ value: PostgresValue) { self = value }
}

extension String: PostgresConvertible {
    /// The value as text.
    package var postgresValue: PostgresValue { .text(self) }

    /// Converts a text.
    package init?(_ value: PostgresValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Int64: PostgresConvertible {
    /// The value as a whole number.
    package var postgresValue: PostgresValue { .int(self) }

    /// Converts a whole number.
    package init?(_ value: PostgresValue) {
        guard case .int(let number) = value else { return nil }
        self = number
    }
}

extension Bool: PostgresConvertible {
    /// The value as a Boolean.
    package var postgresValue: PostgresValue { .bool(self) }

    /// Converts a Boolean.
    package init?(_ value: PostgresValue) {
        guard case .bool(let truth) = value else { return nil }
        self = truth
    }
}

extension Array: PostgresConvertible where Element == UInt8 {
    /// The value as bytes.
    package var postgresValue: PostgresValue { .bytes(self) }

    /// Converts bytes.
    package init?(_ value: PostgresValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self = bytes
    }
}
