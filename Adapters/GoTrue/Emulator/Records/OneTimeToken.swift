internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// An open link or code of a user.
struct OneTimeToken: Record {
    var userID = ""
    var kind = OneTimeTokenKind.confirmation
    var hash = ""
    /// The address or number that received it.
    var address = ""
    var createdAt = Instant.distantPast

    static let table = Table<OneTimeToken>(
        "one_time_tokens",
        [
            Column("user_id", \.userID, .belongs(to: "users (id)")), Column("token_type", \.kind),
            Column("token_hash", \.hash), Column("relates_to", \.address), Column("created_at", \.createdAt),
        ], key: ["user_id", "token_type"], indexes: [Index("one_time_tokens_hash", on: "token_hash")], isKeyed: true)
}

/// The kinds of links; a user can have one open link of each kind.
enum OneTimeTokenKind: String, ColumnValue {
    case confirmation = "confirmation_token"
    case recovery = "recovery_token"
    case emailChangeNew = "email_change_token_new"
    case emailChangeCurrent = "email_change_token_current"
    case phoneChange = "phone_change_token"
    case reauthentication = "reauthentication_token"
}

/// Hashes of codes.
enum CodeHash {
    /// The prefix of hashes in a flow with PKCE.
    static let proofPrefix = "pkce_"

    static func of(_ address: String, _ code: String) -> String {
        Hex.encode(HashFunction.sha224.digest(address + code))
    }
}

/// Checks whether a code matches the one that was sent, and has not expired.
enum VerifyCode {
    static func isGood(_ hash: String, _ slot: User.Slot, life: Duration, at now: Instant) -> Bool {
        guard !slot.hash.isEmpty, let sentAt = slot.sentAt, now < sentAt + life else { return false }
        return hash == slot.hash || CodeHash.proofPrefix + hash == slot.hash
    }
}

extension SQLiteConnection {
    mutating func clearOneTimeTokens(of userID: String, _ kind: OneTimeTokenKind? = nil) throws {
        if let kind {
            try delete(OneTimeToken.self, "user_id = \(userID) AND token_type = \(kind)")
        } else {
            try delete(OneTimeToken.self, "user_id = \(userID)")
        }
    }

    /// The user of a link.
    mutating func user(linkHash: String, _ kinds: [OneTimeTokenKind]) throws -> User? {
        guard !linkHash.isEmpty else { return nil }
        let token = try find(OneTimeToken.self, "token_hash = \(linkHash) AND token_type IN (\(list: kinds))")
        return try token.flatMap { try user(id: $0.userID) }
    }
}
