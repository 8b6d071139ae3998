internal import CLockstepSystem

/// Files that are replaced as a whole: a reader sees the old bytes or the new ones, also after a crash or a power cut.
///
/// All of it waits for the disk: call it on a thread of your own (``ThreadExecutor``, ``BlockingThread``).
public enum AtomicFile {
    /// Replaces the file at `path` by `bytes`, on the disk when it returns.
    ///
    /// The bytes go to `path` with `.new` appended, which is renamed in one step. Writers of one path must exclude each other
    /// (``FileLock``); a `.new` file that a killed writer left behind is replaced.
    ///
    /// - Parameters:
    ///   - mode: the permissions; the owner's alone by default.
    ///   - isDurable: whether to wait for the disk; without it a crash of the machine, not of the process, may bring back the old
    ///     bytes, or none.
    ///   - marking: puts marks of the system on the new file, which is whole and still has its `.new` name.
    /// - Throws: ``SystemError``; the old bytes are still there then.
    public static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, isDurable: Bool = true, marking: (String) -> Void = { _ in }
    ) throws(SystemError) {
        let new = try FileReplacement(path, mode: mode)
        do throws(SystemError) {
            try new.write(bytes)
            marking(new.temporary)
            try new.commit(isDurable: isDurable)
        } catch {
            // The caller gets the first failure.
            new.discard()
            throw error
        }
    }

    /// Gives the file another name in its folder, on the disk when it returns; a file of that name is replaced.
    public static func rename(_ path: String, to other: String) throws(SystemError) {
        try move(path, to: other)
        try syncFolder(of: other)
    }

    /// The bytes at `path`; `nil` where there is no file.
    ///
    /// A pipe or a device at the path is not waited for.
    ///
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` where there is something else than a file, or more than `limit` bytes.
    public static func read(_ path: String, limit: Int = 16 << 20) throws(SystemError) -> [UInt8]? {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        guard try file.status(path).kind == .plainFile else { throw SystemError(EINVAL, "read \(path)", refusal: .notAFile) }
        return try file.readAll(path, limit: limit)
    }

    /// Removes the temporary file that a killed writer may have left beside the file at `path`.
    public static func removeReplacement(of path: String) throws(SystemError) { try remove(replacement(path)) }

    /// Removes the file, so that its name is gone from the disk, too, when it returns; does nothing where there is none.
    public static func removeDurably(_ path: String) throws(SystemError) {
        try remove(path)
        try syncFolder(of: path)
    }

    /// Removes the file; does nothing where there is none.
    public static func remove(_ path: String) throws(SystemError) {
        // The path is a valid C string for the call, which keeps no pointer.
        if unsafe path.withCString({ unsafe unlink($0) }) == 0 { return }
        let error = SystemError.last("remove \(path)")
        if error.code != ENOENT { throw error }
    }

    static func replacement(_ path: String) -> String { path + ".new" }

    static func move(_ path: String, to other: String) throws(SystemError) {
        // Both paths are valid C strings for the call, which keeps no pointer.
        let result = unsafe path.withCString { old in unsafe other.withCString { new in unsafe CLockstepSystem.rename(old, new) }
        }
        guard result == 0 else { throw .last("rename \(path) to \(other)") }
    }

    static func sync(_ file: Descriptor, _ path: String) throws(SystemError) {
        try file.use("sync \(path)") { number throws(SystemError) in
            guard lockstep_sync(number) == 0 else { throw .last("sync \(path)") }
        }
    }

    /// The name is on the disk only when its folder is.
    static func syncFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try sync(Descriptor.open(folder, O_RDONLY | O_DIRECTORY), folder)
    }
}
