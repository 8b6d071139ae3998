internal import CLockstepSystem

/// The identity of the file at a path.
///
/// When the file is moved or replaced, the identity at the path changes.
public struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Reads the identity of the file at a path.
    ///
    /// - Throws: ``SystemError``, for example ``SystemError/noSuchFile``.
    public init(of path: String) throws(SystemError) {
        self = try FileStatus(of: path, follows: true).identity
    }

    init(_ information: stat) {
        device = UInt64(truncatingIfNeeded: information.st_dev)
        number = UInt64(information.st_ino)
    }

    /// Returns whether the path itself, and not the target of a link, is that file.
    static func isAt(_ path: String, _ identity: FileIdentity) throws(SystemError) -> Bool {
        try FileStatus(of: path)?.identity == identity
    }
}
