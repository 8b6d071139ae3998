internal import CLockstepSystem

/// The kind, the owner and the permissions of a file or folder.
///
/// For a symbolic link, the values describe the link, not its target.
public struct FileStatus: Sendable, Hashable {
    /// The kind of a file.
    public enum Kind: Sendable, Hashable {
        /// A regular file.
        case plainFile
        /// A folder.
        case folder
        /// A symbolic link.
        case link
        /// A pipe, a socket or a device.
        case other
    }

    /// The kind of the file.
    public let kind: Kind
    /// Whether it is a pipe.
    let isPipe: Bool
    /// Whether it is a device.
    let isDevice: Bool
    /// The number of hard links to the file.
    ///
    /// A file with more than one hard link may also be in another folder.
    public let links: Int
    /// The permissions, as `chmod` writes them, with the sticky bit.
    public let mode: UInt32
    /// The user id of the owner.
    public let owner: UInt32
    /// The group id of the file.
    let group: UInt32
    /// The size in bytes.
    public let size: Int
    /// The identity of the file.
    let identity: FileIdentity

    /// Whether the file belongs to the user of this process.
    public var isOwn: Bool { owner == geteuid() }

    /// Whether users other than the owner can write to the file.
    ///
    /// The permission of the group is ignored if the group belongs to the owner alone. Systems with such groups create folders
    /// with mode 775 by default.
    public var isWritableByOthers: Bool {
        if mode & 0o002 != 0 { return true }
        return mode & 0o020 != 0 && lockstep_is_private_group(gid_t(group), uid_t(owner)) == 0
    }

    /// Reads the status of a file or folder; `nil` if the path does not exist.
    ///
    /// - Throws: ``SystemError``, for example if the folder cannot be searched.
    public init?(of path: String) throws(SystemError) {
        do throws(SystemError) {
            try self.init(of: path, follows: false)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Reads the status of the file, folder or link at a path.
    ///
    /// `follows` says whether to follow a link at its end.
    ///
    /// - Throws: ``SystemError``, for example if nothing is at the path.
    init(of path: String, follows: Bool) throws(SystemError) {
        guard !path.utf8.contains(0) else { throw SystemError(EINVAL, "read the status of a path that contains NUL") }
        var information = stat()
        // Both pointers are valid during the call, which does not keep them.
        let result = unsafe path.withCString { name in
            unsafe follows ? stat(name, &information) : lstat(name, &information)
        }
        guard result == 0 else { throw .last("read the status of \(path)") }
        self.init(information)
    }

    fileprivate init(_ information: stat) {
        kind =
            switch information.st_mode & mode_t(S_IFMT) {
            case mode_t(S_IFREG): .plainFile
            case mode_t(S_IFDIR): .folder
            case mode_t(S_IFLNK): .link
            default: .other
            }
        isPipe = information.st_mode & mode_t(S_IFMT) == mode_t(S_IFIFO)
        isDevice = [mode_t(S_IFCHR), mode_t(S_IFBLK)].contains(information.st_mode & mode_t(S_IFMT))
        links = Int(information.st_nlink)
        mode = UInt32(information.st_mode) & 0o7777
        owner = UInt32(information.st_uid)
        group = UInt32(information.st_gid)
        size = Int(information.st_size)
        identity = FileIdentity(information)
    }
}

extension Descriptor {
    /// Returns the status of the open file.
    func status(_ path: String) throws(SystemError) -> FileStatus {
        try use("read the status of \(path)") { number throws(SystemError) in
            var information = stat()
            // The pointer is valid during the call, which does not keep it.
            guard unsafe fstat(number, &information) == 0 else { throw .last("read the status of \(path)") }
            return FileStatus(information)
        }
    }

    /// Reads all bytes of the file.
    ///
    /// - Throws: ``SystemError`` with ``FileRefusal/tooLarge`` if there are more than `limit`.
    func readAll(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part = try read(1 << 16, "read \(path)")
            if part.isEmpty { return bytes }
            bytes += part
            if bytes.count > limit { throw SystemError(EFBIG, "read \(path)", refusal: .tooLarge) }
        }
    }
}
