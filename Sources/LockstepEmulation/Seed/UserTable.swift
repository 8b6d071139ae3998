internal import LockstepPrimitives
package import LockstepSystem

/// Users as comma-separated values (RFC 4180): a line with the names of the columns, then one record per user.
///
/// They are read in pieces.
///
/// A column is a member of a user in the provider-independent form. An empty value means that the member is absent.
struct UserTable {
    private typealias Column = (name: String, kind: BodySchema.Kind)

    private let columns: [Column]
    private(set) var records: Records

    /// Reads the names of the columns.
    ///
    /// - Parameter file: The file, at its start.
    /// - Throws: ``SeedProblem``; `SystemError` if the file cannot be read.
    init(_ file: FileReader) throws {
        records = Records(file)
        guard let names = try records.next() else {
            throw SeedProblem(.malformed, "The file is empty. Start it with the names of the columns.")
        }
        // A file without this line begins with a user, whose data must not be shown.
        guard names.contains("id") else {
            throw SeedProblem(
                .malformed, "line 1: There is no column \"id\". Start the file with the names of the columns, such as id,email.")
        }
        var seen: Set<ExactString> = []
        columns = try names.map { name throws(SeedProblem) in
            guard seen.insert(name.exact).inserted else {
                throw SeedProblem(
                    .malformed, "line 1: The column \"\(name.prefix(100))\" appears twice. Remove one of these columns.")
            }
            guard let member = SeedUser.schema.members.first(where: { $0.name == name }) else {
                let known = SeedUser.schema.members.map(\.name)
                let all = "Known: \(known.joined(separator: ", "))."
                let nearest = known.nearest(to: name).map { "Did you mean \"\($0)\"?" } ?? all
                throw SeedProblem(.malformed, "line 1: Unknown column \"\(name.prefix(100))\". \(nearest)")
            }
            return member
        }
    }

    /// Reads the next record.
    ///
    /// - Returns: The members of the user; `nil` at the end.
    mutating func next() throws -> JSONObject? {
        let line = records.line + 1
        guard let values = try records.next() else { return nil }
        do throws(SeedProblem) { return try members(values) } catch {
            throw SeedProblem(error.kind, "line \(line): \(error)")
        }
    }

    /// Skips the next record.
    ///
    /// - Returns: Whether there was one.
    mutating func skip() throws -> Bool { try records.next() != nil }

    /// The place of the next record.
    var place: UserFileReader.Place { .init(offset: records.offset, line: records.line) }

    /// Continues at a place.
    mutating func seek(to place: UserFileReader.Place) throws(SystemError) { try records.seek(to: place) }

    private func members(_ values: [String]) throws(SeedProblem) -> JSONObject {
        guard values.count == columns.count else {
            throw SeedProblem(
                .malformed,
                "The record has \(values.count) values for \(columns.count) columns. Put values that contain commas in quotes.")
        }
        var object: JSONObject = [:]
        for (column, value) in zip(columns, values) where !value.isEmpty {
            object[column.name] = try Self.json(value, column.kind, column.name)
        }
        return object
    }

    /// Returns the value of a column as JSON.
    ///
    /// Texts are read as they are; lists and objects are parsed as JSON.
    private static func json(_ value: String, _ kind: BodySchema.Kind, _ name: String) throws(SeedProblem) -> JSON {
        switch kind {
        case .text, .checked, .choice: return .string(value)
        case .flag:
            guard ["true", "false"].contains(value) else {
                throw SeedProblem(.malformed, "invalid value for \"\(name)\": expected true or false")
            }
            return .bool(value == "true")
        case .optional(let kind), .strictOnly(let kind): return try json(value, kind, name)
        case .whole, .number, .object, .list, .members, .map, .anything:
            let bytes = Array(value.utf8)
            do throws(JSONError) {
                return try JSON.parse(bytes, rules: .init(depthLimit: 64, valueLimit: 500_000, repeatedNames: .refused))
            } catch {
                throw SeedProblem(.malformed, "invalid value for \"\(name)\": This is not JSON. \(error.sentence(in: bytes))")
            }
        }
    }
}

