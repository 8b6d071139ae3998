import LockstepEmulation
import LockstepPrimitives
import LockstepSystem

/// The objects of a list in a JSON document, which are read one at a time.
///
/// The list is the document itself, or its member `users`, or the objects follow each other. Memory use does not grow with the file.
struct JSONElements {
    private let file: FileReader
    private let piece: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private var hasEnded = false
    private let isLines: Bool
    private var isInObject = false
    /// The other members of the document that were read: those before the list, and at the end also those after it.
    private(set) var members: JSONObject = [:]
    /// The names of the members that were read; none if the document is the list itself.
    var names: [String] { isInObject ? members.names + [Self.member] : [] }
    /// Whether the next element is the first, so that no comma comes before it.
    private var isFirst = true
    /// Whether the whole document was read.
    private var isAtEnd = false
    /// The place after the last element that was read.
    private(set) var place = UserFileReader.Place(offset: 0, line: 0)

    /// The member with the list.
    static let member = "users"

    /// Opens a document, and reads it up to the first element.
    ///
    /// - Parameters:
    ///   - isLines: Whether the objects follow each other without a list, as in JSON Lines.
    ///   - piece: The number of bytes that are read at a time.
    /// - Throws: ``UsageError`` for a document without such a list; `SystemError` if the file cannot be read.
    init(_ file: FileReader, isLines: Bool = false, piece: Int = 1 << 18) throws {
        self.file = file
        self.isLines = isLines
        self.piece = piece
        for byte in [0xef, 0xbb, 0xbf] as [UInt8] { if try peek() == byte { advance() } }
        if isLines { return }
        if try nextByte() == UInt8(ascii: "[") {
            advance()
            return
        }
        isInObject = true
        try expect("{", "a JSON list, or an object with the list \"\(Self.member)\"")
        while true {
            let name = try text()
            try expect(":", "a colon after the name of a member")
            if name == Self.member, try nextByte() == UInt8(ascii: "[") {
                advance()
                return
            }
            members[name] = try value()
            guard try nextByte() == UInt8(ascii: ",") else { break }
            advance()
        }
        throw UsageError("The file has no list \"\(Self.member)\". Export the users again.")
    }

    /// Continues at a place after an element.
    mutating func seek(to place: UserFileReader.Place) throws(SystemError) {
        try file.seek(to: place.offset)
        (bytes, start, hasEnded, isFirst, isAtEnd, self.place) = ([], 0, false, false, false, place)
    }

    /// Returns the next object, and the line on which it begins; `nil` at the end of the list.
    ///
    /// - Throws: ``UsageError`` with the line of the error.
    mutating func next() throws -> (object: JSONObject, line: Int)? {
        guard let (element, line) = try nextElement() else { return nil }
        return (try Self.parsed(element, at: line).object ?? [:], line)
    }

    private static func parsed(_ element: [UInt8], at line: Int) throws -> JSON {
        do throws(JSONError) {
            return try JSON.parse(element, rules: .init(depthLimit: 64, valueLimit: 500_000, repeatedNames: .refused))
        } catch {
            let before = element.prefix(error.offset)
            let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
            let row = line + before.count { $0 == UInt8(ascii: "\n") }
            let problem =
                error.problem == .invalidUTF8
                ? "This is not UTF-8. Save the file as UTF-8." : "This is not JSON. Export the users again."
            throw UsageError("line \(row), byte \(column): \(problem)")
        }
    }

    /// Skips the next object.
    ///
    /// - Returns: Whether there was one.
    mutating func skip() throws -> Bool { try nextElement() != nil }

