@_exported public import Lockstep
internal import LockstepContracts
@_exported public import LockstepPostgresServer
@_exported public import LockstepPostgresStore
@_exported public import LockstepPrimitives
internal import LockstepSystem

/// A separate database for one check of the store in PostgreSQL.
package struct PostgresPlace: ReachablePlace {
    /// The secrets of the keys that encrypt values in tests.
    package static let secrets: [Secret] = [
        "PG5XKtnVi4SIpoaEEpcIsCu6xLDJVvVS/MHwjPBNCtM=", "dIlSfz+1cEGjNXVqV9iyHxAqnbdYbBXHfIVdNR/e8L0=",
    ]

    /// The owner of the session in the contracts.
    private static let owner = "ada"

    /// The server; `nil` in a worker, which gets only the address of the database.
    private let server: PostgresServer?
    /// The connection string of the database.
    package let address: String
    private let settings: PostgresSessionSettings

    /// Creates an empty database.
    ///
    /// - Parameters:
    ///   - lock: The kind of exclusive lock that the store uses.
    ///   - limit: The time limit of the store. The limit is short if a test waits for a failure.
    ///   - server: The server; `nil` for the shared server of the test run.
    /// - Throws: An error if the server does not start, or cannot create a database.
    package init(
        lock: PostgresSessionSettings.LockKind = .automatic, limit: Duration = .seconds(120), server: PostgresServer? = nil
    ) async throws {
        let server = if let server { server } else { try await PostgresServer.shared() }
        self.server = server
        address = try await server.makeDatabase()
        settings = Self.settings(lock, limit)
    }

    /// Creates a place from the arguments of a worker.
    init?(_ arguments: [String]) {
        guard arguments.count == 2 else { return nil }
        server = nil
        address = arguments[0]
        settings = Self.settings(arguments[1] == "row" ? .row : .automatic, .seconds(60))
    }

    private static func settings(_ lock: PostgresSessionSettings.LockKind, _ limit: Duration) -> PostgresSessionSettings {
        var settings = PostgresSessionSettings()
        settings.lockKind = lock
        settings.connections = 4
        settings.lockConnections = 4
        settings.limit = limit
        return settings
    }

    /// Returns a key ring for tests.
    ///
    /// - Parameters:
    ///   - newest: The index in ``secrets`` of the encryption key. Default: 0.
    ///   - older: The indexes of the keys that can only decrypt.
    /// - Throws: The error that occurred when a key was created.
    package static func ring(_ newest: Int = 0, _ older: Int...) throws -> SessionKeyRing {
        try SessionKeyRing(newest: key(newest), older: older.map(key))
    }

    private static func key(_ number: Int) throws -> SessionKey { try SessionKey(id: "key \(number)", secret: secrets[number]) }

    /// Returns another object for the database of the store, as if another machine used the database.
    ///
    /// - Parameters:
    ///   - ring: The key ring; `nil` for the first key.
    /// - Throws: The error that occurred when the database was opened.
    package func database(
        _ ring: SessionKeyRing? = nil, _ change: (inout PostgresSessionSettings) -> Void = { _ in }
    ) throws -> PostgresSessionDatabase {
        var settings = settings
        change(&settings)
        return try PostgresSessionDatabase(Secret(address), keys: try ring ?? Self.ring(), settings: settings)
    }

    /// Opens the store of one user.
    ///
    /// - Throws: The error that occurred when the database was opened.
    package func open() async throws -> any SessionStore { try await open(for: Self.owner) }

    /// Opens the store of another user.
    ///
    /// - Parameter owner: The name of the user.
    /// - Throws: The error that occurred when the database was opened.
    package func open(for owner: String) async throws -> any SessionStore { try database().store(for: owner) }

    /// Runs SQL statements without the store.
    ///
    /// - Returns: The rows, one per line, with `|` between the columns.
    /// - Throws: The error of the server.
    @discardableResult
    package func sql(_ text: String) async throws -> String {
        guard let server else { throw EnvironmentError("a worker can only use the store") }
        return try await server.sql(text, in: address)
    }

    private var name: String { address.split(separator: "=").last.map(String.init) ?? "" }

    /// Makes the server reject new connections and close the open connections.
    ///
    /// - Throws: The error of the server.
    package func lock() async throws {
        try await server?.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
        try await server?.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    /// Makes the server accept connections again.
    ///
    /// - Throws: The error of the server.
    package func unlock() async throws { try await server?.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true") }

    /// Returns whether the tables contain the given bytes, in the rows or in the decrypted values.
    ///
    /// - Throws: The error of the server.
    package func contains(_ bytes: [UInt8]) async throws -> Bool {
        if try await showsPlainly(bytes) { return true }
        let search = SecretSearch(of: bytes)
        for table in ["lockstep_sessions", "lockstep_set_aside"] {
            for row in try await sql("SELECT revision, key_id, encode(sealed, 'hex') FROM \(table)").split(separator: "\n") {
                let columns = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                let place = AssociatedData(owner: Self.owner, key: StoreCatalog.key, revision: Revision(rawValue: columns[0]))
                guard let sealed = Hex.decode(columns[2]),
                    let opened = try? Self.ring().open(sealed, sealedWith: columns[1], place: place)
                else { continue }
                if search.isFound(in: opened) { return true }
            }
        }
        return false
    }

    /// Returns whether the tables contain the given bytes without encryption.
    ///
    /// - Throws: The error of the server.
    package func showsPlainly(_ bytes: [UInt8]) async throws -> Bool {
        for table in ["lockstep_sessions", "lockstep_set_aside"] {
            let rows = try await sql("SELECT encode(convert_to(t::text, 'UTF8'), 'hex'), encode(sealed, 'hex') FROM \(table) t")
            if SecretSearch.forms(of: bytes).contains(where: { rows.contains(Hex.encode($0)) }) { return true }
        }
        return false
    }

    /// Returns the tables that a role other than their owner can access.
    ///
    /// - Returns: The names of the tables.
    /// - Throws: The error of the server.
    package func readableByOthers() async throws -> [String] {
        try await sql(
            """
            SELECT relname FROM pg_class, aclexplode(coalesce(relacl, acldefault('r', relowner))) AS granted
            WHERE relname LIKE 'lockstep%' AND relkind = 'r' AND granted.grantee <> relowner
            """
        ).split(separator: "\n").map(String.init)
    }

    /// Damages the stored value by changing one bit.
    ///
    /// - Returns: The damaged bytes.
    /// - Throws: The error of the server.
    package func damage() async throws -> [UInt8] {
        let bytes = Hex.decode(
            try await sql(
                """
                UPDATE lockstep_sessions SET sealed = set_byte(sealed, 14, get_byte(sealed, 14) # 1) RETURNING encode(sealed, 'hex')
                """))
        guard let bytes, !bytes.isEmpty else { throw EnvironmentError("the table contains no row to damage") }
        return bytes
    }

    /// Changes one bit of the encrypted value.
    ///
    /// - Parameter share: The position of the bit as a fraction: 0 is the first bit, and 0.5 is the middle bit.
    /// - Returns: A closure that changes the bit back.
    /// - Throws: The error of the server.
    package func flip(at share: Double) async throws -> @Sendable () async throws -> Void {
        let change = """
            UPDATE lockstep_sessions SET sealed = set_bit(sealed, place, 1 - get_bit(sealed, place))
            FROM (SELECT floor(\(share) * 8 * length(sealed))::bigint AS place FROM lockstep_sessions) AS places
            """
        try await sql(change)
        return { try await sql(change) }
    }

    /// The names of older formats.
    ///
    /// Each name is the name of a folder with SQL statements and the stored value.
    package var formats: [String] { ["postgres-1"] }

    /// Creates the tables of an older format, with one row.
    ///
    /// - Parameter format: The name of the format.
    /// - Throws: The error of the server.
    package func install(_ format: String) async throws -> [UInt8] {
        let folder = StoreFolder.fixtures + "/" + format
        guard let statements = try AtomicFile.read("\(folder)/rows.sql"),
            let bytes = try AtomicFile.read("\(folder)/session.json")
        else { throw EnvironmentError("the fixture \(folder) is incomplete") }
        try await sql(
            """
            DROP TABLE lockstep_schema, lockstep_sessions, lockstep_set_aside, lockstep_sections, lockstep_keys;
            \(String(decoding: statements, as: UTF8.self))
            """)
        return bytes
    }

    /// The arguments for a worker: the connection string, and the kind of exclusive lock.
    package var arguments: [String] { ["postgres", address, "\(settings.lockKind)"] }
}
