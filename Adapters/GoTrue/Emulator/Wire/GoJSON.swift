internal import LockstepEmulation
internal import LockstepPrimitives

/// Reads JSON as Go's decoder does, with its error texts.
enum GoJSON {
    /// Go stops at 10,000 levels; the limit here is lower, so that no request can exhaust the stack.
    private static let rules = JSON.ReadingRules(depthLimit: 200, brokenText: .replaced)

    /// The error text for malformed JSON.
    struct Malformed: Error {
        var message: String
    }

    static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSON {
        do {
            return floats(in: try JSON.parse(bytes, rules: rules))
        } catch {
            throw Malformed(message: message(for: error))
        }
    }

    /// Go's generic numbers are 64-bit floats: whole numbers beyond 2^53 lose their last digits.
    private static func floats(in value: JSON) -> JSON {
        switch value {
        case .int(let number):
            guard number.magnitude > 1 << 53 else { return value }
            return Int64(exactly: Double(number)).map(JSON.int) ?? .double(Double(number))
        case .double(let number):
            return Int64(exactly: number).map(JSON.int) ?? value
        case .array(let elements): return .array(elements.map(floats))
        case .object(let object): return .object(JSONObject(object.map { ($0.name, floats(in: $0.value)) }))
        default: return value
        }
    }

    private static func message(for error: JSONError) -> String {
        switch error.problem {
        case .endOfText: "unexpected end of JSON input"
        case .unexpected(let byte, let expectation): "invalid character \(quoted(byte)) \(context(expectation))"
        case .tooDeep, .tooManyValues: "exceeded max depth"
        case .numberTooLarge: "json: cannot unmarshal number into Go value of type float64"
        case .invalidUTF8, .loneSurrogate, .repeatedName: "invalid character"
        }
    }

    private static func quoted(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"): #"'\''"#
        case UInt8(ascii: "\""): #"'"'"#
        case UInt8(ascii: "\\"): #"'\\'"#
        case UInt8(ascii: "\n"): #"'\n'"#
        case UInt8(ascii: "\r"): #"'\r'"#
        case UInt8(ascii: "\t"): #"'\t'"#
        case 0x20..<0x7f: "'" + String(UnicodeScalar(byte)) + "'"
        case 0xa1...: "'" + String(UnicodeScalar(byte)) + "'"
        case 0x80...: "'\\u00" + Hex.encode(CollectionOfOne(byte)) + "'"
        default: "'\\x" + Hex.encode(CollectionOfOne(byte)) + "'"
        }
    }
}

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
