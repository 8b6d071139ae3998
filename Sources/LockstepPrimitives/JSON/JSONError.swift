/// A JSON syntax error, with its position.
///
/// The error contains positions and single bytes, but never the text itself, so an app can log it.
///
/// ```swift
/// do {
///     _ = try JSON.parse("{\"name\": }")
/// } catch {
///     print(error, error.offset)
/// }
/// ```
public struct JSONError: Error, Hashable, Sendable {
    /// The problem with the text.
    public let problem: Problem
    /// The offset of the first invalid byte, counted from zero.
    ///
    /// If the text ended too early, the offset is the length of the text.
    public let offset: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - problem: The problem with the text.
    ///   - offset: The offset of the first invalid byte.
    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    /// The reason why a text is not valid JSON.
    public enum Problem: Hashable, Sendable {
        /// The text contains a byte that is not allowed at this place.
        case unexpected(UInt8, JSONExpectation)
        /// The text ended too early.
        case endOfText(JSONExpectation)
        /// Arrays and objects are nested more deeply than the rules allow.
        case tooDeep(limit: Int)
        /// The text has more values than the rules allow.
        case tooManyValues(limit: Int)
        /// The text is not UTF-8.
        case invalidUTF8
        /// The text contains a `\u` escape for one half of a surrogate pair, without the other half.
        case loneSurrogate
        /// The text contains a number that is too large for `Double`, such as `1e999`.
        case numberTooLarge
        /// An object contains two members with the same name.
        case repeatedName
    }
}

extension JSONError: CustomStringConvertible {
    /// The error as one sentence for people.
    public var description: String {
        switch problem {
        case .unexpected(let byte, let expectation):
            "The JSON text has byte 0x\(Hex.encode(CollectionOfOne(byte))) at offset \(offset): expected \(expectation.name)."
        case .endOfText(let expectation):
            "The JSON text ends at offset \(offset): expected \(expectation.name)."
        case .tooDeep(let limit): "The JSON text nests more than \(limit) lists and objects at offset \(offset)."
        case .tooManyValues(let limit): "The JSON text has more than \(limit) values."
        case .invalidUTF8: "The JSON text is not UTF-8 at offset \(offset)."
        case .loneSurrogate: "The JSON text escapes one half of a surrogate pair at offset \(offset)."
        case .numberTooLarge: "The JSON text has a number at offset \(offset) that is too large for a double."
        case .repeatedName: "The JSON text repeats a member name at offset \(offset)."
        }
    }
}

extension JSONError {
    /// Returns the error as a sentence for a person who has saved the text in a file.
    ///
    /// The sentence says in which encoding the file is, that a part of it is missing, or where the error is.
    ///
    /// - Parameter bytes: The text.
    /// - Returns: The sentence.
    package func sentence(in bytes: [UInt8]) -> String {
        if let encoding = bytes.foreignEncoding { return "It is \(encoding). Save it as UTF-8 without a byte order mark." }
        guard !bytes.isEmpty else { return "It is empty." }
        let before = bytes.prefix(offset)
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let place = "line \(line), byte \(column)"
        if case .unexpected(let byte, let expectation) = problem {
            let isPrintable = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"")
            let found = isPrintable ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x\(Hex.encode(CollectionOfOne(byte)))"
            return "In \(place): expected \(expectation.name), found \(found)."
        }
        guard case .endOfText(let expectation) = problem else { return "The error is in \(place). \(self)" }
        return "It is incomplete: it ends in \(place), but the text requires \(expectation.name). Copy the whole file again."
    }
}

extension Collection<UInt8> {
    /// The name of the encoding of a file that is recognizably not plain UTF-8; `nil` for any other file.
    package var foreignEncoding: String? {
        if isUTF16 { return "UTF-16" }
        return starts(with: [0xef, 0xbb, 0xbf]) ? "UTF-8 with a byte order mark" : nil
    }

    /// Whether the text begins with the mark of UTF-16, or with two ASCII characters in UTF-16.
    package var isUTF16: Bool {
        let start = Array(prefix(4))
        if start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff]) { return true }
        // A single zero byte can also be an error in UTF-8.
        let zeros = start.map { $0 == 0 }
        return zeros == [false, true, false, true] || zeros == [true, false, true, false]
    }
}