/// The records of a file of comma-separated values.
package struct Records {
    private let file: FileReader
    private let piece: Int
    private(set) var bytes: [UInt8] = []
    private var start = 0
    private var hasEnded = false
    /// The offset of the next record in the file.
    package private(set) var offset = 0
    /// The number of lines before the next record.
    package private(set) var line = 0

    private static let (quote, comma, lineFeed, carriageReturn) = (
        UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r")
    )

    /// - Parameter piece: The number of bytes that are read at a time.
    package init(_ file: FileReader, piece: Int = 1 << 18) {
        self.file = file
        self.piece = piece
    }

    /// Continues at a place that an earlier reader of the same file has reached.
    package mutating func seek(to place: UserFileReader.Place) throws(SystemError) {
        try file.seek(to: place.offset)
        (bytes, start, hasEnded, offset, line) = ([], 0, false, place.offset, place.line)
    }

    /// Returns the values of the next record; `nil` at the end.
    ///
    /// - Throws: ``SeedProblem`` with the line on which the record begins.
    package mutating func next() throws -> [String]? {
        guard var record = try nextBytes() else { return nil }
        let first = line + 1
        if first == 1, record.starts(with: [0xef, 0xbb, 0xbf]) { record = record.dropFirst(3) }
        line += record.count { $0 == Self.lineFeed } + 1
        do throws(SeedProblem) { return try Self.values(record) } catch {
            throw SeedProblem(error.kind, "line \(first): \(error)")
        }
    }

    /// Returns the bytes of the next record, without its line end.
    private mutating func nextBytes() throws -> ArraySlice<UInt8>? {
        var searched = start
        var isQuoted = false
        while true {
            while searched < bytes.count {
                let byte = bytes[searched]
                // A doubled quote ends the quoted text and starts it again.
                if byte == Self.quote { isQuoted.toggle() }
                if byte == Self.lineFeed, !isQuoted {
                    defer { (start, offset) = (searched + 1, offset + searched + 1 - start) }
                    let end = searched > start && bytes[searched - 1] == Self.carriageReturn ? searched - 1 : searched
                    return bytes[start..<end]
                }
                searched += 1
            }
            guard bytes.count - start <= UserFile.lineLimit else {
                throw SeedProblem(
                    .malformed, "line \(line + 1): The record is longer than 16 MiB. Look for a quote that is not closed.")
            }
            guard !hasEnded else {
                guard start < bytes.count else { return nil }
                guard !isQuoted else {
                    throw SeedProblem(
                        .malformed, "line \(line + 1): The file ends inside quotes. Copy the file again, or close the quote.")
                }
                defer { (start, offset) = (bytes.count, offset + bytes.count - start) }
                return bytes[start..<bytes.count]
            }
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
            let more = try file.read(upTo: piece)
            hasEnded = more.isEmpty
            bytes += more
        }
    }

    private static func values(_ record: ArraySlice<UInt8>) throws(SeedProblem) -> [String] {
        guard !record.isEmpty else { throw SeedProblem(.malformed, "The line is empty. Remove it.") }
        guard !record.isUTF16 else { throw SeedProblem(.malformed, "The file is UTF-16. Save it as UTF-8.") }
        guard !record.contains(0) else {
            throw SeedProblem(.malformed, "The record has a NUL byte. Save the file as UTF-8.")
        }
        var values: [String] = []
        var place = record.startIndex
        while true {
            let value: [UInt8]
            (value, place) = record[place...].first == quote ? try quoted(record, place + 1) : try plain(record, place)
            guard let text = String(validating: value, as: UTF8.self) else {
                throw SeedProblem(.malformed, "Value \(values.count + 1) is not UTF-8. Save the file as UTF-8.")
            }
            values.append(text)
            guard place < record.endIndex else { return values }
            guard record[place] == comma else {
                throw SeedProblem(
                    .malformed, "Value \(values.count) continues after its closing quote. Double each quote within a value.")
            }
            place += 1
        }
    }

    /// Returns a value without quotes, and the position after it.
    private static func plain(_ record: ArraySlice<UInt8>, _ start: Int) throws(SeedProblem) -> ([UInt8], Int) {
        let end = record[start...].firstIndex(of: comma) ?? record.endIndex
        let value = record[start..<end]
        guard !value.contains(quote) else {
            throw SeedProblem(
                .malformed, "A value without quotes contains a quote. Put the value in quotes, and double each quote in it.")
        }
        guard !value.contains(carriageReturn) else {
            throw SeedProblem(.malformed, "A carriage return has no line feed after it. End the lines with LF or CRLF.")
        }
        return (Array(value), end)
    }

    /// Returns a quoted value, and the position after its closing quote.
    private static func quoted(_ record: ArraySlice<UInt8>, _ start: Int) throws(SeedProblem) -> ([UInt8], Int) {
        var value: [UInt8] = []
        var place = start
        while place < record.endIndex {
            guard record[place] == quote else {
                value.append(record[place])
                place += 1
                continue
            }
            guard place + 1 < record.endIndex, record[place + 1] == quote else { return (value, place + 1) }
            value.append(quote)
            place += 2
        }
        throw SeedProblem(.malformed, "A quote is not closed. Close it, and double each quote within a value.")
    }
}
