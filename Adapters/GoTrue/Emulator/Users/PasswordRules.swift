/// What a new password must be like.
struct PasswordRules {
    let settings: PasswordSettings

    /// Why a password is too weak: the sentence and the reasons; `nil` where it is not.
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

/// The two parameters of a flow with a proof key (RFC 7636).
struct ProofKey {
    var challenge: String
    var method: String

    /// What a body says; `nil` for a flow without one.
    init?(_ body: Body) throws(GoTrueError) {
        try self.init(challenge: body[text: "code_challenge"], method: body[text: "code_challenge_method"])
    }

    init?(challenge: String, method: String) throws(GoTrueError) {
        if challenge.isEmpty, method.isEmpty { return nil }
        guard !challenge.isEmpty, !method.isEmpty else {
            throw .invalid("PKCE flow requires code_challenge_method and code_challenge")
        }
        guard (43...128).contains(challenge.utf8.count) else {
            throw .invalid("code challenge has to be between 43 and 128 characters")
        }
        let isClean = challenge.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-._~".unicodeScalars.contains(scalar))
        }
        guard isClean else {
            throw .invalid("code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes")
        }
        self.challenge = challenge
        self.method = method.lowercased()
    }

    var isKnown: Bool { method == "s256" || method == "plain" }
}
