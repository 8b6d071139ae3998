/// The validation of e-mail addresses and phone numbers.
enum Address {
    /// In lower case; surrounding spaces are refused.
    static func email(_ text: String) throws(GoTrueError) -> String {
        guard !text.isEmpty else { throw .invalid("An email address is required") }
        guard text.utf8.count <= 255 else { throw .invalid("An email address is too long") }
        guard isEmail(text) else { throw .invalid("Unable to validate email address: invalid format") }
        return text.lowercased()
    }

    /// Without the plus sign that it begins with, and without spaces.
    static func phone(_ text: String) throws(GoTrueError) -> String {
        let digits = digits(text)
        let units = Array(digits.utf8)
        let isNumber =
            (2...15).contains(units.count) && units[0] != UInt8(ascii: "0") && units.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        guard isNumber else { throw .invalid("Invalid phone number format (E.164 required)") }
        return digits
    }

    /// A number in its stored form, without validation.
    static func digits(_ text: String) -> String {
        (text.hasPrefix("+") ? text.dropFirst() : text[...]).filter { $0 != " " }
    }

    /// The pattern of HTML's e-mail fields; a domain without a dot is one.
    static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let special = ".!#$%&'*+/=?^_`{|}~-"
        guard parts[0].unicodeScalars.allSatisfy({ isWord($0) || special.unicodeScalars.contains($0) }) else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            guard let first = label.unicodeScalars.first, let last = label.unicodeScalars.last, label.utf8.count <= 63 else {
                return false
            }
            return isWord(first) && isWord(last) && label.unicodeScalars.allSatisfy { isWord($0) || $0 == "-" }
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
}
