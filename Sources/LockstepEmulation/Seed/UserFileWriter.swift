internal import LockstepPrimitives
public import LockstepSystem

/// Writes a file of users, a user at a time; an old file stays until the new one is complete.
public struct UserFileWriter {
    private let file: FileReplacement
    private var bytes: [UInt8] = []

    private static let piece = 1 << 18

    /// Begins the file with its header.
    ///
    /// - Parameters:
    ///   - path: The path, which only its owner will be able to read.
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

    /// Puts the file in its place.
    ///
    /// - Throws: `SystemError`; the old file is still there then.
    public mutating func finish() throws(SystemError) {
        try flush()
        try file.commit()
    }

    /// Removes what was written: the old file stays.
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
    public static func line(_ header: Header) -> [UInt8] { line(header.object) }

    /// Returns the line of a user, with its end.
    ///
    /// - Parameter user: The user.
    public static func line(_ user: SeedUser) -> [UInt8] { line(user.object) }

    private static func line(_ object: JSONObject) -> [UInt8] { JSON.object(object).bytes() + [UInt8(ascii: "\n")] }
}
