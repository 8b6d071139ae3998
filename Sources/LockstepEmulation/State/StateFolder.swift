internal import LockstepSQLite
internal import LockstepSystem

/// Why a folder of state is not used.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what was found, and what to do.
    public let description: String
}

/// The folder of `--data`: databases with password hashes and signing keys, for their owner only.
struct StateFolder {
    let path: String

    init(_ path: String) { self.path = path }

    /// Opens a database of the folder, after its files were found to be plain files of this user's alone, and brings its schema up to
    /// the last of these steps.
    ///
    /// A link would let another user choose what is read and written; a pipe would make the start wait for ever. Processes that do this
    /// at the same time go one after the other: SQLite does not wait where two of them make a file a WAL database.
    func open(_ name: String, schema: [String]) throws -> SQLiteConnection {
        let folder = try inspect(path, is: .folder)
        guard folder != nil else { throw StorageError(description: "there is no folder \(path).") }
        let file = path + "/" + name + ".sqlite"
        for part in [file, file + "-wal", file + "-shm", file + "-journal", lockPath] { _ = try inspect(part, is: .plainFile) }
        try PlainFile.makePrivate(lockPath)
        let lock = try FileLock(path: lockPath).acquireBlocking()
        defer { lock.release() }
        // SQLite gives its other files the permissions of this one.
        try PlainFile.makePrivate(file)
        for part in ["-wal", "-shm", "-journal"] where try FileStatus(of: file + part) != nil {
            try PlainFile.makePrivate(file + part)
        }
        var connection = try SQLiteConnection(.file(file), busyTimeout: .seconds(30))
        try connection.migrate(schema)
        return connection
    }

    private var lockPath: String { path + "/start.lock" }

    private func inspect(_ path: String, is kind: FileStatus.Kind) throws -> FileStatus? {
        guard let status = try FileStatus(of: path) else { return nil }
        let noun = kind == .folder ? "folder" : "plain file"
        guard status.kind == kind else {
            throw StorageError(description: "\(path) is no \(noun): move it away, or name another folder.")
        }
        guard status.isOwn else {
            throw StorageError(description: "\(path) belongs to another user: name a folder of your own.")
        }
        guard kind == .folder || status.links == 1 else {
            throw StorageError(description: "\(path) has a second name (a hard link): copy it, or name another folder.")
        }
        guard kind != .folder || !status.othersMayWrite else {
            throw StorageError(
                description: "other users may write to \(path): take that right away (chmod go-w), or name another folder.")
        }
        return status
    }
}
