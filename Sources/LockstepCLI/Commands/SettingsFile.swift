import LockstepSystem

/// A file of settings that the command line names.
struct SettingsFile: Sendable {
    let path: String
    let text: String

    /// Settings are short; what is longer is another file.
    private static let limit = 1 << 20

    /// Reads the file.
    ///
    /// - Throws: ``UsageError`` that names it, where it is no text, or no plain file: a pipe would make the start wait.
    init(_ path: String) throws(UsageError) {
        let bytes: [UInt8]?
        do throws(SystemError) {
            // What a shell hands over by <(command) is meant to be read.
            let isHandedOver = path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
            bytes =
                isHandedOver
                ? try InputFile.read(path, limit: Self.limit) : try AtomicFile.read(path, limit: Self.limit)
        } catch {
            switch error.refusal {
            case .tooLarge: throw UsageError("\"\(path)\" is too long for a settings file. Choose another file.")
            case .some: throw UsageError("\"\(path)\" is a folder, a pipe or a device. Choose a settings file.")
            case nil: throw UsageError("cannot read \"\(path)\": \(error.reason).")
            }
        }
        guard let bytes else { throw UsageError("there is no file \"\(path)\". Correct the path.") }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw UsageError("\"\(path)\" is not UTF-8 text. Save it as UTF-8.")
        }
        self.path = path
        self.text = text
    }
}
