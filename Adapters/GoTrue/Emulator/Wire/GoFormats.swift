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

    /// In Go, generic numbers are 64-bit floats, so whole numbers beyond 2^53 lose their last digits.
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
    /// Returns Go's error text for the position at which its scanner stopped.
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

/// Texts as Go prints them.
enum GoText {
    /// `%q`: in double quotes, with escapes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                result += "\\x" + Hex.encode(CollectionOfOne(UInt8(scalar.value)))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A list of texts as `%v` prints it.
    static func list(_ texts: [String]) -> String { "[" + texts.joined(separator: " ") + "]" }
}

/// Times as Go writes them: RFC 3339, without zeros at the end of the fraction.
enum Timestamp {
    static func text(_ instant: Instant) -> String { instant.shortRFC3339 }

    static func json(_ instant: Instant) -> JSON { .string(text(instant)) }
}

/// UUIDs as texts.
enum UUIDText {
    /// Returns the UUID in lower case with hyphens; `nil` if the text is malformed.
    static func normal(_ text: String) -> String? {
        if isNormal(text) { return text }
        var body = text[...]
        if body.hasPrefix("urn:uuid:") { body = body.dropFirst(9) }
        if body.hasPrefix("{"), body.hasSuffix("}") { body = body.dropFirst().dropLast() }
        let units = Array(body.utf8)
        if units.count == 36 {
            guard [8, 13, 18, 23].allSatisfy({ units[$0] == UInt8(ascii: "-") }) else { return nil }
        } else if units.count != 32 {
            return nil
        }
        let digits = String(decoding: units.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
        guard digits.utf8.count == 32, let bytes = Hex.decode(digits) else { return nil }
        let hex = Array(Hex.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
    }

    private static func isNormal(_ text: String) -> Bool {
        var place = 0
        for unit in text.utf8 {
            let isHyphen = place == 8 || place == 13 || place == 18 || place == 23
            let isDigit = unit >= 0x30 && unit <= 0x39 || unit >= 0x61 && unit <= 0x66
            guard isHyphen ? unit == UInt8(ascii: "-") : isDigit else { return false }
            place += 1
        }
        return place == 36
    }

    /// Returns the error text of the server's UUID library.
    static func complaint(about text: String) -> String {
        switch text.utf8.count {
        case 32, 36: "uuid: incorrect UUID format in string \(GoText.quoted(text))"
        default: "uuid: incorrect UUID length \(text.utf8.count) in string \(GoText.quoted(text))"
        }
    }

    /// Returns the 16 bytes of a normal UUID.
    static func bytes(_ text: String) -> [UInt8]? {
        Hex.decode(String(decoding: text.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self))
    }
}

/// A URL that is parsed as Go's `url.Parse` does; the parts keep their spelling.
struct GoURL: Equatable {
    var scheme = ""
    /// `user:password`, without the `@`.
    var userInfo: String?
    var host = ""
    var port = ""
    /// Whether there was a `//`.
    var hasAuthority = false
    var path = ""
    var query: String?
    var fragment = ""

    init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return nil }
        var rest = text[...]
        let (beforeFragment, mark) = rest.cut(at: "#")
        fragment = mark.map(String.init) ?? ""
        rest = beforeFragment
        if case (let name, let tail?) = rest.cut(at: ":"), Self.isScheme(name) {
            scheme = name.lowercased()
            rest = tail
        } else if rest.utf8.first == 0x3a {
            return nil
        }
        let (place, pairs) = rest.cut(at: "?")
        query = pairs.map(String.init)
        rest = place
        if rest.utf8.starts(with: "//".utf8) {
            hasAuthority = true
            let afterSlashes = Substring(rest.unicodeScalars.dropFirst(2))
            let end = afterSlashes.unicodeScalars.firstIndex(of: "/") ?? afterSlashes.endIndex
            guard parse(authority: afterSlashes[..<end]) else { return nil }
            rest = afterSlashes[end...]
        }
        path = String(rest)
    }

    private mutating func parse(authority: Substring) -> Bool {
        var place = authority
        if case (let user?, let tail) = place.cut(atLast: "@") {
            userInfo = String(user)
            place = tail
        }
        let scalars = place.unicodeScalars
        var portStart = scalars.lastIndex(of: ":")
        if scalars.first == "[" {
            guard let end = scalars.lastIndex(of: "]") else { return false }
            if let start = portStart, start < end { portStart = nil }
        }
        if let start = portStart {
            port = String(place[scalars.index(after: start)...])
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            place = place[..<start]
        }
        host = String(place)
        return !host.unicodeScalars.contains { $0 == " " || $0 == "<" || $0 == ">" || $0 == "\"" }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7a).contains(first | 0x20) else { return false }
        return text.utf8.allSatisfy { unit in
            (0x61...0x7a).contains(unit | 0x20) || (0x30...0x39).contains(unit) || [0x2b, 0x2d, 0x2e].contains(unit)
        }
    }

    /// The host without the brackets of an IPv6 address, in lower case.
    var hostname: String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()).lowercased() : host.lowercased()
    }

    /// The address put together again.
    var text: String {
        var text = scheme.isEmpty ? "" : scheme + ":"
        if hasAuthority {
            text += "//" + (userInfo.map { $0 + "@" } ?? "") + host + (port.isEmpty ? "" : ":" + port)
        }
        text += path
        if let query, !query.isEmpty { text += "?" + query }
        if !fragment.isEmpty { text += "#" + fragment }
        return text
    }
}
