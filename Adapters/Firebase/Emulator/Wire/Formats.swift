internal import LockstepPrimitives

/// The validation of addresses, numbers and URLs.
enum Formats {
    /// A text, one `@`, and a text: Firebase's emulator checks no more.
    static func isEmail(_ text: String) -> Bool {
        let parts = text.pieces(at: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }

    /// A plus sign and any text: Firebase's emulator checks no more.
    ///
    /// Production reads the number, with the characters that people write between digits.
    static func isPhoneNumber(_ text: String, isStrict: Bool) -> Bool {
        guard text.utf8.first == 0x2b else { return false }
        guard isStrict else { return true }
        let digits = text.utf8.count { (0x30...0x39).contains($0) }
        return (4...15).contains(digits)
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || [0x20, 0x28, 0x29, 0x2d, 0x2e].contains($0) }
    }

    /// Addresses are stored and compared in lower case.
    static func canonical(_ email: String) -> String { email.lowercased() }
}

extension JSON {
    /// The text; or a number or a Boolean value, converted to a text.
    var asText: String? {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): "\(number)"
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}
