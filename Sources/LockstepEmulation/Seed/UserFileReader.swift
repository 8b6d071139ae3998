internal import LockstepPrimitives
@_exported public import LockstepSystem

/// Reads a file of users, one user at a time.
///
/// The file contains JSON Lines after a line that describes the source. A file can also contain comma-separated values after a
/// line with the column names. The memory of the reader does not grow with the file. A byte order mark at the start is allowed,
/// and lines may end with CR and LF. If a line is not a user, the error contains the number of the line.
///
/// ```swift
/// var reader = try UserFileReader(FileReader("users.jsonl"))
/// while let user = try reader.next() { print(user.email ?? "no address") }
/// ```
public struct UserFileReader {
    /// A position between two lines.
    public struct Place: Sendable, Hashable {
        /// The position in bytes.
        public var offset: Int
        /// The number of lines before the position.
        public var line: Int

        /// Creates a position.
        ///
        /// - Parameters:
        ///   - offset: The position in bytes.
        ///   - line: The number of lines before the position.
        public init(offset: Int, line: Int) {
            self.offset = offset
            self.line = line
        }
    }

    /// The source of the users, as the first line or the caller describes it.
    public let header: UserFile.Header
    /// The position of the next line.
    public private(set) var place: Place
    private var form: Form

    private enum Form {
        case lines(Lines)
        case table(UserTable)
        case ended
    }

    /// Opens a file, and reads its first line.
    ///
    /// - Parameter file: The file, positioned at its beginning.
    /// - Throws: ``SeedProblem`` if the first line does not describe a source; `SystemError` if the file cannot be read.
    public init(_ file: FileReader) throws {
        var lines = Lines(file)
        guard let line = try lines.next(after: 0) else {
            throw SeedProblem(.malformed, "The file is empty. Start it with {\"version\": 1, \"source\": {…}}.")
        }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = line.starts(with: mark) ? Array(line.dropFirst(mark.count)) : line
        header = try Self.named(1) { () throws(SeedProblem) in try UserFile.Header(try Self.object(text)) }
        place = Place(offset: lines.offset, line: 1)
        form = .lines(lines)
    }

    /// Opens a file of comma-separated values, and reads the names of its columns.
    ///
    /// - Parameters:
    ///   - file: The file, positioned at its beginning.
    ///   - source: The source of the users, because a file of comma-separated values does not describe it.
    /// - Throws: ``SeedProblem`` if a column is unknown or missing, or occurs twice; `SystemError` if the file cannot be read.
    public init(table file: FileReader, source: UserFile.Header) throws {
        let table = try UserTable(file)
        header = source
        place = table.place
        form = .table(table)
    }

    /// Continues at a position that an earlier reader of the same file has reached.
    ///
    /// - Throws: `SystemError` if the file is a pipe, which has no positions, or if it cannot be read.
    public mutating func seek(to place: Place) throws(SystemError) {
        switch form {
        case .lines(var lines):
            try lines.seek(to: place.offset)
            form = .lines(lines)
        case .table(var table):
            try table.seek(to: place)
            form = .table(table)
        case .ended: break
        }
        self.place = place
    }

    /// Reads the next user.
    ///
    /// - Returns: The user; `nil` at the end of the file.
    /// - Throws: ``SeedProblem`` with the number of the line and the name of the member; `SystemError` if the file cannot be
    ///   read.
    public mutating func next() throws -> SeedUser? {
        let line = place.line + 1
        guard let object = try nextObject() else {
            // The header is not a user.
            if let users = header.users, users != place.line - 1 {
                throw SeedProblem(
                    .malformed,
                    "The first line announces \(users) users, but the file has \(place.line - 1). Copy the file again, or correct the number."
                )
            }
            return nil
        }
        return try Self.named(line) { () throws(SeedProblem) in try Self.user(object) }
    }

    private mutating func nextObject() throws -> JSONObject? {
        switch form {
        case .lines(var lines):
            // No other variable keeps the lines, so they are not copied.
            form = .ended
            defer { form = .lines(lines) }
            guard let line = try lines.next(after: place.line) else { return nil }
            let object = try Self.named(place.line + 1) { () throws(SeedProblem) in try Self.object(line) }
            place = Place(offset: lines.offset, line: place.line + 1)
            return object
        case .table(var table):
            form = .ended
            defer { form = .table(table) }
            guard let object = try table.next() else { return nil }
            place = table.place
            return object
        case .ended: return nil
        }
    }

