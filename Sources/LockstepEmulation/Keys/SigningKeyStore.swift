internal import LockstepPrimitives
@_exported public import LockstepTokens
internal import Synchronization

/// Keeps the keys that a server makes once: over a start if its state is in a folder, and over a reset.
///
///     let keys = SigningKeyStore(database, table: "secrets")
///     let key = try keys.signingKey("signing-key", given: settings.signingKey, on: environment.workers) { try SigningKey.makeRSA() }
///
/// In memory no row is written: the server itself has its keys. Processes that start on a new folder at the same time share the keys of the
/// first one.
public final class SigningKeyStore: Sendable {
    private let database: Database
    private let table: String
    /// The names of the keys; other rows of the table are erased as those of other tables.
    private let names = Mutex<Set<String>>([])

    /// Keeps keys in a table.
    ///
    /// - Parameter table: A table of the schema with two texts: `name`, which is its key, and `value`.
    public init(_ database: Database, table: String) {
        self.database = database
        self.table = table
    }

    /// The kept text of that name.
    ///
    /// - Parameter make: Makes the text of a new folder.
    public func text(_ name: String, _ make: () throws -> String) throws -> String {
        guard isKept(name) else { return try make() }
        // Read or made in one step: another process may start on the same folder at the same time.
        return try database.write { db in
            if let kept = try find(name, &db) { return kept }
            let made = try make()
            try save(made, as: name, &db)
            return made
        }
    }

    /// Keeps a text that was given to this start, in place of an earlier one.
    public func keep(_ text: String, as name: String) throws {
        guard isKept(name) else { return }
        try database.write { db in try save(text, as: name, &db) }
    }

    /// A signing key: given, kept, or made on a worker when it is needed first.
    ///
    /// - Parameters:
    ///   - name: The name of its row.
    ///   - given: The key that was given to this start; later starts use it, too.
    ///   - id: The id of a key that an earlier build kept without one, as PEM.
    ///   - workers: Where a key is made.
    ///   - make: Makes a key, in up to 300 ms.
    /// - Throws: `SQLiteError`; `TokenError` if the kept row is not a key.
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
            // Another process may have made one since the start.
            if let kept = try self.database.read({ db in try self.find(name, &db) }) { return try Self.key(in: kept, id: id) }
            let made = try Self.text(of: try make())
            return try Self.key(in: try self.text(name) { made }, id: id)
        }
    }

    /// Deletes every row of the database but the keys.
    public func eraseOthers() throws {
        try database.erase(but: (table: table, names: names.withLock(\.self)))
    }

    /// Deletes every row but the keys, in the transaction of the caller.
    ///
    /// - Parameter connection: The connection with the transaction.
    public func deleteOthers(_ connection: inout SQLiteConnection) throws {
        try connection.deleteEverything(but: (table: table, names: names.withLock(\.self)))
    }

    /// Whether keys outlive the process, as its users do.
    private func isKept(_ name: String) -> Bool {
        _ = names.withLock { $0.insert(name) }
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
