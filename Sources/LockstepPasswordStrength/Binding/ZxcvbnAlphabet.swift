/// The alphabet of zxcvbn, with one byte per character.
///
/// The library was made for ASCII, and treats each byte of UTF-8 as a character of a large alphabet. Six Cyrillic
/// letters would be twelve characters, and the shortest word of such a language would be strong. So this type turns
/// each letter of an alphabet into one letter, and drops its marks. A character of a large script becomes one of a
/// hundred characters, which is fewer than the script has.
enum ZxcvbnAlphabet {
    /// Returns the byte for a character; `nil` if it is a mark that belongs to the character before it.
    ///
    /// Different characters may have the same byte. This can only make a password look slightly weaker.
    static func byte(for scalar: Unicode.Scalar) -> UInt8? {
        // NUL would end the text.
        if scalar.isASCII { return scalar.value == 0 ? 1 : UInt8(scalar.value) }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return nil
        case .decimalNumber: return digit + UInt8(properties.numericValue.map { Int($0) % 10 } ?? 0)
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            return letter(scalar, properties)
        default: return sign(scalar)
        }
    }

    private static let digit = UInt8(ascii: "0")

    private static func letter(_ scalar: Unicode.Scalar, _ properties: Unicode.Scalar.Properties) -> UInt8 {
        // Chinese characters, kana and Korean syllables are more than an alphabet has.
        guard scalar.value < 0x2e80 else { return sign(scalar) }
        let lower = properties.lowercaseMapping.unicodeScalars.first ?? scalar
        let isCapital = lower != scalar
        let first = isCapital ? UInt8(ascii: "A") : UInt8(ascii: "a")
        if let base = latinBase(of: lower) { return first + base }
        return first + UInt8(lower.value % 26)
    }

    /// Returns the place in the alphabet of a Latin letter without its marks: "LATIN SMALL LETTER E WITH ACUTE" is an e.
    private static func latinBase(of scalar: Unicode.Scalar) -> UInt8? {
        let words = scalar.properties.name?.split(separator: " ") ?? []
        guard words.count > 4, words[..<3] == ["LATIN", "SMALL", "LETTER"], words[4] == "WITH", words[3].utf8.count == 1,
            let letter = words[3].utf8.first
        else { return nil }
        return letter - UInt8(ascii: "A")
    }

    /// Returns the byte for a character that is neither a letter nor a digit of an alphabet: one of the hundred that
    /// zxcvbn knows.
    private static func sign(_ scalar: Unicode.Scalar) -> UInt8 {
        0x80 | UInt8((scalar.value ^ scalar.value >> 7 ^ scalar.value >> 14) & 0x7f)
    }
}
