/// A user name that follows the instance's rules.
struct Username: Hashable {
    let text: String

    /// Checks a name; its letters count in lower case.
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
