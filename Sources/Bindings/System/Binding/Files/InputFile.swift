internal import CLockstepSystem

/// Functions that read a file whose path a person has entered.
///
/// The file can be on a disk, or be a pipe such as a shell's `<(command)`.
public enum InputFile {
    /// Reads a file, or reads a pipe until all its writers have closed it.
    ///
    /// If the pipe has a name in a folder (`mkfifo`), the call waits for its first writer. The call does not wait for the
    /// writer of a shell's pipe. If the command has ended without output, the pipe is empty.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - patience: The longest time to wait for a writer of a pipe, and for its next byte.
    /// - Returns: The bytes; `nil` if there is no file.
    /// - Throws: ``SystemError``. The error has a ``SystemError/refusal`` if the path is a folder or a device, or if the file
    ///   has more than `limit` bytes.
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

    /// Returns whether a path is a pipe, or a symbolic link to a pipe.
    ///
    /// - Returns: Whether there is a pipe.
    public static func isPipe(_ path: String) -> Bool { (try? FileStatus(of: path, follows: true))?.isPipe == true }
}
