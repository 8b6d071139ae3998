/// Why a token was not believed, or a key not used.
public struct TokenError: Error, Hashable, Sendable {
    /// What kind of refusal it is.
    public let code: Code
    /// One sentence that says what was wrong; it holds nothing of the token but names of its members.
    public let message: String

    /// A refusal with its sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of refusal; later versions may add more.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// The kind of a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }

        /// The text is no token: not three parts of base64url, or no JSON objects in them.
        public static let malformed = Code(rawValue: "malformed")
        /// The token asks for an algorithm that its key is not meant for; `none` is always one of these.
        public static let algorithmRefused = Code(rawValue: "algorithmRefused")
        /// No key has the id that the token names.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// The signature is not one of the key for this text.
        public static let wrongSignature = Code(rawValue: "wrongSignature")
        /// The time in `exp` has come.
        public static let expired = Code(rawValue: "expired")
        /// The time in `nbf` has not come.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The time in `iat` has not come.
        public static let issuedInFuture = Code(rawValue: "issuedInFuture")
        /// `iss` is not who was expected.
        public static let wrongIssuer = Code(rawValue: "wrongIssuer")
        /// `aud` does not hold the expected audience.
        public static let wrongAudience = Code(rawValue: "wrongAudience")
        /// A claim that must be there is not.
        public static let missingClaim = Code(rawValue: "missingClaim")
        /// A claim has a type that it must not have.
        public static let invalidClaim = Code(rawValue: "invalidClaim")
        /// A key that cannot be read or used.
        public static let invalidKey = Code(rawValue: "invalidKey")
        /// The issuer publishes no keys: its tokens are signed with a secret that only it and its servers have.
        public static let noPublicKeys = Code(rawValue: "noPublicKeys")
        /// The keys could not be fetched: nothing is known about the token.
        public static let keysUnavailable = Code(rawValue: "keysUnavailable")
    }
}

extension TokenError: CustomStringConvertible {
    /// The sentence, after the code.
    public var description: String { "\(code.rawValue): \(message)" }
}
