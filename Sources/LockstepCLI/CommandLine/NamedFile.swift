import LockstepPrimitives
import LockstepSystem

/// A file that the user names, on the command line, in a variable, or in another such file.
///
/// All of them are read in the same way: a regular file or a pipe, such as a shell's `<(command)`, up to a limit.
struct NamedFile: Sendable {
    /// The purpose of a file, for its errors.
    struct Use: Sendable {
        /// The noun of its errors, such as "settings file".
        let name: String
        /// The maximum size, in MiB.
        let limit: Int
        /// The remedy if there is no file; empty if only the path can be wrong.
        let remedy: String

        init(_ name: String, limit: Int, remedy: String = "") {
            self.name = name
            self.limit = limit
            self.remedy = remedy
        }
    }

    let path: String
    let bytes: [UInt8]

    /// Reads the file, or a pipe until its writers close it.
    ///
    /// - Parameters:
    ///   - use: The purpose of the file.
    ///   - acceptsPipes: Whether a pipe is allowed. A file that was found instead of named must not be a pipe, because the
    ///     command would wait for it.
    /// - Throws: ``UsageError`` with the path and the remedy.
    init(_ path: String, as use: Use, acceptsPipes: Bool = true) throws(UsageError) {
        guard let bytes = try Self.bytes(of: path, as: use, acceptsPipes: acceptsPipes) else {
            throw UsageError("there is no file \"\(path)\"." + (use.remedy.isEmpty ? "" : " \(use.remedy)"))
        }
        self.path = path
        self.bytes = bytes
    }

    /// Reads a file that may be missing, in the same way as ``init(_:as:acceptsPipes:)``.
    ///
    /// - Returns: The bytes; `nil` if there is no file.
    /// - Throws: ``UsageError`` with the path and the remedy.
    static func bytes(of path: String, as use: Use, acceptsPipes: Bool) throws(UsageError) -> [UInt8]? {
        do throws(SystemError) {
            return acceptsPipes
                ? try InputFile.read(path, limit: use.limit << 20) : try AtomicFile.read(path, limit: use.limit << 20)
        } catch {
            switch error.refusal {
            case .tooLarge:
                throw UsageError("\"\(path)\" is too long for a \(use.name): the limit is \(use.limit) MiB. Choose another file.")
            case .some:
                throw UsageError("\"\(path)\" is a folder\(acceptsPipes ? "" : ", a pipe") or a device. Choose a \(use.name).")
            case nil:
                guard error.code == SystemError.timedOut else { throw UsageError("cannot read \"\(path)\": \(error.reason).") }
                throw UsageError("the pipe \"\(path)\" received no data for a minute. Start the program that writes to it.")
            }
        }
    }

    /// Returns the content as text.
    ///
    /// - Throws: ``UsageError`` if it is not UTF-8, or contains NUL.
    func text() throws(UsageError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            let encoding = bytes.foreignEncoding.map { "is \($0)" } ?? "is not UTF-8"
            throw UsageError("\"\(path)\" \(encoding). Save it as UTF-8 text.")
        }
        return text
    }
}
