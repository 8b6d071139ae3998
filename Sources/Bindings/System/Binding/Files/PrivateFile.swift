internal import CLockstepSystem

/// Functions for files that belong to this user alone.
///
/// Use these functions for folders in which another user may have replaced such a file. The file is opened without following a
/// link, and without waiting for a pipe. All checks use the open file, so that no one can replace it between a check and its
/// use.
public enum PrivateFile {
    /// The content of a file.
    public struct Content: Sendable, Hashable {
        /// The bytes of the file.
        public let bytes: [UInt8]
        /// Whether the file has other names (hard links).
        ///
        /// If so, the content still exists after this name is removed.
        public let hasOtherNames: Bool
    }

    /// Reads a file.
    ///
    /// Before it reads the file, the call removes the permissions of other users.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    /// - Returns: The content; `nil` if there is no file.
    /// - Throws: ``SystemError``. The error has a ``SystemError/refusal`` if the path is not a file of this user.
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

    /// Checks a file without opening it, and removes the permissions of other users.
    ///
    /// If there is no file, the call does nothing.
    ///
    /// Use this function for files that a library opens itself, in a folder of this user alone. SQLite would lose its locks if
    /// the process opened and closed the file once more (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    ///
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
    /// If something already exists at the path, the call does nothing.
    ///
    /// - Throws: ``SystemError``.
    public static func make(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            try tighten(file, try file.status(path), path)
        } catch {
            if error.code != EEXIST { throw error }
        }
    }

    /// Removes the permissions of other users from a file, if the file exists.
    ///
    /// - Throws: ``SystemError``.
    public static func tighten(_ path: String) throws(SystemError) {
        if let status = try FileStatus(of: path), status.kind == .plainFile { try tighten(path, status) }
    }

    private static func tighten(_ path: String, _ status: FileStatus) throws(SystemError) {
        guard status.mode & 0o777 != 0o600 else { return }
        // The path is a valid C string during the call, which does not keep a pointer.
        guard unsafe path.withCString({ unsafe chmod($0, 0o600) }) == 0 else { throw .last("set the permissions of \(path)") }
    }

    /// Opens a file of this user.
    ///
    /// With `O_CREAT`, a new file belongs to its owner alone, whatever the umask is.
    static func open(_ path: String, _ flags: Int32) throws(SystemError) -> Descriptor {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: 0o600)
        } catch {
            switch error.code {
            // The errors of O_NOFOLLOW for a link: ELOOP on Linux and macOS, EMLINK on FreeBSD.
            case ELOOP, EMLINK: throw SystemError(error.code, error.operation, refusal: .symbolicLink)
            // The errors of opening a folder for writing, and of opening a socket.
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
