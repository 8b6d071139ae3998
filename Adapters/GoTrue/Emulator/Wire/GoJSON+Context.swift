internal import LockstepPrimitives

extension GoJSON {
    /// Go's error text for the position where its scanner stopped.
    static func context(_ expectation: JSONExpectation) -> String {
        switch expectation {
        case .value: "looking for beginning of value"
        case .memberName: "looking for beginning of object key string"
        case .colon: "after object key"
        case .memberEnd: "after object key:value pair"
        case .elementEnd: "after array element"
        case .textCharacter: "in string literal"
        case .escapeCode: "in string escape code"
        case .escapeDigit: "in \\u hexadecimal character escape"
        case .literal(let literal, let next): "in literal \(literal.rawValue) (expecting '\(String(UnicodeScalar(next)))')"
        case .digit: "in numeric literal"
        case .fractionDigit: "after decimal point in numeric literal"
        case .exponentDigit: "in exponent of numeric literal"
        case .end: "after top-level value"
        }
    }
}
