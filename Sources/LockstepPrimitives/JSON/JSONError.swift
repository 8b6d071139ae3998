/// Why a text is not JSON: what was wrong, and where.
///
/// It carries positions and single bytes, never the text itself, so that it can be logged.
public struct JSONError: Error, Hashable, Sendable {
    /// What was wrong.
    public let problem: Problem
    /// The place of the first byte that was wrong, counted from zero; the length of the text where it ended too early.
    public let offset: Int

    /// A problem at a place.
    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    /// What can be wrong with a text.
    public enum Problem: Hashable, Sendable {
        /// A byte that nothing allows there.
        case unexpected(UInt8, JSONExpectation)
        /// The text ended where it could not.
        case endOfText(JSONExpectation)
        /// More lists and objects within each other than the rules allow.
        case tooDeep(limit: Int)
        /// More values than the rules allow.
        case tooManyValues(limit: Int)
        /// A text that is not UTF-8.
        case invalidUTF8
        /// A `\u` escape of one half of a surrogate pair without the other.
        case loneSurrogate
        /// A number beyond what a `Double` can hold, such as `1e999`.
        case numberTooLarge
        /// A member name that the object had already.
        case repeatedName
    }
}

extension JSONError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch problem {
        case .unexpected(let byte, let expectation):
            "The JSON text has byte 0x\(Hex.encode(CollectionOfOne(byte))) at offset \(offset), where \(expectation.name) was due."
        case .endOfText(let expectation):
            "The JSON text ends at offset \(offset), where \(expectation.name) was due."
        case .tooDeep(let limit): "The JSON text nests more than \(limit) lists and objects at offset \(offset)."
        case .tooManyValues(let limit): "The JSON text has more than \(limit) values."
        case .invalidUTF8: "The JSON text is not UTF-8 at offset \(offset)."
        case .loneSurrogate: "The JSON text escapes one half of a surrogate pair at offset \(offset)."
        case .numberTooLarge: "The JSON text has a number at offset \(offset) that is too large for a double."
        case .repeatedName: "The JSON text repeats a member name at offset \(offset)."
        }
    }
}
