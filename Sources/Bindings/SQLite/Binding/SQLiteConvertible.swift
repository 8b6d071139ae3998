public import LockstepPrimitives

/// A type whose values can be stored in a column and read from it.
public protocol SQLiteConvertible {
    /// This value in the form of SQLite.
    var sqliteValue: SQLiteValue { get }

    /// Converts a value from SQLite; `nil` if the value has another type.
    init?(_ value: SQLiteValue)
}

extension SQLiteValue: SQLiteConvertible {
    /// The value itself.
    public var sqliteValue: SQLiteValue { self }

    /// Returns the value itself.
    public init?(_ value: SQLiteValue) { self = value }
}

extension String: SQLiteConvertible {
    /// The value as text.
    public var sqliteValue: SQLiteValue { .text(self) }

    /// Converts a text.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Int64: SQLiteConvertible {
    /// The value as a whole number.
    public var sqliteValue: SQLiteValue { .int(self) }

    /// Converts a whole number.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self = number
    }
}

extension Int: SQLiteConvertible {
    /// The value as a whole number.
    public var sqliteValue: SQLiteValue { .int(Int64(self)) }

    /// Converts a whole number; `nil` if the number does not fit.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLiteConvertible {
    /// The number 1 for true, and 0 for false.
    public var sqliteValue: SQLiteValue { .int(self ? 1 : 0) }

    /// Converts a whole number: 0 is `false`, and any other number is `true`.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self = number != 0
    }
}

extension Double: SQLiteConvertible {
    /// The value as a floating-point number.
    public var sqliteValue: SQLiteValue { .double(self) }

    /// Converts a whole or floating-point number.
    public init?(_ value: SQLiteValue) {
        switch value {
        case .double(let number): self = number
        case .int(let number): self = Double(number)
        default: return nil
        }
    }
}

extension Array: SQLiteConvertible where Element == UInt8 {
    /// The value as bytes.
    public var sqliteValue: SQLiteValue { .blob(self) }

    /// Converts bytes.
    public init?(_ value: SQLiteValue) {
        guard case .blob(let bytes) = value else { return nil }
        self = bytes
    }
}

extension Instant: SQLiteConvertible {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    public var sqliteValue: SQLiteValue { .int(milliseconds) }

    /// Converts milliseconds since 1970-01-01 00:00 UTC.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self.init(milliseconds: number)
    }
}

extension Optional: SQLiteConvertible where Wrapped: SQLiteConvertible {
    /// The value, or `NULL` for `nil`.
    public var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }

    /// Converts a value; `NULL` becomes `nil`.
    @inlinable public init?(_ value: SQLiteValue) {
        if case .null = value {
            self = .none
        } else if let wrapped = Wrapped(value) {
            self = .some(wrapped)
        } else {
            return nil
        }
    }
}
