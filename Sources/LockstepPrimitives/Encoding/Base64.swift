/// Base64 encoding and decoding (RFC 4648).
///
/// ```swift
/// let text = Base64.encode(Array("Hello".utf8), .url)  // "SGVsbG8"
/// ```
public enum Base64 {
    /// The characters that the encoding uses, and whether it pads the text.
    public enum Alphabet: Sendable {
        /// The alphabet with `+` and `/`, and with padding (RFC 4648, section 4).
        case standard
        /// The alphabet with `-` and `_`, without padding (RFC 4648, section 5).
        ///
        /// Tokens and URLs use this alphabet.
        case url
    }

    /// Encodes bytes as base64.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - alphabet: The alphabet. Default: `standard`.
    /// - Returns: The text.
    public static func encode(_ bytes: some Sequence<UInt8>, _ alphabet: Alphabet = .standard) -> String {
        encode(Array(bytes), alphabet)
    }

    /// Encodes an array of bytes as base64.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - alphabet: The alphabet. Default: `standard`.
    /// - Returns: The text.
    public static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        let digits = alphabet == .url ? urlDigits : standardDigits
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var start = 0
        while start < bytes.count {
            let count = min(3, bytes.count - start)
            var word = Int(bytes[start]) << 16
            if count > 1 { word |= Int(bytes[start + 1]) << 8 }
            if count > 2 { word |= Int(bytes[start + 2]) }
            text.append(digits[word >> 18])
            text.append(digits[word >> 12 & 0x3f])
            if count > 1 { text.append(digits[word >> 6 & 0x3f]) }
            if count > 2 { text.append(digits[word & 0x3f]) }
            start += 3
        }
        if alphabet == .standard {
            while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes base64.
    ///
    /// Padding is optional in both alphabets. If it is present, it must be correct.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - alphabet: The alphabet. Default: `standard`.
    /// - Returns: The bytes; `nil` if a character or the length is invalid, or if the unused bits at the end are not
    ///   zero.
    public static func decode(_ text: some StringProtocol, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        var units = Array(text.utf8)
        if units.last == UInt8(ascii: "=") {
            guard units.count.isMultiple(of: 4) else { return nil }
            units.removeLast(units.dropLast().last == UInt8(ascii: "=") ? 2 : 1)
        }
        guard units.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(units.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for unit in units {
            guard let digit = value(of: unit, alphabet) else { return nil }
            buffer = buffer << 6 | UInt32(digit)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return buffer & ((1 << bits) - 1) == 0 ? bytes : nil
    }

    private static let standardDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(of unit: UInt8, _ alphabet: Alphabet) -> UInt8? {
        switch unit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): unit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): unit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): alphabet == .standard ? 62 : nil
        case UInt8(ascii: "/"): alphabet == .standard ? 63 : nil
        case UInt8(ascii: "-"): alphabet == .url ? 62 : nil
        case UInt8(ascii: "_"): alphabet == .url ? 63 : nil
        default: nil
        }
    }
}
