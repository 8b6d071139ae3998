import Lockstep
import LockstepContracts
import LockstepPostgresStore
import LockstepPrimitives
import PostgresServer

/// The store on a database of its own, on a real server.
struct PostgresStoreBench: StoreBench {
    let lock: PostgresSessionSettings.SectionLock
    var name: String { "PostgreSQL, \(lock)" }

    func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        let place = try await DatabasePlace(lock: lock, limit: .seconds(3))
        try await place.database().prepare()
        try await body(place)
    }
}

/// A database of its own, with one user's store.
struct DatabasePlace: StorePlace {
    /// Keys that tests seal with; `openssl rand -base64 32`.
    static let secrets: [Secret] = [
        "PG5XKtnVi4SIpoaEEpcIsCu6xLDJVvVS/MHwjPBNCtM=", "dIlSfz+1cEGjNXVqV9iyHxAqnbdYbBXHfIVdNR/e8L0=",
    ]

    let server: PostgresServer
    let address: String
    let settings: PostgresSessionSettings
    var folder: String? { nil }

    /// - Parameter limit: short where a test waits for a failure.
    init(
        lock: PostgresSessionSettings.SectionLock = .automatic, limit: Duration = .seconds(20), server: PostgresServer? = nil
    ) async throws {
        self.server = if let server { server } else { try await PostgresServer.shared() }
        address = try await self.server.makeDatabase()
        var settings = PostgresSessionSettings()
        settings.sectionLock = lock
        settings.connections = 4
        settings.sections = 4
        settings.limit = limit
        self.settings = settings
    }

    static func ring(_ newest: Int = 0, _ older: Int...) throws -> SessionKeyRing {
        try SessionKeyRing(newest: key(newest), older: older.map(key))
    }

    private static func key(_ number: Int) throws -> SessionKey { try SessionKey(id: "key \(number)", secret: secrets[number]) }

    func database(
        _ ring: SessionKeyRing? = nil, _ change: (inout PostgresSessionSettings) -> Void = { _ in }
    ) throws -> PostgresSessionDatabase {
        var settings = settings
        change(&settings)
        return try PostgresSessionDatabase(Secret(address), keys: try ring ?? Self.ring(), settings: settings)
    }

    func open() async throws -> any SessionStore { try database().store(for: "ada") }

    func sql(_ text: String) async throws -> String { try await server.sql(text, in: address) }

    /// The server lets nobody in, and ends those who are.
    func lock() async throws {
        let name = try await sql("SELECT current_database()")
        try await server.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
        try await server.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    func unlock() async throws {
        let name = address.split(separator: "=").last.map(String.init) ?? ""
        try await server.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
    }

    /// Looks at the rows past the store: as they are, and opened by the ring.
    func contains(_ bytes: [UInt8]) async throws -> Bool {
        let wanted = Hex.encode(bytes)
        for table in ["lockstep_sessions", "lockstep_set_aside"] {
            let dump = try await sql("SELECT encode(convert_to(t::text, 'UTF8'), 'hex') || encode(sealed, 'hex') FROM \(table) t")
            if dump.contains(wanted) { return true }
        }
        return false
    }

    /// Roles other than the owner that may do anything with a table of the store.
    func readableByOthers() async throws -> [String] {
        try await sql(
            """
            SELECT relname FROM pg_class, aclexplode(coalesce(relacl, acldefault('r', relowner))) AS granted
            WHERE relname LIKE 'lockstep%' AND relkind = 'r' AND granted.grantee <> relowner
            """
        ).split(separator: "\n").map(String.init)
    }
}
