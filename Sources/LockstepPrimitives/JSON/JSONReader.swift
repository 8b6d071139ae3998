/// Reads a JSON text in one pass, by recursive descent.
struct JSONReader {
    let bytes: [UInt8]
    let rules: JSON.ReadingRules
    var offset = 0
    private var depth = 0
    private var valueCount = 0

    init(bytes: [UInt8], rules: JSON.ReadingRules) {
        self.bytes = bytes
        self.rules = rules
    }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value()
        if let byte = nextVisible() { throw JSONError(.unexpected(byte, .end), at: offset) }
        return value
    }

    private mutating func value() throws(JSONError) -> JSON {
        let first = try visible(.value)
        valueCount += 1
        guard valueCount <= rules.valueLimit else { throw JSONError(.tooManyValues(limit: rules.valueLimit), at: offset) }
        switch first {
        case UInt8(ascii: "\""):
            offset += 1
            return .string(try text())
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try literal(.true, .bool(true))
        case UInt8(ascii: "f"): return try literal(.false, .bool(false))
        case UInt8(ascii: "n"): return try literal(.null, .null)
        default: throw JSONError(.unexpected(first, .value), at: offset)
        }
    }

    private mutating func list() throws(JSONError) -> JSON {
        try descend()
        var elements: [JSON] = []
        if try visible(.value) == UInt8(ascii: "]") {
            ascend()
            return .array(elements)
        }
        while true {
            elements.append(try value())
            switch try visible(.elementEnd) {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "]"):
                ascend()
                return .array(elements)
            case let byte: throw JSONError(.unexpected(byte, .elementEnd), at: offset)
            }
        }
    }

    private mutating func object() throws(JSONError) -> JSON {
        try descend()
        var members = JSONObject()
        if try visible(.memberName) == UInt8(ascii: "}") {
            ascend()
            return .object(JSONObject())
        }
        while true {
            try member(into: &members)
            switch try visible(.memberEnd) {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "}"):
                ascend()
                return .object(members)
            case let byte: throw JSONError(.unexpected(byte, .memberEnd), at: offset)
            }
        }
    }

    private mutating func member(into members: inout JSONObject) throws(JSONError) {
        let quote = try visible(.memberName)
        let start = offset
        guard quote == UInt8(ascii: "\"") else { throw JSONError(.unexpected(quote, .memberName), at: start) }
        offset += 1
        let name = try text()
        let colon = try visible(.colon)
        guard colon == UInt8(ascii: ":") else { throw JSONError(.unexpected(colon, .colon), at: offset) }
        offset += 1
        let isNew = members.set(name, to: try value())
        if !isNew, rules.repeatedNames == .refused { throw JSONError(.repeatedName, at: start) }
    }

    private mutating func literal(_ literal: JSONLiteral, _ value: JSON) throws(JSONError) -> JSON {
        for expected in literal.rawValue.utf8 {
            let byte = try byte(.literal(literal, next: expected))
            guard byte == expected else { throw JSONError(.unexpected(byte, .literal(literal, next: expected)), at: offset) }
            offset += 1
        }
        return value
    }

    private mutating func descend() throws(JSONError) {
        guard depth < rules.depthLimit else { throw JSONError(.tooDeep(limit: rules.depthLimit), at: offset) }
        depth += 1
        offset += 1
    }

    private mutating func ascend() {
        depth -= 1
        offset += 1
    }
}

extension JSONReader {
    /// Returns the byte at the current place.
    func byte(_ expectation: JSONExpectation) throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw JSONError(.endOfText(expectation), at: offset) }
        return bytes[offset]
    }

    /// Skips white space and returns the next byte.
    private mutating func visible(_ expectation: JSONExpectation) throws(JSONError) -> UInt8 {
        guard let byte = nextVisible() else { throw JSONError(.endOfText(expectation), at: offset) }
        return byte
    }

    private mutating func nextVisible() -> UInt8? {
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            default: return byte
            }
        }
        return nil
    }
}