    /// Skips the next user without parsing the line.
    ///
    /// - Returns: Whether there was another user.
    /// - Throws: ``SeedProblem`` if the line has no end; `SystemError` if the file cannot be read.
    public mutating func skip() throws -> Bool {
        switch form {
        case .lines(var lines):
            form = .ended
            defer { form = .lines(lines) }
            guard try lines.next(after: place.line) != nil else { return false }
            place = Place(offset: lines.offset, line: place.line + 1)
            return true
        case .table(var table):
            form = .ended
            defer { form = .table(table) }
            guard try table.skip() else { return false }
            place = table.place
            return true
        case .ended: return false
        }
    }

    /// The number of bytes in memory.
    var heldBytes: Int {
        switch form {
        case .lines(let lines): lines.bytes.capacity
        case .table(let table): table.records.bytes.capacity
        case .ended: 0
        }
    }

    /// Returns the user with these members of the neutral format.
    package static func user(_ object: JSONObject) throws(SeedProblem) -> SeedUser {
        guard object["version"] == nil else {
            throw SeedProblem(.malformed, "This is a second header line. Remove it. Join only files of the same source.")
        }
        let members: JSONObject
        do throws(BodyFault) {
            members = try SeedUser.schema.read(object, BodyRules(unknown: .rejected, values: .exact, ignoresNull: true))
        } catch {
            throw SeedProblem(error, in: SeedUser.schema)
        }
        return try SeedUser(Body(members), at: "")
    }

    private static func object(_ line: [UInt8]) throws(SeedProblem) -> JSONObject {
        guard !line.isEmpty else { throw SeedProblem(.malformed, "The line is empty. Remove it.") }
        guard !line.contains(0) else {
            let problem = line.isUTF16 ? "The file is UTF-16" : "The line has a NUL byte"
            throw SeedProblem(.malformed, "\(problem). Save the file as UTF-8.")
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(line, rules: .init(depthLimit: 64, valueLimit: 500_000, repeatedNames: .refused))
        } catch {
            throw SeedProblem(.malformed, "This is not JSON. \(error.sentence(in: line))")
        }
        guard let object = json.object else {
            throw SeedProblem(.malformed, "The line is not a JSON object. Write each user as one object on one line.")
        }
        return object
    }

    private static func named<Value>(_ line: Int, _ body: () throws(SeedProblem) -> Value) throws(SeedProblem) -> Value {
        do throws(SeedProblem) { return try body() } catch { throw SeedProblem(error.kind, "line \(line): \(error)") }
    }
}

/// The lines of a file, without their line breaks.
private struct Lines {
    private let file: FileReader
    fileprivate private(set) var bytes: [UInt8] = []
    private var start = 0
    private var hasEnded = false
    /// The position of the next line in the file.
    private(set) var offset = 0

    private static let piece = 1 << 18

    init(_ file: FileReader) { self.file = file }

    mutating func seek(to offset: Int) throws(SystemError) {
        try file.seek(to: offset)
        (bytes, start, hasEnded, self.offset) = ([], 0, false, offset)
    }

    /// Returns the next line; `nil` at the end.
    ///
    /// `count` is the number of lines before it.
    mutating func next(after count: Int) throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { (start, offset) = (end + 1, offset + end + 1 - start) }
                return line(to: end)
            }
            guard bytes.count - start <= UserFile.lineLimit else {
                throw SeedProblem(
                    .malformed, "line \(count + 1): The line is longer than 16 MiB. Write each user on a separate line.")
            }
            guard !hasEnded else {
                guard start < bytes.count else { return nil }
                defer { (start, offset) = (bytes.count, offset + bytes.count - start) }
                return line(to: bytes.count)
            }
            bytes.removeSubrange(..<start)
            (searched, start) = (bytes.count, 0)
            let more = try file.read(upTo: Self.piece)
            hasEnded = more.isEmpty
            bytes += more
        }
    }

    private func line(to end: Int) -> [UInt8] {
        Array(bytes[start..<(end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)])
    }
}