    private mutating func nextElement() throws -> (bytes: [UInt8], line: Int)? {
        guard !isAtEnd else { return nil }
        let byte = try nextByte()
        if isLines ? byte == nil : byte == UInt8(ascii: "]") {
            if !isLines {
                advance()
                try requireEnd()
            }
            isAtEnd = true
            return nil
        }
        if !isFirst, !isLines { try expect(",", "a comma or the end of the list after a user") }
        isFirst = false
        guard try nextByte() == UInt8(ascii: "{") else { throw unexpected("a user, which is a JSON object") }
        let line = place.line + 1
        var nesting = Nesting()
        var length = 0
        while true {
            while start + length < bytes.count {
                length += 1
                if nesting.closes(with: bytes[start + length - 1]) {
                    let element = Array(bytes[start..<start + length])
                    start += length
                    place.offset += length
                    place.line += element.count { $0 == UInt8(ascii: "\n") }
                    return (element, line)
                }
            }
            guard length <= UserFile.lineLimit else {
                throw UsageError(
                    "line \(line): The user who begins here is longer than 16 MiB. Look for a quote that is not closed.")
            }
            guard try readMore() else {
                throw UsageError("line \(line): The file ends within the user who begins here. Copy the whole file again.")
            }
        }
    }

    /// Reads the rest of the document after the list.
    private mutating func requireEnd() throws {
        while isInObject, try nextByte() == UInt8(ascii: ",") {
            advance()
            let name = try text()
            try expect(":", "a colon after the name of a member")
            members[name] = try value()
        }
        if isInObject { try expect("}", "the end of the document") }
        guard try nextByte() == nil else { throw unexpected("the end of the document") }
    }

    // MARK: Tokens around the list

    private mutating func text() throws -> String {
        try expect("\"", "the name of a member")
        var text: [UInt8] = []
        while let byte = try peek(), byte != UInt8(ascii: "\"") {
            guard text.count < 1 << 12 else { break }
            text.append(byte)
            advance()
        }
        try expect("\"", "the end of a name")
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func value() throws -> JSON {
        let line = place.line + 1
        var (nesting, text) = (Nesting(), [UInt8]())
        while let byte = try peek() {
            let isOutside = nesting.depth == 0 && !nesting.isInText
            if isOutside, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") { return try Self.parsed(text, at: line) }
            _ = nesting.closes(with: byte)
            text.append(byte)
            advance()
            guard text.count <= UserFile.lineLimit else {
                throw UsageError("line \(line): The value that begins here is longer than 16 MiB. Export the users again.")
            }
        }
        throw unexpected("a value")
    }

    private mutating func expect(_ character: Unicode.Scalar, _ expectation: String) throws {
        guard try nextByte() == UInt8(ascii: character) else { throw unexpected(expectation) }
        advance()
    }

    private func unexpected(_ expectation: String) -> UsageError {
        guard start < bytes.count else {
            return UsageError("line \(place.line + 1): The file ends here: expected \(expectation). Copy the whole file again.")
        }
        return UsageError("line \(place.line + 1): expected \(expectation). Export the users again.")
    }

    // MARK: Bytes

    /// Returns the next byte that is no white space; `nil` at the end.
    private mutating func nextByte() throws -> UInt8? {
        while let byte = try peek() {
            guard [0x20, 0x09, 0x0a, 0x0d].contains(byte) else { return byte }
            advance()
        }
        return nil
    }

    private mutating func peek() throws -> UInt8? {
        if start >= bytes.count, try !readMore() { return nil }
        return bytes[start]
    }

    private mutating func advance() {
        if bytes[start] == UInt8(ascii: "\n") { place.line += 1 }
        start += 1
        place.offset += 1
    }

    /// Returns whether there were more bytes.
    private mutating func readMore() throws -> Bool {
        guard !hasEnded else { return false }
        bytes.removeSubrange(..<start)
        start = 0
        let more = try file.read(upTo: piece)
        hasEnded = more.isEmpty
        bytes += more
        return !hasEnded
    }
}

/// The nesting of a JSON text, byte by byte.
private struct Nesting {
    private(set) var depth = 0
    private(set) var isInText = false
    private var isEscaped = false

    /// Counts a byte, and returns whether it closes the outermost list or object.
    mutating func closes(with byte: UInt8) -> Bool {
        if isInText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
            }
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            return depth == 0
        default: break
        }
        return false
    }
}
