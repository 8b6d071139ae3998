/// Normalizes a code that a person typed, before an adapter gets it.
///
/// Keyboards of many scripts write other digits. Emails, messages and password managers add spaces, hyphens and
/// zero-width characters. A backend compares bytes, and an unknown code uses up an attempt.
enum TypedCode {
    /// Returns the code without white space, grouping characters and zero-width characters.
    ///
    /// If the code contains nothing but digits, digits of any script become ASCII digits. If it also contains letters,
    /// as a backup code does, all its letters and digits stay unchanged.
    static func normalized(_ typed: String) -> String {
        let kept = typed.unicodeScalars.filter { !$0.isGroupingSign && !$0.isWithoutWidth }
        let digits = kept.compactMap(\.decimalDigit)
        guard digits.count == kept.count else { return String(String.UnicodeScalarView(kept)) }
        return digits.map(String.init).joined()
    }
}

extension Unicode.Scalar {
    /// Whether the character only separates groups: white space, hyphens and dashes, dots, commas, apostrophes.
    var isGroupingSign: Bool {
        if properties.isWhitespace || properties.generalCategory == .dashPunctuation { return true }
        switch value {
        // Characters such as . , ' · and: middle dots, the Arabic separators, the right quotation mark, the minus sign.
        case 0x2E, 0x2C, 0x27, 0xB7, 0x2022, 0x2027, 0x30FB, 0x066B, 0x066C, 0x2019, 0x2212, 0xFF0E, 0xFF0C, 0xFF65: return true
        default: return false
        }
    }

    /// Whether the character takes no space on the screen: formatting, variation selectors, accents, keycaps, control
    /// characters.
    var isWithoutWidth: Bool {
        switch properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// The value of a decimal digit of any script; `nil` if the character is not a digit.
    var decimalDigit: Int? {
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return Int(value)
    }
}
