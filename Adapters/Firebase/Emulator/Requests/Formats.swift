/// The validation of addresses, numbers and URLs.
enum Formats {
    /// Text, one `@`, text: all that Firebase's emulator checks.
    static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }

    static func isPhoneNumber(_ text: String) -> Bool { text.hasPrefix("+") }

    /// Addresses are stored and compared in lower case.
    static func canonical(_ email: String) -> String { email.lowercased() }
}
