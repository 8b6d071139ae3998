import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Pages of lists by `limit` and `offset` in the query, which both APIs have.
extension RequestContext {
    /// Returns the requested part of the rows that meet a condition, and the number of all of them.
    func page<Row: Record>(
        of type: Row.Type, where condition: SQL = "1 = 1", by order: SQL = "created_at DESC, rowid DESC"
    ) throws -> (rows: [Row], total: Int) {
        let (limit, offset) = try window()
        let total = try db.count(type, condition)
        return (try db.all(type, "\(condition) ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)"), total)
    }

    /// Returns the requested part of a list that is not a table.
    func page<Element>(of elements: [Element]) throws -> (rows: [Element], total: Int) {
        let (limit, offset) = try window()
        return (Array(elements.dropFirst(offset).prefix(limit)), elements.count)
    }

    /// Returns `limit` and `offset`; without them, ten from the start.
    ///
    /// - Throws: An error for a number outside the range in the documents.
    func window() throws(ClerkError) -> (limit: Int, offset: Int) {
        (try number("limit", 1...500, 10), try number("offset", 0...1_000_000_000, 0))
    }

    private func number(_ name: String, _ range: ClosedRange<Int>, _ standard: Int) throws(ClerkError) -> Int {
        guard let text = request.query[name], !text.isEmpty else { return standard }
        guard let number = Int(text), range.contains(number) else { throw .invalidValue(name, String(text.prefix(40))) }
        return number
    }
}

extension JSON {
    /// Returns a page of a list, with the total number.
    static func page(_ elements: [JSON], total: Int) -> JSON {
        ["data": .array(elements), "total_count": .int(Int64(total))]
    }
}
