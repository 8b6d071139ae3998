internal import CLockstepSystem

/// A new file that is written in parts, and then replaces another file as a whole.
///
/// The bytes are written to a temporary file. Its path is the path of the other file with `.new` appended. Until
/// ``commit(isDurable:)``, the other file is unchanged, even after a crash. Only one writer at a time may write to a path
/// (``FileLock``).
public final class FileReplacement: Sendable {
    /// The path of the file to replace.
    public let path: String
    /// The path of the temporary file.
    let temporary: String
    private let file: Descriptor

    /// Creates the temporary file.
    ///
    /// If a killed writer has left a temporary file, the call replaces it.
    ///
    /// - Parameters:
    ///   - path: The path of the file to replace, which may begin with `~/`, or its `file:` URL.
    ///   - mode: The permissions. Default: only the owner can read and write.
    /// - Throws: ``SystemError``. The error has a ``SystemError/refusal`` if a device is at the path.
    public init(_ path: String, mode: UInt32 = 0o600) throws(SystemError) {
        let path = try LocalPath.resolve(path)
        // A rename would replace a device such as /dev/null by a file.
        if try FileStatus(of: path)?.isDevice == true { throw SystemError(EINVAL, "replace \(path)", refusal: .notAFile) }
        let temporary = AtomicFile.replacement(path)
        try AtomicFile.remove(temporary)
        file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        self.path = path
        self.temporary = temporary
        do throws(SystemError) {
            try file.use("set the permissions of \(temporary)") { number throws(SystemError) in
                // The umask of the process restricts the mode that open() gets, but not this one.
                guard fchmod(number, mode_t(mode)) == 0 else { throw .last("set the permissions of \(temporary)") }
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Appends bytes to the temporary file.
    ///
    /// - Throws: ``SystemError``.
    public func write(_ bytes: [UInt8]) throws(SystemError) { try file.write(bytes, "write \(temporary)") }

    /// Replaces the other file with the temporary file.
    ///
    /// - Parameter isDurable: Whether to wait for the disk. Default: `true`.
    /// - Throws: ``SystemError``. After an error, the other file is unchanged.
    public func commit(isDurable: Bool = true) throws(SystemError) {
        if isDurable { try AtomicFile.sync(file, temporary) }
        file.close()
        try AtomicFile.move(temporary, to: path)
        if isDurable { try AtomicFile.syncFolder(of: path) }
    }

    /// Replaces the other file, and leaves the new one open and locked, if the file system has locks.
    func commitLocked() throws(SystemError) -> Descriptor {
        try file.use("lock \(temporary)") { _ = flock($0, LOCK_EX | LOCK_NB) }
        try AtomicFile.move(temporary, to: path)
        return file
    }

    /// Removes the temporary file.
    ///
    /// The other file is unchanged.
    public func discard() {
        file.close()
        // The caller reports the failure that caused this.
        try? AtomicFile.remove(temporary)
    }
}
