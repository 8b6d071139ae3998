import LockstepPrimitives
import LockstepSystem

/// A file that a person names: on the command line, in a variable, or in another such file.
///
/// All of them are read by the same rule: a plain file or a pipe, such as a shell's `<(command)`, up to a limit.
struct NamedFile: Sendable {
    /// The use of a file, as its errors name it.
    struct Use: Sendable {
        /// The noun of its errors, such as "settings file".
        let name: String
        /// The most bytes, in MiB.
        let limit: Int
        /// What to do if there is no file.
        let remedy: String

        init(_ name: String, limit: Int, remedy: String = "Correct the path.") {
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
    ///   - path: The path.
    ///   - use: What the file is for.
    ///   - acceptsPipes: Whether a pipe is read. A file that was found, and not named, is none: the command would wait for it.
    /// - Throws: ``UsageError`` with the path and what to do.
    init(_ path: String, as use: Use, acceptsPipes: Bool = true) throws(UsageError) {
        guard let bytes = try Self.bytes(of: path, as: use, acceptsPipes: acceptsPipes) else {
            throw UsageError("there is no file \"\(path)\". \(use.remedy)")
        }
        self.path = path
        self.bytes = bytes
    }

    /// Reads a file that need not be there, as ``init(_:as:acceptsPipes:)`` does.
    ///
    /// - Returns: The bytes; `nil` if there is no file.
    /// - Throws: ``UsageError`` with the path and what to do.
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

    /// The content as text.
    ///
    /// - Throws: ``UsageError`` if it is not UTF-8, or contains NUL.
    func text() throws(UsageError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw UsageError("\"\(path)\" is not UTF-8 text. Save it as UTF-8.")
        }
        return text
    }
}
