/// Why a cryptographic operation was not done.
public struct CryptoError: Error, Hashable, Sendable {
    /// What kind of failure it is.
    public let code: Code
    /// One sentence that says what was wrong; it holds nothing of keys or messages.
    public let message: String

    /// A failure with its sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of failure.
    public enum Code: String, Hashable, Sendable {
        /// The bytes are no key of the kind asked for, or one too weak to use.
        case invalidKey
        /// A cost, a length or a nonce that the algorithm does not take, or a cost above the limit given.
        case invalidParameter
        /// A sealed message that was changed, or was sealed with another key.
        case notAuthentic
        /// libcrypto could not do it: no memory, or an algorithm that this machine's policy forbids.
        case unavailable
    }
}

extension CryptoError: CustomStringConvertible {
    /// The sentence, after the code.
    public var description: String { "\(code.rawValue): \(message)" }
}
