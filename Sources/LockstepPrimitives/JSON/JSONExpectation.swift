/// The input that JSON requires at a position in the text.
///
/// The cases match the errors of other JSON readers, so an emulator can report an error in its provider's words.
public enum JSONExpectation: Hashable, Sendable {
    /// The first byte of a value: at the start, after `:`, after `[`, or after `,` in an array.
    case value
    /// The `"` of a member name, or `}` if the object is still empty.
    case memberName
    /// The `:` after a member name.
    case colon
    /// `,` or `}` after a member.
    case memberEnd
    /// `,` or `]` after an element.
    case elementEnd
    /// A character of a string, or its closing `"`.
    ///
    /// Bytes below 0x20 must be escaped.
    case textCharacter
    /// One of `"\/bfnrtu` after a backslash.
    case escapeCode
    /// One of the four hexadecimal digits after `\u`.
    case escapeDigit
    /// The next byte of `true`, `false` or `null`.
    case literal(JSONLiteral, next: UInt8)
    /// A digit after the minus sign.
    case digit
    /// A digit after the decimal point.
    case fractionDigit
    /// A digit in the exponent, or its sign.
    case exponentDigit
    /// The end of the text: the value is complete.
    case end

    /// The expected input, in words for people.
    var name: String {
        switch self {
        case .value: "a value"
        case .memberName: "a member name in quotes"
        case .colon: "a colon"
        case .memberEnd: "a comma or the end of the object"
        case .elementEnd: "a comma or the end of the list"
        case .textCharacter: "a character of a string"
        case .escapeCode: "an escape code"
        case .escapeDigit: "a hexadecimal digit"
        case .literal(let literal, _): "the word \(literal.rawValue)"
        case .digit, .fractionDigit: "a digit"
        case .exponentDigit: "a digit of an exponent"
        case .end: "the end of the text"
        }
    }
}

/// The three literals of JSON.
public enum JSONLiteral: String, Hashable, Sendable {
    /// `true`
    case `true`
    /// `false`
    case `false`
    /// `null`
    case null
}
