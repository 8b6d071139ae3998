internal import CLockstepSystem

/// A file that is written in parts and then replaces another one as a whole.
///
/// The bytes are written to the path with `.new` appended. Until ``commit(isDurable:)``, the old file stays, also after a
/// crash. Writers of one path must exclude each other (``FileLock``).
public final class FileReplacement: Sendable {
    /// The path of the finished file.
    public let path: String
    /// The path until then.
    let temporary: String
    private let file: Descriptor

    /// Creates the temporary file, and replaces one that a killed writer left behind.
    ///
    /// - Parameters:
    ///   - path: The path of the finished file, which may begin with `~/`, or its `file:` URL.
    ///   - mode: The permissions. Default: the owner's alone.
    /// - Throws: ``SystemError``.
    public init(_ path: String, mode: UInt32 = 0o600) throws(SystemError) {
        let path = try LocalPath.resolve(path)
        let temporary = AtomicFile.replacement(path)
        try AtomicFile.remove(temporary)
        file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        self.path = path
        self.temporary = temporary
        do throws(SystemError) {
            try file.use("set the permissions of \(temporary)") { number throws(SystemError) in
                // The mode given to open() is narrowed by the process's umask; this one is not.
                guard fchmod(number, mode_t(mode)) == 0 else { throw .last("set the permissions of \(temporary)") }
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Appends bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``SystemError``.
    public func write(_ bytes: [UInt8]) throws(SystemError) { try file.write(bytes, "write \(temporary)") }

    /// Moves the file to its path.
    ///
    /// - Parameter isDurable: Whether to wait for the disk. Default: `true`.
    /// - Throws: ``SystemError``. Then the old file is still there.
    public func commit(isDurable: Bool = true) throws(SystemError) {
        if isDurable { try AtomicFile.sync(file, temporary) }
        file.close()
        try AtomicFile.move(temporary, to: path)
        if isDurable { try AtomicFile.syncFolder(of: path) }
    }

    /// Removes the temporary file.
    ///
    /// The old file stays.
    public func discard() {
        file.close()
        // The caller reports the failure that led here.
        try? AtomicFile.remove(temporary)
    }
}
