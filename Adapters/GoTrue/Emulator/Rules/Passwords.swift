internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives

/// Hashes and compares passwords, between the runs of a request.
struct Passwords {
    let context: RequestContext

    /// Replaces the hash of an unknown password: the real server creates a random one and hashes it.
    static let unknown = "*"

    private var service: PasswordService<ServerState> {
        PasswordService(context, .bcrypt(context.settings.passwords.cost, randomness: context.randomness))
    }

    /// A new hash of a password; bcrypt accepts no long one, and the real server then runs into a panic.
    func hash(_ password: String) throws -> String {
        let result = try service.hash(password)
        guard let text = (try? result.get())?.goTrueText else { throw GoTrueError.panic }
        return text
    }

    /// Whether a password is the one of a hash; one that cannot be read matches nothing.
    func matches(_ password: String, for hash: String) throws -> Bool {
        guard hash != Self.unknown else {
            try spend()
            return false
        }
        return try service.matches(password, [try? PasswordHash(goTrue: hash)].compactMap(\.self))
    }

    /// Takes as long as a comparison, so that the time of an error does not show that there is no hash.
    func spend() throws { try service.spend() }

    /// The sentence and the reasons for a weak password; `nil` for a strong one.
    func weakness(of password: String) -> (message: String, reasons: [String])? {
        let settings = context.settings.passwords
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

    /// Rejects a new password that is too long or too weak.
    func check(_ password: String) throws(GoTrueError) {
        guard password.utf8.count <= 72 else { throw .invalid("Password cannot be longer than 72 characters") }
        if let weakness = weakness(of: password) {
            throw .weakPassword(weakness.message, weakness.reasons)
        }
    }
}
