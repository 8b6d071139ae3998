public import Lockstep

/// What the platform's own sheet of an identity provider is asked for, such as Sign in with Apple.
///
/// ```swift
/// let request = model.identityRequest(.apple)
/// appleRequest.nonce = request.hashedNonce
/// …
/// await model.submit(IdentityAnswer(to: request, token: identityToken, name: fullName))
/// ```
public struct IdentityRequest: Sendable {
    /// Whose sheet.
    public let provider: IdentityProvider
    private let nonce: IDTokenNonce

    /// What the sheet's request takes as its nonce.
    public var hashedNonce: String { nonce.hashed }

    /// What the credential takes; it never leaves the device but to the backend.
    var rawNonce: Secret { nonce.raw }

    init(_ provider: IdentityProvider, randomness: some Randomness) {
        self.provider = provider
        nonce = IDTokenNonce(randomness: randomness)
    }
}

/// What the platform's sheet of an identity provider has given.
public struct IdentityAnswer: Sendable {
    /// What was asked for.
    public let request: IdentityRequest
    /// The ID token.
    public var token: Secret
    /// The user's name, which Apple gives only the first time.
    public var name: String?
    /// The code beside the token, where the sheet gives one.
    public var authorizationCode: Secret?

    /// An answer.
    public init(to request: IdentityRequest, token: Secret, name: String? = nil, authorizationCode: Secret? = nil) {
        self.request = request
        self.token = token
        self.name = name
        self.authorizationCode = authorizationCode
    }

    var credential: IDTokenCredential {
        .idToken(
            request.provider, token: token, nonce: request.rawNonce, name: name, authorizationCode: authorizationCode)
    }
}
