/// A reason why a contract is broken, with the line of the check.
public struct TransportFinding: Sendable, CustomStringConvertible {
    /// A location in the source code of a contract.
    public struct Location: Sendable, Hashable {
        /// The module and the name of the file.
        public let fileID: String
        /// The path of the file on the machine that compiled it.
        public let filePath: String
        /// The line in the file, counted from 1.
        public let line: Int
        /// The column in the line, counted from 1.
        public let column: Int
    }

    /// The expected result and the actual result.
    public let message: String
    /// The source location of the check.
    public let location: Location

    /// The message, and the source location of the check.
    public var description: String { "\(message) (\(location.fileID):\(location.line))" }
}
