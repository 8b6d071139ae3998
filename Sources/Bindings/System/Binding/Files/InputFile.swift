internal import CLockstepSystem

/// Files that a person names to be read once: a file on a disk, or a pipe such as a shell's `<(command)`.
public enum InputFile {
    /// Reads a file, or a pipe until all its writers have closed it.
    ///
    /// For a named pipe (`mkfifo`), it waits for the first writer. A shell's pipe whose writer has ended is empty.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: The maximum number of bytes.
    ///   - patience: The maximum time without a byte from a pipe, or without a writer.
    /// - Returns: The bytes; `nil` if there is no file.
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` for a folder, a device, or more than `limit` bytes.
    public static func read(_ path: String, limit: Int, patience: Duration = .seconds(60)) throws(SystemError) -> [UInt8]? {
        let file: FileReader
        do throws(SystemError) {
            file = try FileReader(path, patience: patience)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        if let size = file.size, size > limit { throw SystemError(EFBIG, "read \(path)", refusal: .tooLarge) }
        var bytes: [UInt8] = []
        while true {
            let part = try file.read(upTo: 1 << 16)
            if part.isEmpty { return bytes }
            bytes += part
            if bytes.count > limit { throw SystemError(EFBIG, "read \(path)", refusal: .tooLarge) }
        }
    }

    /// Returns whether a pipe is at a path, also behind a link.
    ///
    /// - Parameter path: The path.
    /// - Returns: Whether it is a pipe.
    public static func isPipe(_ path: String) -> Bool { (try? FileStatus(of: path, follows: true))?.isPipe == true }
}
