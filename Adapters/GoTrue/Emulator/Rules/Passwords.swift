internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives

/// Hashes and compares passwords, between the runs of a request.
struct Passwords {
    let context: RequestContext

    /// The replacement for the hash of an unknown password.
    ///
    /// The real server creates a random password and hashes it.
    static let unknown = "*"

    private var service: PasswordService<ServerState> {
        PasswordService(context, .bcrypt(context.settings.passwords.cost, randomness: context.randomness))
    }

    /// Returns the hash of a new password.
    ///
    /// The algorithm bcrypt rejects a long password, and the real server then panics.
    func hash(_ password: String) throws -> String {
        let result = try service.hash(password)
        guard let text = (try? result.get())?.goTrueText else { throw GoTrueError.panic }
        return text
    }

    /// Returns the hash of a password that an administrator in this process sets.
    func hash(ofAdministrator password: Secret) throws -> String {
        let result = try service.hash(password.reveal())
        if case .failure(let error) = result { throw UserValueError(error) }
        return try hash(password.reveal())
    }

    /// Returns whether a password matches a hash; an unreadable hash matches no password.
    func matches(_ password: String, for hash: String) throws -> Bool {
        guard hash != Self.unknown else {
            try spend()
            return false
        }
        return try service.matches(password, [try? PasswordHash(goTrue: hash)].compactMap(\.self))
    }

    /// Lasts as long as a comparison, so that the time of an error does not reveal whether there is a hash.
    func spend() throws { try service.spend() }

    /// Returns the sentence and the reasons for a weak password; `nil` for a strong one.
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
