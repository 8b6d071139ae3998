/// A type whose values go into a statement and come out of a row.
public protocol PostgresConvertible {
    /// The value as PostgreSQL takes it.
    var postgresValue: PostgresValue { get }

    /// The value that PostgreSQL sent; `nil` where it is of another kind.
    init?(_ value: PostgresValue)
}

extension PostgresValue: PostgresConvertible {
    /// Itself.
    public var postgresValue: PostgresValue { self }

    /// Itself.
    public init?(_ value: PostgresValue) { self = value }
}

extension String: PostgresConvertible {
    /// A text.
    public var postgresValue: PostgresValue { .text(self) }

    /// Takes a text.
    public init?(_ value: PostgresValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Int64: PostgresConvertible {
    /// A whole number.
    public var postgresValue: PostgresValue { .int(self) }

    /// Takes a whole number.
    public init?(_ value: PostgresValue) {
        guard case .int(let number) = value else { return nil }
        self = number
    }
}

extension Bool: PostgresConvertible {
    /// A truth value.
    public var postgresValue: PostgresValue { .bool(self) }

    /// Takes a truth value.
    public init?(_ value: PostgresValue) {
        guard case .bool(let truth) = value else { return nil }
        self = truth
    }
}

extension Array: PostgresConvertible where Element == UInt8 {
    /// Bytes.
    public var postgresValue: PostgresValue { .bytes(self) }

    /// Takes bytes.
    public init?(_ value: PostgresValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self = bytes
    }
}
