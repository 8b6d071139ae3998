public import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A type that a column can store.
public protocol ColumnValue: SQLiteConvertible, Sendable {
    /// SQLite's type: `TEXT`, `INTEGER`, `BLOB`.
    static var columnType: String { get }

    /// Whether the value may be `NULL`.
    static var isOptional: Bool { get }
}

extension ColumnValue {
    /// No value of this type is `NULL`.
    public static var isOptional: Bool { false }
}

extension String: ColumnValue {
    /// A string.
    public static var columnType: String { "TEXT" }
}

extension Int: ColumnValue {
    /// A whole number.
    public static var columnType: String { "INTEGER" }
}

extension Int64: ColumnValue {
    /// A whole number.
    public static var columnType: String { "INTEGER" }
}

extension Bool: ColumnValue {
    /// 1 or 0.
    public static var columnType: String { "INTEGER" }
}

extension Instant: ColumnValue {
    /// Milliseconds since 1970.
    public static var columnType: String { "INTEGER" }
}

extension [UInt8]: ColumnValue {
    /// Bytes.
    public static var columnType: String { "BLOB" }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The type of the value.
    public static var columnType: String { Wrapped.columnType }

    /// Nothing is `NULL`.
    public static var isOptional: Bool { true }
}

extension JSONObject: ColumnValue {
    /// JSON as text.
    public static var columnType: String { "TEXT" }

    /// The object as JSON.
    public var sqliteValue: SQLiteValue { .text(JSON.object(self).text()) }

    /// Reads JSON; a value that is not an object is read as an empty object.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let json = try? JSON.parse(text) else { return nil }
        self = json.object ?? [:]
    }
}

extension JSON: ColumnValue {
    /// JSON as text.
    public static var columnType: String { "TEXT" }

    /// The value as text.
    public var sqliteValue: SQLiteValue { .text(text()) }

    /// Reads JSON.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let json = try? JSON.parse(text) else { return nil }
        self = json
    }
}

extension Secret: ColumnValue {
    /// A string.
    public static var columnType: String { "TEXT" }

    /// The revealed secret.
    public var sqliteValue: SQLiteValue { .text(reveal()) }

    /// Reads a string.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }
}

extension RawRepresentable where Self: ColumnValue, RawValue: ColumnValue {
    /// The type of the raw value.
    public static var columnType: String { RawValue.columnType }

    /// The raw value.
    public var sqliteValue: SQLiteValue { rawValue.sqliteValue }

    /// Reads a raw value.
    public init?(_ value: SQLiteValue) {
        guard let raw = RawValue(value) else { return nil }
        self.init(rawValue: raw)
    }
}

/// A value that a column stores as JSON, and that only the emulator reads.
public protocol JSONColumn: Codable, ColumnValue {}

extension JSONColumn {
    /// JSON as text.
    public static var columnType: String { "TEXT" }

    /// The value as JSON; `NULL` if JSON cannot express it.
    public var sqliteValue: SQLiteValue {
        guard let data = try? JSONEncoder().encode(self) else { return .null }
        return .text(String(decoding: data, as: UTF8.self))
    }

    /// Reads JSON.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let decoded = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
            return nil
        }
        self = decoded
    }
}
