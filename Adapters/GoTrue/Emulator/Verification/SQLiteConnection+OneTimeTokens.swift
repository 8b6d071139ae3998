internal import LockstepCrypto
internal import LockstepPrimitives
internal import LockstepSQLite

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
