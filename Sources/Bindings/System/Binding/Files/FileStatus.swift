internal import CLockstepSystem

/// What lies at a path, and for whom: a symbolic link is told as one, not followed.
public struct FileStatus: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// A file of bytes on a disk.
        case plainFile
        /// A folder.
        case folder
        /// A symbolic link.
        case link
        /// A pipe, a socket, a device.
        case other
    }

    /// What it is.
    public let kind: Kind
    /// How many names it has; more than one means that another folder may hold it, too.
    public let links: Int
    /// Its permissions, as `chmod` writes them.
    public let mode: UInt32
    /// Its owner's number.
    public let owner: UInt32
    /// How many bytes it has.
    public let size: Int

    /// Whether it belongs to the user of this process.
    public var isOwn: Bool { owner == geteuid() }

    /// Whether its group or all others may change it.
    public var othersMayWrite: Bool { mode & 0o022 != 0 }

    /// What lies at `path`; `nil` where there is nothing.
    ///
    /// - Throws: ``SystemError``, for instance where the folder may not be looked into.
    public init?(of path: String) throws(SystemError) {
        guard !path.utf8.contains(0) else { throw SystemError(EINVAL, "look at a path that holds NUL") }
        var information = stat()
        // Both pointers are valid for the call, which keeps none.
        guard unsafe path.withCString({ name in unsafe lstat(name, &information) }) == 0 else {
            let error = SystemError.last("look at \(path)")
            if error.code == ENOENT { return nil }
            throw error
        }
        self.init(information)
    }

    /// What a descriptor is open on.
    init(of descriptor: Descriptor, _ operation: String) throws(SystemError) {
        self = try descriptor.use(operation) { number throws(SystemError) in
            var information = stat()
            // The pointer is valid for the call, which keeps none.
            guard unsafe fstat(number, &information) == 0 else { throw .last(operation) }
            return FileStatus(information)
        }
    }

    private init(_ information: stat) {
        kind =
            switch information.st_mode & mode_t(S_IFMT) {
            case mode_t(S_IFREG): .plainFile
            case mode_t(S_IFDIR): .folder
            case mode_t(S_IFLNK): .link
            default: .other
            }
        links = Int(information.st_nlink)
        mode = UInt32(information.st_mode) & 0o7777
        owner = information.st_uid
        size = Int(information.st_size)
    }
}
