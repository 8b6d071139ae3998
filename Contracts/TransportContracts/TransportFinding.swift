/// One way in which a promise was broken, and the line that says what was due.
public struct TransportFinding: Sendable, CustomStringConvertible {
    /// A place in the source of a contract.
    public struct Location: Sendable, Hashable {
        /// Module and file.
        public let fileID: String
        /// The file on the machine that compiled it.
        public let filePath: String
        /// The line, from 1.
        public let line: Int
        /// The column, from 1.
        public let column: Int
    }

    /// The expected and the actual result.
    public let message: String
    /// Where it was due.
    public let location: Location

    /// The message, and where to look.
    public var description: String { "\(message) (\(location.fileID):\(location.line))" }
}
