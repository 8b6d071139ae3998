internal import LockstepPrimitives
public import LockstepSystem

/// A writer for files of users, which writes one user at a time.
///
/// An old file is kept until the new one is complete.
public struct UserFileWriter {
    private let file: FileReplacement
    private var bytes: [UInt8] = []

    private static let piece = 1 << 18

    /// Creates a file with its header.
    ///
    /// - Parameters:
    ///   - path: The path. Only the file's owner can read it.
    ///   - header: The first line.
    /// - Throws: `SystemError`.
    public init(_ path: String, _ header: UserFile.Header) throws(SystemError) {
        file = try FileReplacement(path)
        bytes = UserFile.line(header)
    }

    /// Writes a user.
    ///
    /// - Parameter user: The user.
    /// - Throws: `SystemError`.
    public mutating func write(_ user: SeedUser) throws(SystemError) {
        bytes += UserFile.line(user)
        if bytes.count >= Self.piece { try flush() }
    }

    /// Moves the file to its path.
    ///
    /// - Throws: `SystemError`; then the old file is unchanged.
    public mutating func finish() throws(SystemError) {
        try flush()
        try file.commit()
    }

    /// Removes the new file; the old file is unchanged.
    public func discard() { file.discard() }

    private mutating func flush() throws(SystemError) {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

extension UserFile {
    /// Returns the first line of a file, with its end.
    ///
    /// - Parameter header: The header.
    /// - Returns: The first line of a file, with its end.
    public static func line(_ header: Header) -> [UInt8] { line(header.object) }

    /// Returns the line of a user, with its end.
    ///
    /// - Parameter user: The user.
    /// - Returns: The line of a user, with its end.
    public static func line(_ user: SeedUser) -> [UInt8] { line(user.object) }

    private static func line(_ object: JSONObject) -> [UInt8] { JSON.object(object).bytes() + [UInt8(ascii: "\n")] }
}
