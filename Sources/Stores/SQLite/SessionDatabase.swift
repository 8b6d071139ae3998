internal import Lockstep
internal import LockstepSQLite
internal import LockstepSystem

/// The database of a store: open, and the file that its path leads to.
///
/// Making it and moving it aside is done under a lock of all processes, which is the caller's business.
struct SessionDatabase: ~Copyable {
    private static let name = "sessions.sqlite"

    private let folder: String
    private let busyTimeout: Duration
    private var open: SQLiteConnection?
    private var identity: FileIdentity?

    var path: String { "\(folder)/\(Self.name)" }

    init(folder: String, busyTimeout: Duration) {
        self.folder = folder
        self.busyTimeout = busyTimeout
    }

    /// The steps of the schema, one for each version that was released.
    private static let schema = [
        """
        CREATE TABLE stored (
            provider TEXT NOT NULL, backend TEXT NOT NULL, slot TEXT NOT NULL, revision TEXT NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (provider, backend, slot)
        ) WITHOUT ROWID;
        CREATE TABLE aside (
            number INTEGER PRIMARY KEY, provider TEXT NOT NULL, backend TEXT NOT NULL, slot TEXT NOT NULL, bytes
        );
        """
    ]

    /// Whether it is open, and the file at the path is still the one that is.
    var isCurrent: Bool {
        mutating get {
            guard let connection = open.take() else { return false }
            open = consume connection
            return isInPlace
        }
    }

    /// Whether the file at the path is the one that was opened last.
    private var isInPlace: Bool {
        guard let identity, let now = try? FileIdentity(of: path) else { return false }
        return identity == now
    }

    /// Runs `body` on the open database.
    mutating func use<Value>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        guard var connection = open.take() else { throw StoreError(.unreadable, "The database \(path) is not open. Try again.") }
        do {
            let value = try body(&connection)
            open = consume connection
            return value
        } catch {
            open = consume connection
            throw error
        }
    }

    /// Opens it, made where it is missing.
    mutating func reopen() throws {
        close()
        // A file that SQLite makes would be readable as the process's umask has it; the files beside it follow this one.
        if try !Folder.names(folder).contains(Self.name) { try AtomicFile.replace(path, with: []) }
        identity = try FileIdentity(of: path)
        var connection = try SQLiteConnection(.file(path), busyTimeout: busyTimeout)
        // FULL: a commit is on the disk when it returns. secure_delete: what was removed is not left in free pages.
        try connection.script("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        do {
            try connection.migrate(Self.schema)
        } catch let error as SQLiteError where error.code == .mismatch {
            throw StoreError(.unreadable, "\(path) was written by a newer version of Lockstep: \(error.message).")
        }
        open = consume connection
    }

    private mutating func close() { open = nil }

    /// Renames the file that is damaged, and its log, where nobody has done so yet; the newest eight are kept.
    ///
    /// - Returns: whether it was this call that did it.
    mutating func moveAside(_ mark: String) throws(SystemError) -> Bool {
        let isOurs = isInPlace
        close()
        guard isOurs else { return false }
        try AtomicFile.rename(path, to: "\(path).corrupt-\(mark)")
        if try Folder.names(folder).contains(Self.name + "-wal") {
            try AtomicFile.rename(path + "-wal", to: "\(path).corrupt-\(mark)-wal")
        }
        try AtomicFile.remove(path + "-shm")
        let kept = try Folder.names(folder).filter { $0.hasPrefix(Self.name + ".corrupt-") }
        for older in kept.filter({ !$0.hasSuffix("-wal") }).dropLast(8) {
            for name in kept where name.hasPrefix(older) { try AtomicFile.remove("\(folder)/\(name)") }
        }
        return true
    }
}
