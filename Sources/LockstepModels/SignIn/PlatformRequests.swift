public import Lockstep

/// What the platform's own sheet of an identity provider is asked for, such as Sign in with Apple.
///
/// ```swift
/// let request = model.identityRequest(.apple)
/// appleRequest.nonce = request.hashedNonce
/// let answer = IdentityAnswer(to: request, token: Secret(identityToken), name: fullName)
/// await model.submit(answer)
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

/// What the platform's passkey sheet is asked for; its answer goes to `submit(passkey:)` of the model that asks.
public struct PasskeyRequest: Sendable, Hashable {
    /// What the sheet does.
    public enum Action: Sendable, Hashable {
        /// It makes a passkey for the user: `createCredentialRegistrationRequest`, in browsers `navigator.credentials.create`.
        case make
        /// It signs with a passkey: `createCredentialAssertionRequest`, in browsers `navigator.credentials.get`.
        case sign
    }

    /// What the sheet does.
    public let action: Action
    /// The options for it, in the JSON of WebAuthn.
    public let options: JSON

    /// The request of a challenge; `nil` where it takes no passkey.
    init?(_ challenge: Challenge?) {
        guard let challenge, challenge.accepts.contains(.passkey), let options = challenge.passkeyOptions else { return nil }
        // What is added to a user is made first, whether to sign in by it or as a second factor.
        action = challenge.flow.kind == .linking ? .make : .sign
        self.options = options
    }
}
