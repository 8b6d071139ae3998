internal import CLockstepSystem

/// Files that belong to this user alone, in a folder where something else may be in their place.
///
/// The object at the path is opened without following a link and without waiting for a pipe. All checks use the open
/// file, so nothing can replace it between a check and its use.
public enum PrivateFile {
    /// The content of a file.
    public struct Content: Sendable, Hashable {
        /// The bytes.
        public let bytes: [UInt8]
        /// Whether the same file has other names (hard links), so that its content survives when it is removed here.
        public let hasOtherNames: Bool
    }

    /// Reads a file.
    ///
    /// It first removes permissions of others.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: The maximum number of bytes.
    /// - Returns: The content; `nil` if there is no file.
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` if it is not such a file.
    public static func read(_ path: String, limit: Int = 16 << 20) throws(SystemError) -> Content? {
        let file: Descriptor
        do throws(SystemError) {
            file = try open(path, O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        let status = try file.status(path)
        if status.mode & 0o002 != 0 { throw SystemError(EACCES, "open \(path)", refusal: .writableByAll) }
        try tighten(file, status, path)
        return Content(bytes: try file.readAll(path, limit: limit), hasOtherNames: status.links > 1)
    }

    /// Checks the object at a path without opening it, and removes permissions of others.
    ///
    /// The path may be empty.
    ///
    /// It is for files that a library opens itself, in a folder that belongs to this user alone. SQLite loses its locks
    /// when its process closes any other descriptor of the file (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    ///
    /// - Parameter path: The path.
    /// - Throws: The errors of ``read(_:limit:)``.
    public static func check(_ path: String) throws(SystemError) {
        guard let status = try FileStatus(of: path) else { return }
        if status.kind == .link { throw SystemError(ELOOP, "use \(path)", refusal: .symbolicLink) }
        guard status.kind == .plainFile else { throw SystemError(EINVAL, "use \(path)", refusal: .notAFile) }
        guard status.isOwn else { throw SystemError(EPERM, "use \(path)", refusal: .anotherOwner) }
        if status.mode & 0o002 != 0 { throw SystemError(EACCES, "use \(path)", refusal: .writableByAll) }
        try tighten(path, status)
    }

    /// Creates an empty file for this user alone.
    ///
    /// If something is at the path, it stays unchanged.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``SystemError``.
    public static func make(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            try tighten(file, try file.status(path), path)
        } catch {
            if error.code != EEXIST { throw error }
        }
    }

    /// Removes permissions of others from the file at a path, if there is one.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``SystemError``.
    public static func tighten(_ path: String) throws(SystemError) {
        if let status = try FileStatus(of: path), status.kind == .plainFile { try tighten(path, status) }
    }

    private static func tighten(_ path: String, _ status: FileStatus) throws(SystemError) {
        guard status.mode & 0o777 != 0o600 else { return }
        // The path is a valid C string for the call, which keeps no pointer.
        guard unsafe path.withCString({ unsafe chmod($0, 0o600) }) == 0 else { throw .last("set the permissions of \(path)") }
    }

    /// Opens a file of this user; with `O_CREAT`, a new one is its owner's alone under any umask.
    static func open(_ path: String, _ flags: Int32) throws(SystemError) -> Descriptor {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: 0o600)
        } catch {
            switch error.code {
            // What O_NOFOLLOW makes of a link: ELOOP on Linux and macOS, EMLINK on FreeBSD.
            case ELOOP, EMLINK: throw SystemError(error.code, error.operation, refusal: .symbolicLink)
            // What opening a folder to write, and opening a socket, fail with.
            case EISDIR, ENXIO, EOPNOTSUPP: throw SystemError(error.code, error.operation, refusal: .notAFile)
            default: throw error
            }
        }
        let status = try file.status(path)
        guard status.kind == .plainFile else { throw SystemError(EINVAL, "open \(path)", refusal: .notAFile) }
        guard status.isOwn else { throw SystemError(EPERM, "open \(path)", refusal: .anotherOwner) }
        return file
    }

    static func tighten(_ file: Descriptor, _ status: FileStatus, _ path: String) throws(SystemError) {
        guard status.mode & 0o777 != 0o600 else { return }
        try file.use("set the permissions of \(path)") { number throws(SystemError) in
            guard fchmod(number, 0o600) == 0 else { throw .last("set the permissions of \(path)") }
        }
    }
}
