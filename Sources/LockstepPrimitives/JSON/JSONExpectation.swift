/// What a JSON text must continue with at some place.
///
/// The cases distinguish what other readers distinguish, so that an emulator can word the error as its provider does.
public enum JSONExpectation: Hashable, Sendable {
    /// The first byte of a value: at the start, after `:`, after `[`, and after `,` in a list.
    case value
    /// The `"` of a member's name, or `}` where the object is still empty.
    case memberName
    /// The `:` after a member's name.
    case colon
    /// `,` or `}` after a member.
    case memberEnd
    /// `,` or `]` after an element.
    case elementEnd
    /// A character of a text, or its `"`; bytes below 0x20 must be escaped.
    case textCharacter
    /// One of `"\/bfnrtu` after a backslash.
    case escapeCode
    /// One of the four hexadecimal digits after `\u`.
    case escapeDigit
    /// The byte `next` of `true`, `false` or `null`.
    case literal(JSONLiteral, next: UInt8)
    /// A digit after the minus sign.
    case digit
    /// A digit after the decimal point.
    case fractionDigit
    /// A digit, or a first sign, in the exponent.
    case exponentDigit
    /// Nothing: the value is complete.
    case end

    /// The expected input, for people.
    var name: String {
        switch self {
        case .value: "a value"
        case .memberName: "a member name in quotes"
        case .colon: "a colon"
        case .memberEnd: "a comma or the end of the object"
        case .elementEnd: "a comma or the end of the list"
        case .textCharacter: "a character of a text"
        case .escapeCode: "an escape code"
        case .escapeDigit: "a hexadecimal digit"
        case .literal(let literal, _): "the word \(literal.rawValue)"
        case .digit, .fractionDigit: "a digit"
        case .exponentDigit: "a digit of an exponent"
        case .end: "the end of the text"
        }
    }
}

/// The three words of JSON.
public enum JSONLiteral: String, Hashable, Sendable {
    /// `true`
    case `true`
    /// `false`
    case `false`
    /// `null`
    case null
}
