import LockstepPrimitives

/// One value in the database.
enum StoredValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)

    static func text(_ text: String?) -> StoredValue { text.map { .text($0) } ?? .null }
    static func flag(_ flag: Bool) -> StoredValue { .integer(flag ? 1 : 0) }
    static func time(_ instant: Instant?) -> StoredValue { instant.map { .integer($0.milliseconds) } ?? .null }
    static func number(_ number: Int) -> StoredValue { .integer(Int64(number)) }
    static func json(_ json: JSON?) -> StoredValue { json.map { .text($0.text()) } ?? .null }
    static func object(_ object: JSONObject) -> StoredValue { .text(JSON.object(object).text()) }
    static func list(_ texts: [String]) -> StoredValue { .text(JSON.strings(texts).text()) }
}

extension StoredValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .text(value) }
}
