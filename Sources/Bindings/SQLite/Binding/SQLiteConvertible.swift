public import LockstepPrimitives

/// A type whose values go into a column and come out of it again.
public protocol SQLiteConvertible {
    /// The value as SQLite keeps it.
    var sqliteValue: SQLiteValue { get }

    /// The value that SQLite kept; `nil` where it is of another kind.
    init?(_ value: SQLiteValue)
}

extension SQLiteValue: SQLiteConvertible {
    /// Itself.
    public var sqliteValue: SQLiteValue { self }

    /// Itself.
    public init?(_ value: SQLiteValue) { self = value }
}

extension String: SQLiteConvertible {
    /// A text.
    public var sqliteValue: SQLiteValue { .text(self) }

    /// Takes a text.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Int64: SQLiteConvertible {
    /// A whole number.
    public var sqliteValue: SQLiteValue { .int(self) }

    /// Takes a whole number.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self = number
    }
}

extension Int: SQLiteConvertible {
    /// A whole number.
    public var sqliteValue: SQLiteValue { .int(Int64(self)) }

    /// Takes a whole number that fits.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLiteConvertible {
    /// 1 or 0.
    public var sqliteValue: SQLiteValue { .int(self ? 1 : 0) }

    /// Takes a whole number; anything but 0 is true.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self = number != 0
    }
}

extension Double: SQLiteConvertible {
    /// A floating-point number.
    public var sqliteValue: SQLiteValue { .double(self) }

    /// Takes a number of either kind.
    public init?(_ value: SQLiteValue) {
        switch value {
        case .double(let number): self = number
        case .int(let number): self = Double(number)
        default: return nil
        }
    }
}

extension Array: SQLiteConvertible where Element == UInt8 {
    /// Bytes.
    public var sqliteValue: SQLiteValue { .blob(self) }

    /// Takes bytes.
    public init?(_ value: SQLiteValue) {
        guard case .blob(let bytes) = value else { return nil }
        self = bytes
    }
}

extension Instant: SQLiteConvertible {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    public var sqliteValue: SQLiteValue { .int(milliseconds) }

    /// Takes milliseconds since 1970-01-01 00:00 UTC.
    public init?(_ value: SQLiteValue) {
        guard case .int(let number) = value else { return nil }
        self.init(milliseconds: number)
    }
}

extension Optional: SQLiteConvertible where Wrapped: SQLiteConvertible {
    /// `NULL` where there is none.
    public var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }

    /// Takes `NULL` as none.
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
