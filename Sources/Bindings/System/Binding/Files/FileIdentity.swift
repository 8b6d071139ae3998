internal import CLockstepSystem

/// Which file a path leads to: another one, once it was moved or replaced.
public struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path.
    ///
    /// - Throws: ``SystemError``, for instance ``SystemError/noSuchFile``.
    public init(of path: String) throws(SystemError) {
        var information = stat()
        // Both pointers are valid for the call, which keeps none.
        guard unsafe path.withCString({ name in unsafe stat(name, &information) }) == 0 else {
            throw .last("look at \(path)")
        }
        device = UInt64(truncatingIfNeeded: information.st_dev)
        number = UInt64(information.st_ino)
    }
}
