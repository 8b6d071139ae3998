/// A byte of a decoded text, and its place in the original text.
struct EscapedUnit {
    let byte: UInt8
    let range: Range<Int>

    /// The first bytes of escapes: of URLs (`%41`), of JSON and most languages (`\u0041`, `\x41`, `\"`), of HTML (`&amp;`, `&#65;`,
    /// `&#x41;`).
    static let marks = Array("%\\&".utf8)

    /// Decodes one layer of escapes: those that begin with one of `marks`.
    static func decoded(_ units: [EscapedUnit], marks: [UInt8] = marks) -> [EscapedUnit] {
        var plain: [EscapedUnit] = []
        plain.reserveCapacity(units.count)
        var index = 0
        while index < units.count {
            if marks.contains(units[index].byte), let (scalar, length) = escape(in: units, at: index) {
                let range = units[index].range.lowerBound..<units[index + length - 1].range.upperBound
                plain += scalar.map { EscapedUnit(byte: $0, range: range) }
                index += length
            } else {
                plain.append(units[index])
                index += 1
            }
        }
        return plain
    }

    /// Returns the bytes of an escape, and its length in units.
    private static func escape(in units: [EscapedUnit], at start: Int) -> (bytes: [UInt8], length: Int)? {
        func byte(_ offset: Int) -> UInt8? { start + offset < units.count ? units[start + offset].byte : nil }
        func number(_ offset: Int, _ count: Int) -> UInt32? {
            var value: UInt32 = 0
            for place in 0..<count {
                guard let digit = byte(offset + place).flatMap(Hex.value(of:)) else { return nil }
                value = value << 4 | UInt32(digit)
            }
            return value
        }
        switch units[start].byte {
        case UInt8(ascii: "%"):
            return number(1, 2).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
        case UInt8(ascii: "\\"):
            switch byte(1) {
            case UInt8(ascii: "u"):
                guard let high = number(2, 4) else { return nil }
                if (0xd800..<0xdc00).contains(high), byte(6) == UInt8(ascii: "\\"), byte(7) == UInt8(ascii: "u"),
                    let low = number(8, 4), (0xdc00..<0xe000).contains(low)
                {
                    return utf8(0x1_0000 + (high - 0xd800) << 10 + (low - 0xdc00)).map { ($0, 12) }
                }
                return utf8(high).map { ($0, 6) }
            case UInt8(ascii: "x"): return number(2, 2).map { ([UInt8(truncatingIfNeeded: $0)], 4) }
            case let next?:
                guard let place = escaped.firstIndex(of: next) else { return nil }
                return ([meant[place]], 2)
            case nil: return nil
            }
        case UInt8(ascii: "&"):
            return entity(units[start...].prefix(12).map(\.byte))
        default: return nil
        }
    }

    private static let escaped = Array(#""\/'bfnrt"#.utf8)
    private static let meant = Array("\"\\/'\u{8}\u{c}\n\r\t".utf8)

    private static func entity(_ bytes: [UInt8]) -> (bytes: [UInt8], length: Int)? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[1..<end], as: UTF8.self).lowercased()
        if name.hasPrefix("#x") { return UInt32(name.dropFirst(2), radix: 16).flatMap(utf8).map { ($0, end + 1) } }
        if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(utf8).map { ($0, end + 1) } }
        let names: [String: UInt8] = ["amp": 0x26, "lt": 0x3c, "gt": 0x3e, "quot": 0x22, "apos": 0x27]
        return names[name].map { ([$0], end + 1) }
    }

    private static func utf8(_ number: UInt32) -> [UInt8]? {
        Unicode.Scalar(number).map { Array(String(Character($0)).utf8) }
    }
}
