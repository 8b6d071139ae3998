internal import Lockstep
internal import LockstepSQLite
internal import LockstepSystem

/// The file of a database: the open file, and the file at the path.
///
/// A lock of all processes protects creating and quarantining the file. The caller holds this lock.
struct SessionDatabaseFile: ~Copyable {
    private static let name = "sessions.sqlite"
    /// The ends of the names of SQLite's other files.
    private static let companions = ["-wal", "-shm", "-journal"]

    private let folder: String
    private let busyTimeout: Duration
    private var open: SQLiteConnection?
    private var identity: FileIdentity?

    var path: String { "\(folder)/\(Self.name)" }

    init(folder: String, busyTimeout: Duration) {
        self.folder = folder
        self.busyTimeout = busyTimeout
    }

    /// Whether the file is open, and is still the file at the path.
    var isCurrent: Bool {
        mutating get {
            guard let connection = open.take() else { return false }
            open = consume connection
            return isInPlace
        }
    }

    /// Whether the file at the path is the file that was opened last.
    private var isInPlace: Bool {
        guard let identity, let now = try? FileIdentity(of: path) else { return false }
        return identity == now
    }

    /// Runs a closure on the open database.
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

    /// Opens the file, or creates it if it does not exist.
    ///
    /// If there is something other than a file, it is quarantined.
    ///
    /// `owner` is the owner of the rows of a version without owners. `mark` is a part of the name of a quarantined file.
    mutating func reopen(_ owner: StoreOwner?, mark: String) throws {
        close()
        try Folder.checkPrivate(folder, owns: StoredFile.isName)
        do throws(SystemError) {
            // SQLite would follow a link, and would wait for a pipe. The other files of SQLite get the permissions of this one.
            try PrivateFile.check(path)
        } catch {
            guard let refusal = error.refusal, refusal.isOfFile, refusal != .writableByAll else { throw error }
            try rename(to: mark)
            throw StoreError(
                .corrupt, "\(path) was rejected: \(refusal.rawValue). It was renamed to ….corrupt-… in the same folder.")
        }
        for companion in Self.companions { try PrivateFile.check(path + companion) }
        if try !Folder.names(folder).contains(Self.name) { try make() }
        identity = try FileIdentity(of: path)
        var connection = try SQLiteConnection(.file(path), busyTimeout: busyTimeout)
        try Self.configure(&connection)
        try SessionSchema.migrate(&connection, path: path, unownedRowsBelongTo: owner)
        open = consume connection
    }

    /// Creates the file with its tables under another name, and then renames it.
    ///
    /// So an empty file at the path is a damaged one.
    private func make() throws {
        let new = path + ".new"
        for end in [""] + Self.companions { try AtomicFile.remove(new + end) }
        // If SQLite made the file, the umask of the process would decide who can read it.
        try AtomicFile.replace(new, with: [])
        do {
            var connection = try SQLiteConnection(.file(new), busyTimeout: busyTimeout)
            try Self.configure(&connection)
            try SessionSchema.make(&connection)
            try connection.forgetLog()
        }
        for end in Self.companions { try AtomicFile.remove(new + end) }
        try AtomicFile.rename(new, to: path)
    }

    private static func configure(_ connection: inout SQLiteConnection) throws(SQLiteError) {
        // FULL: a commit is on the disk when it returns. secure_delete: deleted data does not stay in free pages.
        // cell_size_check: a page is checked when it is read.
        try connection.script("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON")
        // On Apple systems, `FULL` alone only reaches the drive's cache. On other systems, these two settings change nothing.
        try connection.script("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    }

    private mutating func close() { open = nil }

    /// Renames the damaged file and its log, unless another process has already done so.
    ///
    /// The newest eight are kept.
    ///
    /// - Returns: Whether this call has renamed them.
    mutating func moveAside(_ mark: String) throws(SystemError) -> Bool {
        let isOurs = isInPlace
        close()
        guard isOurs else { return false }
        try rename(to: mark)
        return true
    }

    private func rename(to mark: String) throws(SystemError) {
        try AtomicFile.rename(path, to: "\(path).corrupt-\(mark)")
        if try Folder.names(folder).contains(Self.name + "-wal") {
            try AtomicFile.rename(path + "-wal", to: "\(path).corrupt-\(mark)-wal")
        }
        for end in ["-shm", "-journal"] { try AtomicFile.remove(path + end) }
        let kept = try Folder.names(folder).filter { $0.hasPrefix(Self.name + ".corrupt-") }
        for older in kept.filter({ !$0.hasSuffix("-wal") }).dropLast(8) {
            // A quarantined folder cannot be removed in this way. That must not make the call fail.
            for name in kept where name.hasPrefix(older) { try? AtomicFile.remove("\(folder)/\(name)") }
        }
    }
}
