/// The reason why a token was rejected or a key could not be used.
///
/// ```swift
/// do {
///     _ = try UnverifiedToken("not a token")
/// } catch {
///     print(error.code == .malformed)
/// }
/// ```
public struct TokenError: Error, Hashable, Sendable {
    /// The kind of error.
    public let code: Code
    /// A message for developers that describes the error in one sentence.
    ///
    /// The message contains names of the token's members, but no other part of the token.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: The error in one sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kind of an error.
    ///
    /// Later versions may add kinds.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The name of the code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name of the code.
        public var description: String { rawValue }

        /// The text is not a token.
        ///
        /// A token has three parts in URL-safe base64. The header and the claims of a token are JSON objects.
        public static let malformed = Code(rawValue: "malformed")
        /// The token names an algorithm that its key does not use, such as `none`.
        public static let algorithmRefused = Code(rawValue: "algorithmRefused")
        /// No key has the key id (`kid`) of the token.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// The signature is not valid for this key and this token.
        public static let wrongSignature = Code(rawValue: "wrongSignature")
        /// The time in `exp` has passed.
        public static let expired = Code(rawValue: "expired")
        /// The time in `nbf` is in the future.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The time in `iat` is in the future.
        public static let issuedInFuture = Code(rawValue: "issuedInFuture")
        /// The claim `iss` is not an expected issuer.
        public static let wrongIssuer = Code(rawValue: "wrongIssuer")
        /// The claim `aud` does not contain an expected audience.
        public static let wrongAudience = Code(rawValue: "wrongAudience")
        /// A required claim is missing.
        public static let missingClaim = Code(rawValue: "missingClaim")
        /// A claim has the wrong type.
        public static let invalidClaim = Code(rawValue: "invalidClaim")
        /// A key cannot be read or used.
        public static let invalidKey = Code(rawValue: "invalidKey")
        /// The issuer publishes no keys.
        ///
        /// The issuer signs its tokens with a secret that only the issuer and its servers have.
        public static let noPublicKeys = Code(rawValue: "noPublicKeys")
        /// The keys could not be fetched, so it is unknown whether the token is valid.
        public static let keysUnavailable = Code(rawValue: "keysUnavailable")
    }
}

extension TokenError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
