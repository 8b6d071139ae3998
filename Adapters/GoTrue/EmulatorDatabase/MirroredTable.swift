internal import LockstepPrimitives
internal import LockstepSQLite

/// A column that is in both databases.
struct MirroredColumn: Sendable {
    /// The type in PostgreSQL.
    ///
    /// The emulator stores times as milliseconds, JSON as text, and Boolean values as 0 and 1.
    enum Kind: Sendable, Hashable {
        case text
        case uuid
        case number
        case flag
        case json
        case time
        /// A time without a time zone, which is UTC.
        case plainTime
        /// An enumeration or another type that is stored as text.
        case cast(String)
    }

    /// The meaning of `NULL` in PostgreSQL.
    enum Null: Sendable, Hashable {
        /// `NULL` in the emulator.
        case null
        /// A value with this text in the emulator.
        case means(String)
        /// A value that the real server's reader rejects.
        case unreadable
    }

    let name: String
    let kind: Kind
    let null: Null
    /// Whether the emulator stores `NULL` for an empty text.
    var isEmptyNull = false
    /// Whether PostgreSQL computes it.
    var isComputed = false

    static func text(_ name: String, _ null: Null = .null) -> MirroredColumn {
        MirroredColumn(name: name, kind: .text, null: null)
    }
    static func uuid(_ name: String, _ null: Null = .null) -> MirroredColumn {
        MirroredColumn(name: name, kind: .uuid, null: null)
    }
    static func time(_ name: String, _ null: Null = .null) -> MirroredColumn {
        MirroredColumn(name: name, kind: .time, null: null)
    }
    static func flag(_ name: String) -> MirroredColumn { MirroredColumn(name: name, kind: .flag, null: .means("0")) }
    static func json(_ name: String, _ null: Null = .null) -> MirroredColumn {
        MirroredColumn(name: name, kind: .json, null: null)
    }
    static func number(_ name: String, _ null: Null = .null) -> MirroredColumn {
        MirroredColumn(name: name, kind: .number, null: null)
    }
    static func cast(_ name: String, _ type: String, _ null: Null = .null) -> MirroredColumn {
        MirroredColumn(name: name, kind: .cast(type), null: null)
    }

    /// A value that the emulator's reader rejects, as the real server's reader rejects `NULL`.
    static let unreadable = SQLiteValue.blob([])

    /// The hash of a password that is unknown to everyone: the real server stores a hash of a random password, and the
    /// emulator stores `*`.
    private static let unknownPassword = "$2a$10$7pK2cXw0uVd3yqHnTz1bEeS5rJmLgQo8aFiWxYtZvBkCdNhPuRs4G"

    /// The expression for a value of `r.data`, a row as JSON.
    var expression: String {
        let text = "(r.data ->> '\(name)')"
        return switch kind {
        case .text: text
        case .uuid: "\(text)::uuid"
        case .number: "\(text)::bigint"
        case .flag: "\(text)::boolean"
        case .json: "nullif(r.data -> '\(name)', 'null'::jsonb)"
        case .time: "(timestamptz 'epoch' + \(text)::bigint * interval '1 millisecond')"
        case .plainTime: "(timestamp 'epoch' + \(text)::bigint * interval '1 millisecond')"
        case .cast(let type): "\(text)::\(type)"
        }
    }

    /// Returns the value for the emulator.
    ///
    /// - Parameter value: A member of a row that PostgreSQL has written as JSON.
    func stored(_ value: JSON?) -> SQLiteValue {
        switch (kind, value ?? .null) {
        case (_, .null):
            switch null {
            case .null: .null
            case .means(let text): kind == .flag ? .int(0) : .text(text)
            case .unreadable: Self.unreadable
            }
        case (.time, .string(let text)): Instant(rfc3339: text).map { .int($0.milliseconds) } ?? Self.unreadable
        case (.plainTime, .string(let text)): Instant(rfc3339: text + "Z").map { .int($0.milliseconds) } ?? Self.unreadable
        case (.json, let value): .text(value.text())
        case (_, .string(let text)): text.isEmpty && isEmptyNull ? .null : .text(text)
        case (_, .int(let number)): .int(number)
        case (_, .bool(let truth)): .int(truth ? 1 : 0)
        default: Self.unreadable
        }
    }

    /// Returns the value for PostgreSQL.
    ///
    /// - Parameter value: The emulator's value.
    func sent(_ value: SQLiteValue) -> JSON {
        switch (kind, value) {
        case (_, .text("*")) where name == "encrypted_password": .string(Self.unknownPassword)
        case (.flag, .int(let number)): .bool(number != 0)
        case (.json, .text(let text)): (try? JSON.parse(text)) ?? .null
        case (_, .int(let number)): .int(number)
        case (_, .text(let text)):
            if text.isEmpty, null == .means("") { .null } else { .string(text) }
        case (_, .null) where isEmptyNull: .string("")
        default: .null
        }
    }
}

/// A table that is in both databases.
struct MirroredTable: Sendable {
    let name: String
    /// The columns of the key, in the emulator and in PostgreSQL.
    let key: [String]
    let columns: [MirroredColumn]
    /// The columns that exist only in PostgreSQL, with the values for new rows.
    var constants: [(name: String, expression: String)] = []
    /// The condition on `t` for the rows that the server knows.
    let filter: String
    /// The condition for a row `t` that belongs to one of the users in `owners`; `nil` for users.
    var owners: String? = "t.user_id IN (SELECT id::uuid FROM owners)"
    /// The order in which the server created the rows.
    var order = "t.created_at, t.id"
    /// A statement that temporarily gives changed rows unique values, before they are written again.
    var parking: String?

    /// Returns the key in PostgreSQL as one text.
    ///
    /// - Parameter prefix: The name of the row with a dot; empty if there is only one table.
    func keyExpression(_ prefix: String = "") -> String {
        key.map { name in "\(prefix)\(name)::text" }.joined(separator: " || ' ' || ")
    }

    /// The condition that selects the row `t` with the key `k.key`.
    var keyCondition: String {
        key.enumerated().map { index, name in
            let part = key.count == 1 ? "k.key" : "split_part(k.key, ' ', \(index + 1))"
            let column = columns.first { $0.name == name }
            return switch column?.kind {
            case .uuid: "t.\(name) = \(part)::uuid"
            case .cast(let type): "t.\(name) = \(part)::\(type)"
            default: "t.\(name) = \(part)"
            }
        }.joined(separator: " AND ")
    }

    /// Returns the texts of a key's columns.
    func parts(of key: String) -> [String] {
        guard self.key.count == 2 else { return [key] }
        let (head, tail) = key.cut(at: " ")
        return [String(head), String(tail ?? "")]
    }
}
