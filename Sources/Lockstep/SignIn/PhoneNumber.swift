/// A phone number in E.164 form: a plus sign, the country code and the number, with digits only.
///
/// Spaces, hyphens, dots, slashes, brackets and zero-width characters are removed. Digits and plus signs of other
/// scripts are converted. No digit is added or removed, so a message cannot go to the wrong country.
///
/// ```swift
/// let number = try PhoneNumber("+49 (151) 123-45678").text  // "+4915112345678"
/// ```
public struct PhoneNumber: Hashable, Sendable {
    /// The number, such as `+4915112345678`.
    public let text: String

    /// Reads a phone number that a person typed.
    ///
    /// - Parameter typed: The number with its country code.
    /// - Throws: `invalidPhone` if the plus sign is missing, if a zero follows it, if the text contains another
    ///   character, or if there are too few or too many digits. The error's message names the problem.
    public init(_ typed: String) throws(AuthError) {
        let signs = typed.unicodeScalars.filter { $0.isComma || !$0.isGroupingSign && !$0.isWithoutWidth && !$0.isBracketOrSlash }
        guard let first = signs.first else {
            throw AuthError(.invalidPhone, "The phone number is empty. Ask the user for a number before the call.")
        }
        // The plus sign, and its full-width and small forms.
        guard [0x2B, 0xFF0B, 0xFE62].contains(first.value) else {
            throw AuthError(
                .invalidPhone,
                "The phone number has no country code. Ask the user to start with a plus sign and the country code.")
        }
        var digits = ""
        for sign in signs.dropFirst() {
            guard let digit = sign.decimalDigit else {
                throw AuthError(
                    .invalidPhone, "The phone number contains \(sign.name), which is not a digit. Ask the user to correct it.")
            }
            digits += String(digit)
        }
        guard digits.utf8.first != UInt8(ascii: "0") else {
            throw AuthError(
                .invalidPhone,
                "The phone number has a zero after the plus sign, but country codes never start with zero. Ask the user to correct it."
            )
        }
        guard !typed.hasTrunkZero else {
            throw AuthError(
                .invalidPhone, #"The phone number contains "(0)", which is not dialed from abroad. Ask the user to leave it out."#
            )
        }
        guard (7...15).contains(digits.utf8.count) else {
            throw AuthError(
                .invalidPhone,
                "The phone number has \(digits.utf8.count) digits after the plus sign: expected 7 to 15. Ask the user to correct it."
            )
        }
        text = "+" + digits
    }
}

extension Unicode.Scalar {
    /// Whether the character is a comma of any script.
    ///
    /// A comma separates two numbers, or dials an extension after a pause.
    fileprivate var isComma: Bool { [0x2C, 0x066B, 0x066C, 0xFF0C].contains(value) }

    /// Whether the character is a bracket of any script or a slash.
    fileprivate var isBracketOrSlash: Bool {
        switch properties.generalCategory {
        case .openPunctuation, .closePunctuation: true
        default: value == 0x2F || value == 0xFF0F
        }
    }

    /// The character as an error shows it: printable ASCII in quotes, all others as a number.
    fileprivate var name: String {
        if (0x21...0x7E).contains(value) { return "\"\(self)\"" }
        return codePoint
    }
}

extension String {
    /// Whether the text contains a single zero in brackets, as in `+44 (0)20`.
    ///
    /// The zero may or may not belong to the number.
    fileprivate var hasTrunkZero: Bool {
        let signs = unicodeScalars.filter { !$0.properties.isWhitespace && !$0.isWithoutWidth }
        return zip(zip(signs, signs.dropFirst()), signs.dropFirst(2)).contains { pair, last in
            pair.0.properties.generalCategory == .openPunctuation && pair.1.decimalDigit == 0
                && last.properties.generalCategory == .closePunctuation
        }
    }
}
