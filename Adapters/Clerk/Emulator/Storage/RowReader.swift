import LockstepPrimitives

/// Reads the columns of one row from left to right.
struct RowReader {
    private let values: [StoredValue]
    private var next = 0

    init(_ values: [StoredValue]) {
        self.values = values
    }

    private mutating func take() -> StoredValue {
        defer { next += 1 }
        return values.indices.contains(next) ? values[next] : .null
    }

    mutating func text() -> String { optionalText() ?? "" }

    mutating func optionalText() -> String? {
        if case .text(let text) = take() { text } else { nil }
    }

    mutating func number() -> Int { optionalNumber().map(Int.init) ?? 0 }

    mutating func flag() -> Bool { optionalNumber() == 1 }

    mutating func time() -> Instant { Instant(milliseconds: optionalNumber() ?? 0) }

    mutating func optionalTime() -> Instant? { optionalNumber().map { Instant(milliseconds: $0) } }

    mutating func optionalNumber() -> Int64? {
        if case .integer(let number) = take() { number } else { nil }
    }

    mutating func json() -> JSON? { optionalText().flatMap { try? JSON.parse($0) } }

    mutating func object() -> JSONObject { json()?.object ?? [:] }

    mutating func list() -> [String] { json()?.array?.compactMap(\.string) ?? [] }
}
