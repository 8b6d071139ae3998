internal import CLockstepSystem
internal import Synchronization

/// Reads a file or a pipe in parts, so that the memory use does not depend on the size.
public final class FileReader: Sendable {
    /// The path of the file.
    public let path: String
    /// The size of the file in bytes when it was opened; `nil` for a pipe.
    public let size: Int?
    private let file: Descriptor
    private let patience: Duration

    /// Opens a file on a disk, or a pipe such as a shell's `<(command)`.
    ///
    /// If the pipe has a name in a folder (`mkfifo`), the call waits for its first writer. The call does not wait for the
    /// writer of a shell's pipe. If the command has ended without output, the pipe is empty.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which may begin with `~/`, or its `file:` URL.
    ///   - patience: The longest time to wait for a writer of a pipe, and for its next byte.
    /// - Throws: ``SystemError``. The error has a ``SystemError/refusal`` if the path is a folder or a device.
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
        // Before its first writer, a pipe looks the same as after its last writer: without bytes, and without a writer.
        if size == nil, try FileStatus(of: path)?.isPipe == true { try wait() }
    }

    /// Reads the next part of the file.
    ///
    /// - Parameter count: The maximum number of bytes.
    /// - Returns: The bytes; none at the end of the file.
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

    /// Continues at another position of the file.
    ///
    /// - Parameter offset: The position in bytes.
    /// - Throws: ``SystemError`` if there is no such position, or if the file is a pipe.
    public func seek(to offset: Int) throws(SystemError) {
        try file.use("read \(path)") { number throws(SystemError) in
            guard lseek(number, off_t(offset), SEEK_SET) >= 0 else { throw .last("read \(path)") }
        }
    }
}
