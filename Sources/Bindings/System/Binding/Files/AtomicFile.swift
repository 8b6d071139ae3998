internal import CLockstepSystem

/// Files that are replaced as a whole.
///
/// A reader sees the old bytes or the new ones, also after a crash or a power failure.
///
/// All calls wait for the disk, so call them on your own thread (``ThreadExecutor``, ``BlockingThread``).
public enum AtomicFile {
    /// Replaces a file.
    ///
    /// The bytes are on the disk when it returns.
    ///
    /// The bytes are written to `path` with `.new` appended, which is then renamed in one step. Writers of one path must
    /// exclude each other (``FileLock``). A `.new` file that a killed writer left behind is replaced.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - bytes: The new bytes.
    ///   - mode: The permissions. Default: the owner's alone.
    ///   - isDurable: Whether to wait for the disk. Otherwise a crash of the machine, but not of the process, may restore
    ///     the old bytes or none.
    ///   - marking: Sets system attributes on the new file, which is complete and still has its `.new` name.
    /// - Throws: ``SystemError``. Then the old bytes are still there.
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

    /// Renames a file in its folder and waits for the disk.
    ///
    /// A file with the new name is replaced.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - other: The new path.
    /// - Throws: ``SystemError``.
    public static func rename(_ path: String, to other: String) throws(SystemError) {
        try move(path, to: other)
        try syncFolder(of: other)
    }

    /// Reads a file.
    ///
    /// It does not wait for a pipe or a device.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: The maximum number of bytes.
    /// - Returns: The bytes; `nil` if there is no file.
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` if the path is not a file or has more than `limit`
    ///   bytes.
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

    /// Removes the temporary file that a killed writer may have left next to a file.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``SystemError``.
    public static func removeReplacement(of path: String) throws(SystemError) { try remove(replacement(path)) }

    /// Removes a file and waits for the disk.
    ///
    /// It does nothing if there is none.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``SystemError``.
    public static func removeDurably(_ path: String) throws(SystemError) {
        try remove(path)
        try syncFolder(of: path)
    }

    /// Removes a file.
    ///
    /// It does nothing if there is none.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``SystemError``.
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
