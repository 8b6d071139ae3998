/// The failure of a cryptographic operation.
public struct CryptoError: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code
    /// The failure in one sentence.
    ///
    /// It contains nothing of keys or messages.
    public let message: String

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The failure in one sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of failures.
    public enum Code: String, Hashable, Sendable {
        /// The bytes are not a key of the required kind, or the key is too weak.
        case invalidKey
        /// The algorithm does not support a cost, a length or a nonce, or the cost exceeds the limit.
        case invalidParameter
        /// The sealed message was changed, or was sealed with another key.
        case notAuthentic
        /// libcrypto failed: there is not enough memory, or the machine's policy forbids the algorithm.
        case unavailable
    }
}

extension CryptoError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
