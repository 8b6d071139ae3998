/// A failure of a contract, with the line of the failed expectation.
public struct TransportFinding: Sendable, CustomStringConvertible {
    /// A place in the source of a contract.
    public struct Location: Sendable, Hashable {
        /// The module and the file.
        public let fileID: String
        /// The path of the file on the machine that compiled it.
        public let filePath: String
        /// The line, starting at 1.
        public let line: Int
        /// The column, starting at 1.
        public let column: Int
    }

    /// The expected and the actual result.
    public let message: String
    /// The place of the failed expectation.
    public let location: Location

    /// The message and its place.
    public var description: String { "\(message) (\(location.fileID):\(location.line))" }
}
