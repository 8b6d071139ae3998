/// A type whose values can be inserted into a statement and read from a row.
public protocol PostgresConvertible {
    /// This value in the form of PostgreSQL.
    var postgresValue: PostgresValue { get }

    /// Converts a value from PostgreSQL; `nil` if the value has another type.
    init?(_ value: PostgresValue)
}

extension PostgresValue: PostgresConvertible {
    /// The value itself.
    public var postgresValue: PostgresValue { self }

    /// Returns the value itself.
    public init?(_ value: PostgresValue) { self = value }
}

extension String: PostgresConvertible {
    /// The value as text.
    public var postgresValue: PostgresValue { .text(self) }

    /// Converts a text.
    public init?(_ value: PostgresValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Int64: PostgresConvertible {
    /// The value as a whole number.
    public var postgresValue: PostgresValue { .int(self) }

    /// Converts a whole number.
    public init?(_ value: PostgresValue) {
        guard case .int(let number) = value else { return nil }
        self = number
    }
}

extension Bool: PostgresConvertible {
    /// The value as a Boolean.
    public var postgresValue: PostgresValue { .bool(self) }

    /// Converts a Boolean.
    public init?(_ value: PostgresValue) {
        guard case .bool(let truth) = value else { return nil }
        self = truth
    }
}

extension Array: PostgresConvertible where Element == UInt8 {
    /// The value as bytes.
    public var postgresValue: PostgresValue { .bytes(self) }

    /// Converts bytes.
    public init?(_ value: PostgresValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self = bytes
    }
}
