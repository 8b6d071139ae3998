internal import LockstepEmulation
internal import LockstepPrimitives

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

/// Times as Go writes them: RFC 3339, no zeros at the end of the fraction.
enum Timestamp {
    static func text(_ instant: Instant) -> String {
        var units = Array(instant.rfc3339.utf8.dropLast())
        while units.last == UInt8(ascii: "0") { units.removeLast() }
        if units.last == UInt8(ascii: ".") { units.removeLast() }
        return String(decoding: units, as: UTF8.self) + "Z"
    }

    static func json(_ instant: Instant) -> JSON { .string(text(instant)) }
}

/// UUIDs as texts.
enum UUIDText {
    /// The UUID in lower case with hyphens; `nil` where the text is malformed.
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

    /// The error text of the server's UUID library.
    static func complaint(about text: String) -> String {
        switch text.utf8.count {
        case 32, 36: "uuid: incorrect UUID format in string \(GoText.quoted(text))"
        default: "uuid: incorrect UUID length \(text.utf8.count) in string \(GoText.quoted(text))"
        }
    }

    /// The 16 bytes of a normal UUID.
    static func bytes(_ text: String) -> [UInt8]? {
        Hex.decode(String(decoding: text.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self))
    }
}
