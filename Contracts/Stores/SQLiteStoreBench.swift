internal import Lockstep
public import LockstepContracts
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepSQLiteStore
internal import LockstepSystem

/// The store in an SQLite database, in a folder of its own.
public struct SQLiteStoreBench: StoreBench {
    /// The name `sqlite`.
    public let name = "sqlite"

    /// A bench.
    public init() {}

    /// Sets up an empty folder.
    public func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        try await StoreFolder.with { try await body(SQLitePlace(path: $0)) }
    }
}

/// A folder with a database of sessions.
struct SQLitePlace: ReachablePlace {
    let path: String
    var folder: String? { path }
    var arguments: [String] { ["sqlite", path] }
    private var files: StoreFolder { StoreFolder(path: path) }
    private var database: String { "\(path)/sessions.sqlite" }

    func open() async throws -> any SessionStore { try SQLiteSessionStore(directory: path) }

    func lock() async throws { try files.lock { $0.hasPrefix("sessions.sqlite") } }

    func unlock() async throws { try files.unlock() }

    func contains(_ bytes: [UInt8]) async throws -> Bool { try files.contains(bytes) }

    func readableByOthers() async throws -> [String] { try files.readableByOthers() }

    /// Makes bytes a text, which no store writes.
    func damage() async throws -> [UInt8] {
        var connection = try SQLiteConnection(.file(database))
        let key = StoreCatalog.key
        let damaged = try connection.value(
            """
            UPDATE stored SET bytes = CAST(bytes AS TEXT)
            WHERE provider = \(key.provider) AND backend = \(key.backend) AND slot = \(key.slot.rawValue) RETURNING bytes
            """, as: String.self)
        return Array((damaged ?? "").utf8)
    }

    let formats = ["sqlite-1"]

    func install(_ format: String) async throws -> [UInt8] {
        for name in try Folder.names(path) { try AtomicFile.remove("\(path)/\(name)") }
        guard let file = try AtomicFile.read("\(StoreFolder.fixtures)/\(format)/sessions.sqlite") else {
            throw StageError("there is no \(format)")
        }
        try AtomicFile.replace(database, with: file)
        var connection = try SQLiteConnection(.file(database))
        return try connection.value("SELECT bytes FROM stored WHERE slot = 'session'", as: [UInt8].self) ?? []
    }
}
