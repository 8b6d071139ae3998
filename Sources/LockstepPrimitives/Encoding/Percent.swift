/// Percent-encoding for URLs and forms.
///
/// ```swift
/// let query = Percent.encodeForm([("email", "ada@example.com")])  // "email=ada%40example.com"
/// ```
public enum Percent {
    /// Encodes every byte outside `A-Z a-z 0-9 - . _ ~` as `%XX` (RFC 3986, section 2.3).
    ///
    /// - Parameter text: The text.
    /// - Returns: The encoded text.
    public static func encode(_ text: some StringProtocol) -> String {
        var result: [UInt8] = []
        for unit in text.utf8 {
            switch unit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(unit)
            default:
                result.append(UInt8(ascii: "%"))
                result.append(Hex.upperDigits[Int(unit >> 4)])
                result.append(Hex.upperDigits[Int(unit & 0x0f)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Replaces every `%XX` of a text with the byte that it encodes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - plusIsSpace: Whether `+` is decoded as a space.
    /// - Returns: The decoded text; `nil` if a percent sign is not followed by two digits, or if the result is not
    ///   UTF-8.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var result: [UInt8] = []
        var units = text.utf8.makeIterator()
        while let unit = units.next() {
            switch unit {
            case UInt8(ascii: "%"):
                guard let high = units.next().flatMap(Hex.value), let low = units.next().flatMap(Hex.value) else { return nil }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                result.append(UInt8(ascii: " "))
            default:
                result.append(unit)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    /// Decodes a form body or a query: `name=value` pairs joined by `&`.
    ///
    /// - Parameter text: The form body or query.
    /// - Returns: The pairs in order; `nil` if a percent sign is not followed by two digits.
    public static func decodeForm(_ text: some StringProtocol) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for part in text.pieces(at: "&") {
            let pieces = part.pieces(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(pieces[0], plusIsSpace: true) else { return nil }
            guard let value = pieces.count == 2 ? decode(pieces[1], plusIsSpace: true) : "" else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    /// Encodes a form body: `name=value` pairs joined by `&`.
    ///
    /// - Parameter pairs: The pairs in order.
    /// - Returns: The encoded text.
    public static func encodeForm(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }
}
