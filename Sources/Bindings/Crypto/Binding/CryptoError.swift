/// The reason why a cryptographic operation failed.
public struct CryptoError: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code
    /// One sentence that describes the failure.
    ///
    /// The sentence contains no part of a key or a message.
    public let message: String

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: One sentence that describes the failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of failures.
    public enum Code: String, Hashable, Sendable {
        /// The bytes are not a key of the required kind, or the key is too weak.
        case invalidKey
        /// A cost, a length or a nonce is out of range for the algorithm, or the cost is above the limit.
        case invalidParameter
        /// The encrypted message was changed, or another key encrypted it.
        case notAuthentic
        /// libcrypto failed: there is not enough memory, or the machine's policy forbids the algorithm.
        case unavailable
    }
}

extension CryptoError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
