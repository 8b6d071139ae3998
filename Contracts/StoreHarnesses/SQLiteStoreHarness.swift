internal import Lockstep
@_exported public import LockstepContracts
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepSQLiteStore
internal import LockstepSystem

/// A harness for the store in an SQLite database.
///
/// The harness uses its own folder.
package struct SQLiteStoreHarness: StoreHarness {
    /// The name `sqlite`.
    package let name = "sqlite"

    /// Creates a harness.
    package init() {}

    /// Sets up an empty folder, passes the place to a closure, and removes the folder.
    ///
    /// - Parameter body: The closure that receives the place.
    /// - Throws: The error that `body` throws, or an error of the setup.
    package func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
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

    /// The owner of the session in the contracts.
    private static let owner = "ada"

    func open() async throws -> any SessionStore { try await open(for: Self.owner) }

    func open(for owner: String) async throws -> any SessionStore {
        try SQLiteSessionDatabase(directory: path, unownedRowsBelongTo: Self.owner).store(for: owner)
    }

    func open(directory: String) async throws -> any SessionStore {
        try SQLiteSessionDatabase(directory: directory).store(for: Self.owner)
    }

    func setFolder(mode: Int, isShared: Bool) async throws { try files.set(mode: mode, isShared: isShared) }

    func folderMode() async throws -> Int { try files.mode() }

    func lock() async throws { try files.lock() }

    func unlock() async throws { try files.unlock() }

    func contains(_ bytes: [UInt8]) async throws -> Bool { try files.contains(bytes) }

    func readableByOthers() async throws -> [String] { try files.readableByOthers() }

    private static let name = "sessions.sqlite"

    /// Moves all data from the log to the database file.
    private func checkpoint() throws {
        var connection = try SQLiteConnection(.file(database))
        try connection.script("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func flip(at share: Double) async throws -> @Sendable () async throws -> Void {
        try checkpoint()
        return try files.flip(Self.name, at: share)
    }

    func plant(_ obstacle: StoreObstacle) async throws {
        try checkpoint()
        for name in try Folder.names(path) where name.hasPrefix(Self.name + "-") { try AtomicFile.remove("\(path)/\(name)") }
        try await files.plant(obstacle, at: Self.name)
    }

    func expose() async throws { try files.expose() }

    /// Stores the bytes as a text.
    ///
    /// No store does that.
    func damage() async throws -> [UInt8] {
        var connection = try SQLiteConnection(.file(database))
        let key = StoreCatalog.key
        let damaged = try connection.value(
            """
            UPDATE sessions SET bytes = CAST(bytes AS TEXT)
            WHERE provider = \(key.provider) AND backend = \(key.backend) AND slot = \(key.slot.rawValue) RETURNING bytes
            """, as: String.self)
        return Array((damaged ?? "").utf8)
    }

    let formats = ["sqlite-1", "sqlite-2"]

    func install(_ format: String) async throws -> [UInt8] {
        for name in try Folder.names(path) { try AtomicFile.remove("\(path)/\(name)") }
        guard let file = try AtomicFile.read("\(StoreFolder.fixtures)/\(format)/sessions.sqlite") else {
            throw EnvironmentError("the fixture \(format) does not exist")
        }
        try AtomicFile.replace(database, with: file)
        var connection = try SQLiteConnection(.file(database))
        let rows: SQL = format == "sqlite-1" ? "SELECT bytes FROM stored" : "SELECT bytes FROM sessions"
        return try connection.value("\(rows) WHERE slot = 'session'", as: [UInt8].self) ?? []
    }
}
