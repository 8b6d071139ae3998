internal import LockstepPrimitives

/// Functions that recognize secrets by their names and by their form.
enum SecretShapes {
    /// Returns whether a text with this name is a secret or a part of one.
    static func hides(_ name: String, _ text: String) -> Bool {
        let name = name.lowercased()
        // `password_last_updated_at`, `passwordUpdatedAt`: times.
        if harmless.contains(name) || name.hasSuffix("_at") || name.hasSuffix("updatedat") { return false }
        // The code of an error is a word or a status, but a secret code is a number or random text.
        if name == "code" || name.hasSuffix("code") && !name.hasPrefix("oob") && name != "qr_code" || name == "key" {
            return text.unicodeScalars.contains { $0.properties.numericType != nil } && !text.utf8.contains(UInt8(ascii: "_"))
        }
        return containsPart(name.utf8) || name.hasSuffix("pass") || wholes.contains(name)
    }

    /// Returns whether a name contains one of the parts that mean a secret.
    private static func containsPart(_ name: String.UTF8View) -> Bool {
        var rest = name[...]
        while let first = rest.first {
            if let parts = parts[first], parts.contains(where: { rest.starts(with: $0) }) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Returns whether a text is a secret whatever its name is: a token, a key, a hash or a random value.
    ///
    /// - Parameters:
    ///   - isID: Whether its name says that it is an id. An id may be just as random, but it gives no access.
    static func isSecret(_ text: some StringProtocol, isID: Bool = false) -> Bool {
        if text.contains(bytesOf: "eyJ") || text.contains(bytesOf: "-----BEGIN") || text.hasPrefix("otpauth:") { return true }
        if text.hasPrefix("data:") || text.hasPrefix("<svg") || text.hasPrefix("<?xml") { return true }
        let lower = text.prefix(8).lowercased()
        if ["bearer ", "basic "].contains(where: lower.hasPrefix) { return true }
        if ["sk_", "sb_secret_", "whsec_", "v1,whsec_"].contains(where: text.hasPrefix) { return true }
        // Hashes of passwords: $2a$10$…, $argon2id$…
        if text.utf8.first == UInt8(ascii: "$"), text.utf8.count(where: { $0 == UInt8(ascii: "$") }) >= 3 { return true }
        return !isID && isRandom(text)
    }

    /// Returns whether a name is the name of an id, a trace or a date, and not of a secret.
    static func isIDName(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix("id") || name.hasSuffix("ids")
            || ["sub", "aud", "iss", "traceparent", "etag", "kid"].contains(name)
    }

    /// Whether a name consists of words, such as `primary_web3_wallet_id`, and not of random characters.
    static func isWords(_ name: String) -> Bool {
        let parts = name.pieces(at: "_", omittingEmptySubsequences: false)
        return parts.count > 1
            && parts.allSatisfy { part in
                let digits = part.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
                return digits < 3 && part.utf8.count > digits
                    && part.utf8.dropLast(digits).allSatisfy { (0x61...0x7a).contains($0) }
            }
    }

    /// Returns whether a text contains at least twenty consecutive letters and digits, as only a generator writes them, and is
    /// not an id of a provider.
    private static func isRandom(_ text: some StringProtocol) -> Bool {
        guard text.utf8.count >= 20, text.utf8.allSatisfy(isTokenCharacter) else { return false }
        let hasDigit = text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let hasLetter = text.utf8.contains { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        // Keys of authenticator apps consist of capitals and the digits 2 to 7, sometimes without a digit.
        let isBase32 = text.utf8.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
        }
        return (hasDigit && hasLetter || isBase32) && !isUUID(text) && !isPrefixedID(text)
    }

    private static func isTokenCharacter(_ unit: UInt8) -> Bool {
        switch unit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    private static func isUUID(_ text: some StringProtocol) -> Bool {
        let parts = text.pieces(at: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// Returns whether a text is an id of Clerk, such as `sess_2ab…`.
    private static func isPrefixedID(_ text: some StringProtocol) -> Bool {
        let parts = text.pieces(at: "_", omittingEmptySubsequences: false)
        return parts.count == 2 && idPrefixes.contains(String(parts[0])) && parts[1].utf8.count == 27
    }

    private static let idPrefixes: Set = [
        "user", "sess", "client", "sia", "sua", "idn", "eac", "img", "ins", "org", "inv", "jwt", "sit", "tmpl", "mfa", "act",
        "allow",
        "block", "wl",
    ]

    /// Parts of names that mean a secret, by their first byte.
    private static let parts: [UInt8: [[UInt8]]] = Dictionary(
        grouping: partNames.map { Array($0.utf8) }, by: { $0.first ?? 0 })

    private static let partNames = [
        "password", "passwd", "passphrase", "token", "secret", "otp", "nonce", "verifier", "challenge", "credential", "ticket",
        "apikey", "api_key", "api-key", "salt", "hash", "assertion", "oobcode", "ooblink", "sessioninfo",
        // It binds a redirect to the app that began it; `session_id` of Clerk and GoTrue only identifies a session.
        "sessionid", "postbody", "signature",
        "signerkey", "private", "jwt", "client_uat", "action_link", "cookie", "authorization", "qr_code", "backup_code",
        "recovery_code", "dev_browser", "db_jwt",
    ]

    /// Names that mean a secret if they are the whole name, but not if they are a part of a name.
    ///
    /// They also include names in the requests of servers behind a gateway.
    private static let wholes: Set<String> = ["access", "refresh", "bearer", "pwd", "pin"]

    private static let harmless: Set<String> = [
        "token_type", "tokentype", "challenge_method", "code_challenge_method", "errorcode", "error_code", "statuscode",
        "x-sb-error-code", "hash_algorithm", "hashalgorithm", "password_hasher", "passwordhasher", "x-client-info",
        "password_enabled", "totp_enabled", "has_password", "challenge_id",
    ]
}
