internal import LockstepPrimitives
public import LockstepSystem
internal import LockstepUserFields

/// Writes a file of users, one user at a time.
///
/// An older file stays until the new file is complete.
///
/// ```swift
/// var writer = try UserFileWriter("users.jsonl", UserFile.Header(provider: "acme", project: "orders"))
/// try writer.write(user)
/// try writer.finish()
/// ```
public struct UserFileWriter {
    private let file: FileReplacement
    private var bytes: [UInt8] = []

    private static let piece = 1 << 18

    /// Creates a new file, and writes its first line.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Only the owner of the file can read the file.
    /// - Throws: `SystemError` if the file cannot be written.
    public init(_ path: String, _ header: UserFile.Header) throws(SystemError) {
        file = try FileReplacement(path)
        bytes = UserFile.line(header)
    }

    /// Writes a user to the file.
    ///
    /// - Throws: `SystemError` if the file cannot be written.
    public mutating func write(_ user: SeedUser) throws(SystemError) {
        bytes += UserFile.line(user)
        if bytes.count >= Self.piece { try flush() }
    }

    /// Moves the complete file to its path.
    ///
    /// - Throws: `SystemError` if the file cannot be moved. In that case, the older file is unchanged.
    public mutating func finish() throws(SystemError) {
        try flush()
        try file.commit()
    }

    /// Deletes the new file.
    ///
    /// The older file is unchanged.
    public func discard() { file.discard() }

    private mutating func flush() throws(SystemError) {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

extension UserFile {
    /// Returns the first line of a file, with the line break.
    ///
    /// - Parameter header: The content of the line.
    public static func line(_ header: Header) -> [UInt8] { line(header.object) }

    /// Returns the line for a user, with the line break.
    public static func line(_ user: SeedUser) -> [UInt8] { line(user.object) }

    private static func line(_ object: JSONObject) -> [UInt8] { JSON.object(object).bytes() + [UInt8(ascii: "\n")] }
}
