/// A value as PostgreSQL sends and accepts it.
package enum PostgresValue: Sendable, Hashable {
    /// `NULL`
    case null
    /// `boolean`
    case bool(Bool)
    /// `bigint`.
    ///
    /// Smaller whole numbers are read as this type.
    case int(Int64)
    /// `text`, without the character NUL, which PostgreSQL does not support.
    case text(String)
    /// `bytea`
    case bytes([UInt8])

    /// The number that PostgreSQL gives to the type (`pg_type.oid`).
    enum TypeID {
        static let bool: UInt32 = 16
        static let bytes: UInt32 = 17
        static let int: UInt32 = 20
        static let int2: UInt32 = 21
        static let int4: UInt32 = 23
        static let text: UInt32 = 25
    }

    /// The type that is sent to the server, so that the server never has to guess.
    ///
    /// It is 0 for `NULL`, which has no type.
    var typeID: UInt32 {
        switch self {
        case .null: 0
        case .bool: TypeID.bool
        case .int: TypeID.int
        case .text: TypeID.text
        case .bytes: TypeID.bytes
        }
    }

    /// The value in binary form; `nil` for `NULL`.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .bool(let value): [value ? 1 : 0]
        case .int(let number): stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }

    /// Reads the binary form.
    ///
    /// Values of types that are not listed above stay bytes.
    init(_ bytes: [UInt8], typeID: UInt32) {
        switch typeID {
        case TypeID.bool: self = .bool(bytes.first == 1)
        case TypeID.int, TypeID.int2, TypeID.int4:
            let isNegative = (bytes.first ?? 0) & 0x80 != 0
            self = .int(bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
        case TypeID.text, 19, 1042, 1043: self = .text(String(decoding: bytes, as: UTF8.self))
        default: self = .bytes(bytes)
        }
    }
}
