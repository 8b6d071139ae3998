internal import CLockstepSystem

/// Functions that replace a file as a whole.
///
/// A reader sees either the old bytes or the new bytes, even after a crash or a power failure. All calls wait for the disk, so
/// make them on a separate thread (``ThreadExecutor``, ``BlockingThread``).
public enum AtomicFile {
    /// Replaces a file.
    ///
    /// When the call returns, the bytes are on the disk.
    ///
    /// The function writes the bytes to a temporary file, `path` with `.new` appended. Then it renames that file in one step.
    /// Only one writer at a time may write to a path (``FileLock``). If a killed writer has left its temporary file, the
    /// function replaces that file.
    ///
    /// - Parameters:
    ///   - mode: The permissions. Default: only the owner can read and write.
    ///   - isDurable: Whether to wait for the disk. If it is `false`, the file may contain the old bytes or no bytes after a
    ///     crash of the machine. A crash of the process has no such effect.
    ///   - marking: A closure that is called with the path of the complete temporary file. The closure can set system
    ///     attributes of the file.
    /// - Throws: ``SystemError``. After an error, the old bytes are unchanged.
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

    /// Renames a file in its folder, and waits for the disk.
    ///
    /// If a file with the new name exists, the call replaces it.
    ///
    /// - Throws: ``SystemError``.
    public static func rename(_ path: String, to other: String) throws(SystemError) {
        try move(path, to: other)
        try syncFolder(of: other)
    }

    /// Reads a file.
    ///
    /// The call never waits for a pipe or a device.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    /// - Returns: The bytes; `nil` if there is no file.
    /// - Throws: ``SystemError``. The error has a ``SystemError/refusal`` if the path is not a file, or if the file has more
    ///   than `limit` bytes.
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

    /// Removes the temporary file that a killed writer may have left behind.
    ///
    /// - Throws: ``SystemError``.
    public static func removeReplacement(of path: String) throws(SystemError) { try remove(replacement(path)) }

    /// Removes a file, and waits for the disk.
    ///
    /// If there is no file, the call does nothing.
    ///
    /// - Throws: ``SystemError``.
    public static func removeDurably(_ path: String) throws(SystemError) {
        try remove(path)
        try syncFolder(of: path)
    }

    /// Removes a file.
    ///
    /// If there is no file, the call does nothing.
    ///
    /// - Throws: ``SystemError``.
    public static func remove(_ path: String) throws(SystemError) {
        // The path is a valid C string during the call, which does not keep a pointer.
        if unsafe path.withCString({ unsafe unlink($0) }) == 0 { return }
        let error = SystemError.last("remove \(path)")
        if error.code != ENOENT { throw error }
    }

    static func replacement(_ path: String) -> String { path + ".new" }

    static func move(_ path: String, to other: String) throws(SystemError) {
        // Both paths are valid C strings during the call, which does not keep a pointer.
        let result = unsafe path.withCString { old in unsafe other.withCString { new in unsafe CLockstepSystem.rename(old, new) }
        }
        guard result == 0 else { throw .last("rename \(path) to \(other)") }
    }

    static func sync(_ file: Descriptor, _ path: String) throws(SystemError) {
        try file.use("sync \(path)") { number throws(SystemError) in
            guard lockstep_sync(number) == 0 else { throw .last("sync \(path)") }
        }
    }

    /// Waits until the folder is on the disk.
    ///
    /// Only then are the names of its files on the disk, too.
    static func syncFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try sync(Descriptor.open(folder, O_RDONLY | O_DIRECTORY), folder)
    }
}
