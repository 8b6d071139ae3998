/// The rules for new passwords.
struct PasswordRules {
    let settings: PasswordSettings

    /// The sentence and the reasons for a weak password; `nil` for a strong one.
    func weakness(of password: String) -> (message: String, reasons: [String])? {
        var messages: [String] = []
        var reasons: [String] = []
        if password.utf8.count < settings.minimumLength {
            messages.append("Password should be at least \(settings.minimumLength) characters.")
            reasons.append("length")
        }
        let lacks = settings.requiredCharacters.contains { set in !password.contains { set.contains($0) } }
        if lacks {
            let sets = settings.requiredCharacters.joined(separator: ", ")
            messages.append("Password should contain at least one character of each: \(sets).")
            reasons.append("characters")
        }
        return reasons.isEmpty ? nil : (messages.joined(separator: " "), reasons)
    }

    func check(_ password: String) throws(GoTrueError) {
        guard password.utf8.count <= 72 else { throw .invalid("Password cannot be longer than 72 characters") }
        if let weakness = weakness(of: password) {
            throw GoTrueError(status: 422, form: .weakPassword(reasons: weakness.reasons), message: weakness.message)
        }
    }
}
