internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// Values that the server creates once for all users, and needs again after a restart.
extension SQLiteConnection {
    private static let signingKeyName = "signing-key"
    private static let signerKeyName = "signer-key"

    /// The key that signed the earlier tokens.
    mutating func signingKey() throws -> SigningKey? {
        try secret(Self.signingKeyName).map { try JSONWebKey(try JSON.parse($0)).signingKey() }
    }

    mutating func keep(_ key: SigningKey) throws {
        try keep(JSON.object(try JSONWebKey(private: key).members).text(), as: Self.signingKeyName)
    }

    /// The key of the earlier password hashes, in base 64.
    mutating func signerKey() throws -> String? { try secret(Self.signerKeyName) }

    mutating func keep(signerKey: String) throws { try keep(signerKey, as: Self.signerKeyName) }

    private mutating func secret(_ name: String) throws -> String? {
        try value("SELECT value FROM secrets WHERE name = \(name)")
    }

    private mutating func keep(_ value: String, as name: String) throws {
        try run(
            """
            INSERT INTO secrets (name, value) VALUES (\(name), \(value))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }
}
