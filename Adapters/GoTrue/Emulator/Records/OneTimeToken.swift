internal import LockstepCrypto
internal import LockstepPrimitives
internal import LockstepSQLite

/// The kinds of link that a user may have open, one of each at a time.
enum OneTimeTokenKind: String {
    case confirmation = "confirmation_token"
    case recovery = "recovery_token"
    case emailChangeNew = "email_change_token_new"
    case emailChangeCurrent = "email_change_token_current"
    case phoneChange = "phone_change_token"
    case reauthentication = "reauthentication_token"
}

/// Hashes of codes.
enum CodeHash {
    /// The prefix of hashes in a flow with a proof key.
    static let proofPrefix = "pkce_"

    static func of(_ address: String, _ code: String) -> String {
        Hex.encode(HashFunction.sha224.digest(address + code))
    }
}

/// Whether a code matches the one that was sent, and has not expired.
enum VerifyCode {
    static func isGood(_ hash: String, _ slot: User.Slot, life: Duration, at now: Instant) -> Bool {
        guard !slot.hash.isEmpty, let sentAt = slot.sentAt, now < sentAt + life else { return false }
        return hash == slot.hash || CodeHash.proofPrefix + hash == slot.hash
    }
}

extension SQLiteConnection {
    mutating func setOneTimeToken(
        _ kind: OneTimeTokenKind, _ hash: String, of user: User, for address: String, at now: Instant
    ) throws {
        try run(
            "INSERT OR REPLACE INTO one_time_tokens (user_id, token_type, token_hash, relates_to, created_at) VALUES (\(user.id), \(kind.rawValue), \(hash), \(address.lowercased()), \(now))"
        )
    }

    mutating func clearOneTimeTokens(of userID: String, _ kind: OneTimeTokenKind? = nil) throws {
        if let kind {
            try run("DELETE FROM one_time_tokens WHERE user_id = \(userID) AND token_type = \(kind.rawValue)")
        } else {
            try run("DELETE FROM one_time_tokens WHERE user_id = \(userID)")
        }
    }

    /// The user of a link.
    mutating func user(linkHash: String, _ kinds: [OneTimeTokenKind]) throws -> User? {
        guard !linkHash.isEmpty else { return nil }
        let id: String? = try value(
            "SELECT user_id FROM one_time_tokens WHERE token_hash = \(linkHash) AND token_type IN (\(list: kinds.map(\.rawValue)))"
        )
        return try id.flatMap { try user(id: $0) }
    }
}
