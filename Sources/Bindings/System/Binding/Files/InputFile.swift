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

    /// Whether there is a pipe at the path, or behind a link there.
    public static func isPipe(_ path: String) -> Bool { (try? FileStatus(of: path, follows: true))?.isPipe == true }
}
