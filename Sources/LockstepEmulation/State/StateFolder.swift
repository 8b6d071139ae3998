internal import LockstepSQLite
internal import LockstepSystem

/// The reason why a folder cannot be used for the state.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public let description: String
}

/// The folder of `--data`, which contains databases with password hashes and signing keys.
///
/// Only its owner has access.
struct StateFolder {
    let path: String

    init(_ path: String) { self.path = path }

    /// Opens a database in the folder, and updates its tables.
    ///
    /// First it checks that its files belong to this user alone.
    ///
    /// A link would let another user choose which file is read and written. A pipe would make the start wait forever. Several
    /// processes that start at the same time run one after the other, because SQLite does not wait if two processes make a file
    /// a WAL database.
    func open(_ name: String, _ schema: Schema) throws -> SQLiteConnection {
        try checkFolder()
        let file = path + "/" + name + ".sqlite"
        let lockPath = path + "/start.lock"
        for part in [file, file + "-wal", file + "-shm", file + "-journal", lockPath] { try check(part) }
        let lock = try FileLock(path: lockPath).acquireBlocking()
        defer { lock.release() }
        // SQLite gives its other files the permissions of this one.
        try PrivateFile.make(file)
        var connection = try SQLiteConnection(.file(file), busyTimeout: .seconds(30))
        try schema.open(&connection)
        return connection
    }

    private func checkFolder() throws {
        guard let folder = try FileStatus(of: path) else { throw StorageError(description: "there is no folder \(path).") }
        let problem: String? =
            if folder.kind != .folder {
                "is not a folder: choose a folder."
            } else if !folder.isOwn {
                "belongs to another user: choose your own folder."
            } else if folder.isWritableByOthers {
                "has mode \(String(folder.mode, radix: 8)), so other users may write to it: run chmod go-w on it, or choose another folder."
            } else {
                nil
            }
        if let problem { throw StorageError(description: "\(path) \(problem)") }
    }

    private func check(_ path: String) throws {
        do throws(SystemError) {
            try PrivateFile.check(path)
        } catch {
            let reason = error.refusal.map(\.rawValue) ?? error.reason
            throw StorageError(description: "\(path) is not used: \(reason). Move it away, or choose another folder.")
        }
        guard try FileStatus(of: path).map({ $0.links == 1 }) ?? true else {
            throw StorageError(
                description: "\(path) is not used: it has another name (a hard link). Copy it, or choose another folder.")
        }
    }
}
