/// The two parameters of a flow with a proof key (RFC 7636).
struct ProofKey {
    var challenge: String
    var method: String

    /// Reads a body; `nil` for a flow without a proof key.
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
