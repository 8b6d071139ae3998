internal import CLockstepSystem

/// What lies at a path, and for whom: a symbolic link is told as one, not followed.
public struct FileEntry: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// A file of bytes.
        case file
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
    public let names: Int
    /// Its permissions, as `chmod` writes them.
    public let mode: UInt32
    /// Whether it belongs to the user of this process.
    public let isOwn: Bool

    /// What lies at `path`; `nil` where there is nothing.
    ///
    /// - Throws: ``SystemError``, for instance where the folder may not be looked into.
    public init?(at path: String) throws(SystemError) {
        guard !path.utf8.contains(0) else { throw SystemError(EINVAL, "look at a path that holds NUL") }
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus(of: path, follows: false)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        kind = status.isFile ? .file : status.isFolder ? .folder : status.isLink ? .link : .other
        names = Int(clamping: status.names)
        mode = status.mode
        isOwn = status.owner == geteuid()
    }
}
