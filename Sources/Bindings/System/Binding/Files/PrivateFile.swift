internal import CLockstepSystem

/// Files that are this user's alone, in a folder where something else may lie in their place.
///
/// What lies at the path is opened without following a link and without waiting for a pipe, and everything is asked of the
/// open file, so that nothing can take its place between a look and its use.
public enum PrivateFile {
    /// What a file holds.
    public struct Content: Sendable, Hashable {
        /// The bytes.
        public let bytes: [UInt8]
        /// Whether the same file has other names (hard links): what is removed here is still there.
        public let hasOtherNames: Bool
    }

    /// The bytes at `path`; `nil` where there is nothing.
    ///
    /// Permissions that let others in are taken away first.
    ///
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` where something else lies there.
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

    /// Looks at what lies at `path` without opening it, and takes away the permissions that let others in; nothing may be there.
    ///
    /// For files of a library that opens them by itself, in a folder that is this user's alone. SQLite loses its locks when its
    /// process closes any other opening of the file (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    ///
    /// - Throws: as ``read(_:limit:)``.
    public static func check(_ path: String) throws(SystemError) {
        guard let status = try FileStatus(of: path) else { return }
        if status.kind == .link { throw SystemError(ELOOP, "use \(path)", refusal: .symbolicLink) }
        guard status.kind == .plainFile else { throw SystemError(EINVAL, "use \(path)", refusal: .notAFile) }
        guard status.isOwn else { throw SystemError(EPERM, "use \(path)", refusal: .anotherOwner) }
        if status.mode & 0o002 != 0 { throw SystemError(EACCES, "use \(path)", refusal: .writableByAll) }
        try tighten(path, status)
    }

    /// Makes an empty file of this user's alone, where nothing lies at `path`; what lies there is left as it is.
    public static func make(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            try tighten(file, try file.status(path), path)
        } catch {
            if error.code != EEXIST { throw error }
        }
    }

    /// Takes away the permissions that let others in, where a file lies at `path`.
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
