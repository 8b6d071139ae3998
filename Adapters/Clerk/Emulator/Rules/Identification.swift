internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The identifier that a person types.
enum Identifier: Hashable {
    case email(String)
    case phone(String)
    case username(String)

    /// Reads an identifier: a text with `@` is an email address, a text that begins with `+` is a number, and any other
    /// text is a user name.
    init?(_ raw: String) {
        let text = raw.trimmed
        if text.contains("@") {
            guard let address = EmailAddress(text) else { return nil }
            self = .email(address.text)
        } else if text.hasPrefix("+") {
            guard let number = PhoneNumber(text) else { return nil }
            self = .phone(number.text)
        } else {
            guard !text.isEmpty, text.utf8.count <= 256 else { return nil }
            self = .username(text.lowercased())
        }
    }

    /// The identifier in its normal form.
    var text: String {
        switch self {
        case .email(let text), .phone(let text), .username(let text): text
        }
    }

    /// The attribute's name in the API.
    var attribute: String {
        switch self {
        case .email: "email_address"
        case .phone: "phone_number"
        case .username: "username"
        }
    }

    var identificationKind: IdentificationRecord.Kind {
        if case .phone = self { .phone } else { .email }
    }
}

/// A checked email address, as it was written but in lower case.
struct EmailAddress: Hashable {
    let text: String

    /// Reads an address, and ignores spaces around it.
    ///
    /// Like Clerk's form, it accepts only ASCII, with one `@` and a dot in the host, and no list, no display name, no
    /// quoted part.
    init?(_ raw: String) {
        let trimmed = raw.trimmed
        guard trimmed.utf8.count <= 254, let at = trimmed.unicodeScalars.firstIndex(of: "@") else { return nil }
        let local = trimmed[..<at]
        let host = trimmed[trimmed.unicodeScalars.index(after: at)...]
        guard (1...64).contains(local.utf8.count), local.utf8.allSatisfy(Self.isLocal), !local.hasPrefix("."),
            !local.hasSuffix("."),
            !local.contains(".."), Self.isHost(host)
        else { return nil }
        text = trimmed.lowercased()
    }

    /// Whether it is a test address: its subaddress begins with `clerk_test`, no message is sent to it, and its code is
    /// 424242.
    var isTest: Bool {
        guard let plus = text.unicodeScalars.firstIndex(of: "+"), let at = text.unicodeScalars.firstIndex(of: "@"), plus < at
        else { return false }
        return text[text.unicodeScalars.index(after: plus)..<at].hasPrefix("clerk_test")
    }

    private static let localSigns = Set("!#$%&'*+/=?^_`{|}~-.".utf8)

    private static func isLocal(_ unit: UInt8) -> Bool { unit.isLetterOrDigit || localSigns.contains(unit) }

    private static func isHost(_ host: Substring) -> Bool {
        let labels = host.pieces(at: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
                    && !label.hasPrefix("-") && !label.hasSuffix("-")
            }
    }
}

extension UInt8 {
    /// Whether the character is one of `A-Z a-z 0-9`.
    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        // The code uses indices, because reversing would copy the string twice, character by character.
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
            return ""
        }
        return String(self[first...last])
    }
}

/// A phone number in E.164 form.
struct PhoneNumber: Hashable {
    let text: String

    /// Reads `+` and 8 to 15 digits, and ignores spaces, brackets, dots and hyphens between them.
    init?(_ raw: String) {
        let bare = raw.trimmed.filter { !" ()-.".contains($0) }
        let digits = bare.dropFirst()
        guard bare.first == "+", (8...15).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        text = bare
    }

    /// Whether it is a test number, `+1 XXX 555-0100` to `-0199`: no message is sent to it, and its code is 424242.
    var isTest: Bool {
        guard text.hasPrefix("+1"), text.utf8.count == 12 else { return false }
        return text.dropFirst(5).hasPrefix("55501")
    }
}

/// A user name that follows the instance's rules.
struct Username: Hashable {
    let text: String

    /// Checks a name, in lower case.
    static func read(_ raw: String, _ rules: UsernameRules, parameter: String = "username") throws(ClerkError) -> Username {
        let name = raw.trimmed.lowercased()
        guard (rules.minimumLength...rules.maximumLength).contains(name.count) else {
            throw ClerkError(
                422, "form_username_invalid_length",
                "Your username must be between \(rules.minimumLength) and \(rules.maximumLength) characters long.",
                parameter: parameter)
        }
        let extra: Set<UInt8> = rules.allowsSigns ? Set("_-!#$%&'*+/=?^`{|}~.".utf8) : Set("_-".utf8)
        guard name.utf8.allSatisfy({ $0.isLetterOrDigit || extra.contains($0) }) else {
            throw ClerkError(
                422, "form_username_invalid_character", "Your username can only contain letters, numbers and '_' or '-'.",
                parameter: parameter)
        }
        guard name.utf8.contains(where: { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw ClerkError(
                422, "form_username_needs_non_number_char", "Your username must contain one non-number character.",
                parameter: parameter)
        }
        return Username(text: name)
    }
}
