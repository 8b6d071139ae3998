internal import CLockstepSystem
internal import Synchronization

/// A file or a pipe that is read in parts, so memory does not depend on its size.
public final class FileReader: Sendable {
    /// The path.
    public let path: String
    /// The number of bytes when the file was opened; `nil` for a pipe.
    public let size: Int?
    private let file: Descriptor
    private let patience: Duration

    /// Opens a file on a disk, or a pipe such as a shell's `<(command)`.
    ///
    /// It waits for the first writer of a pipe that has a name in a folder (`mkfifo`). A pipe of a shell whose writer has ended is empty.
    ///
    /// - Parameters:
    ///   - path: The path, which may begin with `~/`, or its `file:` URL.
    ///   - patience: The longest time without a byte of a pipe, or without a writer.
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` for a folder or a device.
    public init(_ path: String, patience: Duration = .seconds(60)) throws(SystemError) {
        let path = try LocalPath.resolve(path)
        file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let status = try file.status(path)
        guard status.kind == .plainFile || status.isPipe else {
            throw SystemError(EINVAL, "read \(path)", refusal: .notAFile)
        }
        size = status.kind == .plainFile ? status.size : nil
        self.path = path
        self.patience = patience
        // Before its first writer a pipe looks as it does behind its last one: without bytes, and without a writer.
        if size == nil, try FileStatus(of: path)?.isPipe == true { try wait() }
    }

    /// Reads the next part.
    ///
    /// - Parameter count: The maximum number of bytes.
    /// - Returns: The bytes; empty at the end.
    /// - Throws: ``SystemError``.
    public func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        while true {
            do throws(SystemError) {
                return try file.read(count, "read \(path)")
            } catch {
                guard error.code == EAGAIN, size == nil else { throw error }
                try wait()
            }
        }
    }

    private func wait() throws(SystemError) {
        try file.use("read \(path)") { number throws(SystemError) in
            try Descriptor.wait(for: number, Int32(POLLIN), within: patience, "read \(path)")
        }
    }

    /// Continues at another offset of the file.
    ///
    /// - Parameter offset: The offset in bytes.
    /// - Throws: ``SystemError``, also for a pipe.
    public func seek(to offset: Int) throws(SystemError) {
        try file.use("read \(path)") { number throws(SystemError) in
            guard lseek(number, off_t(offset), SEEK_SET) >= 0 else { throw .last("read \(path)") }
        }
    }
}
