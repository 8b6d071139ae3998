internal import LockstepPrimitives
@_exported public import LockstepTokens
internal import Synchronization

/// Stores the keys that a server makes once and then keeps.
///
/// The keys survive a reset. If the state is in a folder, the keys also survive a restart.
///
///     let keys = SigningKeyStore(database, table: "secrets")
///     let key = try keys.signingKey("signing-key", given: settings.signingKey, on: environment.workers) { try SigningKey.makeRSA() }
///
/// Without a folder, the keys stay in memory only. If several processes start with the same new folder, they all use the keys of the first
/// process.
public final class SigningKeyStore: Sendable {
    private let database: Database
    private let table: String
    /// The names of the keys.
    ///
    /// Other rows of the table are deleted like those of other tables.
    private let names = Mutex<Set<ExactString>>([])

    /// Creates a store that keeps keys in a table.
    ///
    /// - Parameters:
    ///   - table: The name of the table. The table has two text columns: `name`, the primary key, and `value`.
    public init(_ database: Database, table: String) {
        self.database = database
        self.table = table
    }

    /// Returns the string that is stored under a name.
    ///
    /// - Parameters:
    ///   - make: A closure that makes the string if no string is stored.
    /// - Throws: The error of the database, or the error that `make` throws.
    public func text(_ name: String, _ make: () throws -> String) throws -> String {
        guard isKept(name) else { return try make() }
        // The text is read or made in one step, because another process may start with the same folder at the same time.
        return try database.write { db in
            if let kept = try find(name, &db) { return kept }
            let made = try make()
            try save(made, as: name, &db)
            return made
        }
    }

    /// Stores a string under a name, and replaces an earlier string with this name.
    ///
    /// Use this function for a string that was given at the start of the server.
    ///
    /// - Throws: The error of the database.
    public func keep(_ text: String, as name: String) throws {
        guard isKept(name) else { return }
        try database.write { db in try save(text, as: name, &db) }
    }

    /// Returns the signing key with a name.
    ///
    /// If a key was given at the start of the server, this key is returned and stored. Otherwise the stored key is returned.
    /// If no key is stored, a worker makes one when it is first needed.
    ///
    /// - Parameters:
    ///   - name: The name of the row with the key.
    ///   - given: The key given at the start of the server; `nil` if no key was given. Later starts use the same key.
    ///   - id: The id for a stored key without an id. An earlier version stored keys as PEM without an id.
    ///   - workers: The workers on which a key is made.
    ///   - make: Makes a key. Making a key takes up to 300 ms.
    /// - Returns: The key, which may not exist yet.
    /// - Throws: `SQLiteError`; `TokenError` if the stored row contains no key.
    public func signingKey(
        _ name: String, given: SigningKey? = nil, id: String? = nil, on workers: Workers,
        _ make: @escaping @Sendable () throws -> SigningKey
    ) throws -> Prepared<SigningKey> {
        if let given {
            if isKept(name) { try keep(try Self.text(of: given), as: name) }
            return Prepared(given, on: workers, make)
        }
        guard isKept(name) else { return Prepared(on: workers, make) }
        let kept = try database.read { db in try find(name, &db) }.map { try Self.key(in: $0, id: id) }
        return Prepared(kept, on: workers) {
            // Another process may have made a key since the start.
            if let kept = try self.database.read({ db in try self.find(name, &db) }) { return try Self.key(in: kept, id: id) }
            let made = try Self.text(of: try make())
            return try Self.key(in: try self.text(name) { made }, id: id)
        }
    }

    /// Deletes all rows of the database except the keys.
    ///
    /// - Throws: The error of the database.
    public func eraseOthers() throws {
        try database.erase(but: (table: table, names: names.withLock { $0.map(\.text) }))
    }

    /// Deletes all rows except the keys, inside the caller's transaction.
    ///
    /// - Parameter connection: The connection on which the transaction runs.
    /// - Throws: The error of the database.
    public func deleteOthers(_ connection: inout SQLiteConnection) throws {
        try connection.deleteEverything(but: (table: table, names: names.withLock { $0.map(\.text) }))
    }

    /// Returns whether keys outlive the process, as the users do.
    private func isKept(_ name: String) -> Bool {
        _ = names.withLock { $0.insert(name.exact) }
        return database.isPersistent
    }

    private func find(_ name: String, _ db: inout SQLiteConnection) throws -> String? {
        try db.value("SELECT value FROM \(name: table) WHERE name = \(name)")
    }

    private func save(_ text: String, as name: String, _ db: inout SQLiteConnection) throws {
        try db.run(
            """
            INSERT INTO \(name: table) (name, value) VALUES (\(name), \(text))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    private static func text(of key: SigningKey) throws -> String {
        JSON.object(try JSONWebKey(private: key).members).text()
    }

    private static func key(in text: String, id: String?) throws -> SigningKey {
        if text.hasPrefix("-----BEGIN") { return try SigningKey(pem: text, id: id) }
        return try JSONWebKey(try JSON.parse(text)).signingKey()
    }
}
