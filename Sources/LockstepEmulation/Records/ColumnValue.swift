public import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A type that a column can store.
public protocol ColumnValue: SQLiteConvertible, Sendable {
    /// The type in SQLite: `TEXT`, `INTEGER`, `BLOB`.
    static var columnType: String { get }

    /// Whether the value may be `NULL`.
    static var isOptional: Bool { get }
}

extension ColumnValue {
    /// `false`, because no value of such a type is `NULL`.
    public static var isOptional: Bool { false }
}

extension String: ColumnValue {
    /// `TEXT`.
    public static var columnType: String { "TEXT" }
}

extension Int: ColumnValue {
    /// `INTEGER`.
    public static var columnType: String { "INTEGER" }
}

extension Int64: ColumnValue {
    /// `INTEGER`.
    public static var columnType: String { "INTEGER" }
}

extension Bool: ColumnValue {
    /// `INTEGER`: 1 for true, 0 for false.
    public static var columnType: String { "INTEGER" }
}

extension Instant: ColumnValue {
    /// `INTEGER`: milliseconds since 1970.
    public static var columnType: String { "INTEGER" }
}

extension [UInt8]: ColumnValue {
    /// `BLOB`.
    public static var columnType: String { "BLOB" }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The SQLite type of the wrapped value.
    public static var columnType: String { Wrapped.columnType }

    /// `true`, because `nil` is stored as `NULL`.
    public static var isOptional: Bool { true }
}

extension JSONObject: ColumnValue {
    /// `TEXT`, which contains JSON.
    public static var columnType: String { "TEXT" }

    /// The object as a JSON string.
    public var sqliteValue: SQLiteValue { .text(JSON.object(self).text()) }

    /// Reads JSON.
    ///
    /// A value that is not an object becomes an empty object.
    ///
    /// - Parameter value: The stored value.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let json = try? JSON.parse(text) else { return nil }
        self = json.object ?? [:]
    }
}

extension JSON: ColumnValue {
    /// `TEXT`, which contains JSON.
    public static var columnType: String { "TEXT" }

    /// The JSON value as a string.
    public var sqliteValue: SQLiteValue { .text(text()) }

    /// Reads JSON.
    ///
    /// - Parameter value: The stored value.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let json = try? JSON.parse(text) else { return nil }
        self = json
    }
}

extension Secret: ColumnValue {
    /// `TEXT`.
    public static var columnType: String { "TEXT" }

    /// The unmasked secret as a string.
    public var sqliteValue: SQLiteValue { .text(reveal()) }

    /// Reads a text.
    ///
    /// - Parameter value: The stored value.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }
}

extension RawRepresentable where Self: ColumnValue, RawValue: ColumnValue {
    /// The SQLite type of the raw value.
    public static var columnType: String { RawValue.columnType }

    /// The raw value as SQLite stores it.
    public var sqliteValue: SQLiteValue { rawValue.sqliteValue }

    /// Reads a raw value.
    ///
    /// - Parameter value: The stored value.
    public init?(_ value: SQLiteValue) {
        guard let raw = RawValue(value) else { return nil }
        self.init(rawValue: raw)
    }
}

/// A value that is stored as JSON in a column.
///
/// Only the emulator reads the value.
public protocol JSONColumn: Codable, ColumnValue {}

extension JSONColumn {
    /// `TEXT`, which contains JSON.
    public static var columnType: String { "TEXT" }

    /// The value as a JSON string; `NULL` if JSON cannot express the value.
    public var sqliteValue: SQLiteValue {
        guard let data = try? JSONEncoder().encode(self) else { return .null }
        return .text(String(decoding: data, as: UTF8.self))
    }

    /// Reads JSON.
    ///
    /// - Parameter value: The stored value.
    public init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let decoded = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
            return nil
        }
        self = decoded
    }
}
