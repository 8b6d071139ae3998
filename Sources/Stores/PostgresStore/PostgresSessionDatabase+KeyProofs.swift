internal import Lockstep
internal import LockstepCrypto
internal import LockstepPostgres
internal import Synchronization

/// Checks that this machine has the same secret of a key as the machines that encrypted the rows.
///
/// A proof of each key's secret is in the table `lockstep_keys`. It is written together with the first row that the key encrypts.
/// Without it, a machine with a wrong secret would treat every row as damaged, and its own rows would look damaged to all others.
extension PostgresSessionDatabase {
    private enum Standing {
        case right, wrong
        /// There is no table of proofs yet (an older version has made the tables), and there is no row that could be tried
        /// instead.
        case unknown
    }

    /// Checks that other machines can decrypt values of the newest key, before anything is encrypted with it.
    ///
    /// - Throws: `unwritable` if this machine has another secret.
    func confirmNewestKey() async throws(StoreError) {
        if try await standing(of: keys.newest.id, .unwritable) == .wrong { throw Self.wrongSecret(keys.newest.id, .unwritable) }
    }

    /// Checks whether a value that cannot be decrypted with a key is really damaged.
    ///
    /// - Throws: `unreadable` if this machine may have the wrong secret. Then nothing may be quarantined.
    func confirm(_ keyID: String) async throws(StoreError) {
        if try await standing(of: keyID, .unreadable) != .right { throw Self.wrongSecret(keyID, .unreadable) }
    }

    private static func wrongSecret(_ keyID: String, _ code: StoreError.Code) -> StoreError {
        StoreError(
            code,
            """
            This machine has another secret for the key \(keyID) than the secret that encrypted the sessions (table lockstep_keys). Give all machines the same secret, or give the new secret a different name. Nothing was changed.
            """)
    }

    private func standing(of keyID: String, _ code: StoreError.Code) async throws(StoreError) -> Standing {
        if confirmedKeys.withLock({ $0.contains(keyID.exact) }) { return .right }
        guard let proof = keys.proof(of: keyID) else { return .unknown }
        let kept = try await call(code) { connection, _ throws(PostgresError) in try KeptProof.read(keyID, connection) }
        if case .bytes(let bytes) = kept { return confirmed(keyID, bytes == proof) }
        let rows = try await call(code) { connection, _ throws(PostgresError) in try SealedRow.some(of: keyID, connection) }
        let opens = rows.contains { $0.opens(keyID, keys) }
        guard rows.isEmpty || opens else { return .wrong }
        if case .noTable = kept { return opens ? confirmed(keyID, true) : .unknown }
        let first = try await call(code) { connection, _ throws(PostgresError) -> KeptProof in
            try connection.commit(
                "INSERT INTO lockstep_keys (key_id, proof) VALUES (\(keyID), \(proof)) ON CONFLICT DO NOTHING")
            return try KeptProof.read(keyID, connection)
        }
        guard case .bytes(let bytes) = first else { return .unknown }
        return confirmed(keyID, bytes == proof)
    }

    private func confirmed(_ keyID: String, _ isRight: Bool) -> Standing {
        if isRight { _ = confirmedKeys.withLock { $0.insert(keyID.exact) } }
        return isRight ? .right : .wrong
    }
}

/// The entry of the table of proofs for a key.
private enum KeptProof: Sendable {
    case bytes([UInt8])
    case none
    case noTable

    static func read(_ keyID: String, _ connection: PostgresConnection) throws(PostgresError) -> KeptProof {
        do throws(PostgresError) {
            guard let row = try connection.run("SELECT proof FROM lockstep_keys WHERE key_id = \(keyID)").rows.first else {
                return .none
            }
            return .bytes(try row[0])
        } catch  where error.state == .undefinedTable {
            return .noTable
        }
    }
}

/// A row with another value that the same key has encrypted.
private struct SealedRow: Sendable {
    let owner: String
    let key: String
    let revision: String
    let sealed: [UInt8]

    /// Returns a few such rows.
    ///
    /// One row that can be decrypted is enough, and a few rows may be damaged.
    static func some(of keyID: String, _ connection: PostgresConnection) throws(PostgresError) -> [SealedRow] {
        try connection.run(
            "SELECT owner, key, revision, sealed FROM lockstep_sessions WHERE key_id = \(keyID) LIMIT 8"
        ).rows.map { row throws(PostgresError) in
            SealedRow(owner: try row[0], key: try row[1], revision: try row[2], sealed: try row[3])
        }
    }

    func opens(_ keyID: String, _ keys: SessionKeyRing) -> Bool {
        guard let key = StoreKey(text: key) else { return false }
        let place = AssociatedData(owner: owner, key: key, revision: Revision(rawValue: revision))
        return (try? keys.open(sealed, sealedWith: keyID, place: place)) != nil
    }
}
