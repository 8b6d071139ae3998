internal import CLockstepSystem

/// Files that a person names to be read once: a file on a disk, or a pipe such as a shell's `<(command)`.
public enum InputFile {
    /// Reads the file, or the pipe until all of its writers have closed it.
    ///
    /// The read waits for the first writer of a pipe that has a name in a folder (`mkfifo`). A pipe of a shell whose writer has ended is empty.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: The most bytes.
    ///   - patience: The longest time without a byte of a pipe, or without a writer.
    /// - Returns: The bytes; `nil` if there is no file.
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` for a folder, a device, or more than `limit` bytes.
    public static func read(_ path: String, limit: Int, patience: Duration = .seconds(60)) throws(SystemError) -> [UInt8]? {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        let status = try file.status(path)
        if status.kind == .plainFile {
            if status.size > limit { throw SystemError(EFBIG, "read \(path)", refusal: .tooLarge) }
            return try file.readAll(path, limit: limit)
        }
        guard status.isPipe else { throw SystemError(EINVAL, "read \(path)", refusal: .notAFile) }
        var bytes: [UInt8] = []
        // Before its first writer a pipe looks as it does behind its last one: without bytes, and without a writer.
        if try FileStatus(of: path)?.isPipe == true { try wait(for: file, path, patience) }
        while true {
            do throws(SystemError) {
                let part = try file.read(1 << 16, "read \(path)")
                if part.isEmpty { return bytes }
                bytes += part
            } catch {
                guard error.code == EAGAIN else { throw error }
                try wait(for: file, path, patience)
            }
            if bytes.count > limit { throw SystemError(EFBIG, "read \(path)", refusal: .tooLarge) }
        }
    }

    /// Whether there is a pipe at the path, or behind a link there.
    public static func isPipe(_ path: String) -> Bool { (try? FileStatus(of: path, follows: true))?.isPipe == true }

    private static func wait(for file: Descriptor, _ path: String, _ patience: Duration) throws(SystemError) {
        try file.use("read \(path)") { number throws(SystemError) in
            try Descriptor.wait(for: number, Int32(POLLIN), within: patience, "read \(path)")
        }
    }
}
