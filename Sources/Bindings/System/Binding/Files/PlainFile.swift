internal import CLockstepSystem

/// Files that a person names: only plain ones are read, and none makes the reader wait.
public enum PlainFile {
    /// Why a file is not taken.
    public enum Problem: Error, Sendable, Hashable {
        /// There is nothing at the path.
        case missing
        /// It is a folder, a pipe, a socket or a device.
        case notPlain
        /// It is longer than the limit.
        case tooLarge
        /// The system refuses.
        case system(SystemError)
    }

    /// The bytes of a plain file, a link to one included.
    ///
    /// A pipe without a writer, which would make an ordinary `open` wait for ever, is refused like every file that has no end.
    public static func read(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
        let outcome: Result<[UInt8], Problem>
        do throws(SystemError) {
            outcome = try load(path, limit: limit)
        } catch {
            throw error.code == ENOENT ? .missing : .system(error)
        }
        return try outcome.get()
    }

    private static func load(_ path: String, limit: Int) throws(SystemError) -> Result<[UInt8], Problem> {
        let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK)
        defer { file.close() }
        guard try file.status(path).kind == .plainFile else { return .failure(.notPlain) }
        do throws(SystemError) {
            return .success(try file.readAll(path, limit: limit))
        } catch {
            if error.refusal == .tooLarge { return .failure(.tooLarge) }
            throw error
        }
    }

    /// Makes the file where there is none, and takes every right to it from all but its owner, before anything is in it.
    ///
    /// - Throws: ``SystemError``, also where the path is a link, or no plain file.
    public static func makePrivate(_ path: String) throws(SystemError) {
        let operation = "make \(path) private"
        let file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        defer { file.close() }
        guard try file.status(path).kind == .plainFile else { throw SystemError(EINVAL, operation) }
        try file.use(operation) { number throws(SystemError) in
            guard fchmod(number, 0o600) == 0 else { throw .last(operation) }
        }
    }
}
