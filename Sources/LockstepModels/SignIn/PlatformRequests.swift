public import Lockstep

/// A request for the system dialog of an identity provider, such as Sign in with Apple.
///
/// ```swift
/// let request = model.identityRequest(.apple)
/// appleRequest.nonce = request.hashedNonce
/// let answer = IdentityAnswer(to: request, token: Secret(identityToken), name: fullName)
/// await model.submit(answer)
/// ```
public struct IdentityRequest: Sendable {
    /// The provider.
    public let provider: IdentityProvider
    private let nonce: IDTokenNonce

    /// The nonce for the dialog's request.
    public var hashedNonce: String { nonce.hashed }

    /// What the credential takes; it never leaves the device but to the backend.
    var rawNonce: Secret { nonce.raw }

    init(_ provider: IdentityProvider, randomness: some Randomness) {
        self.provider = provider
        nonce = IDTokenNonce(randomness: randomness)
    }
}

/// The result of the system dialog of an identity provider.
public struct IdentityAnswer: Sendable {
    /// The request.
    public let request: IdentityRequest
    /// The ID token.
    public var token: Secret
    /// The user's name.
    ///
    /// Apple returns it only the first time.
    public var name: String?
    /// The authorization code, if the dialog returns one.
    public var authorizationCode: Secret?

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - token: The ID token.
    ///   - name: The user's name.
    ///   - authorizationCode: The authorization code.
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

/// A request for the system's passkey dialog.
///
/// Its result goes to `submit(passkey:)` of the model that has the request.
public struct PasskeyRequest: Sendable, Hashable {
    /// The action of the dialog.
    public enum Action: Sendable, Hashable {
        /// Creates a passkey for the user: `createCredentialRegistrationRequest`, or `navigator.credentials.create` in
        /// browsers.
        case make
        /// Signs with a passkey: `createCredentialAssertionRequest`, or `navigator.credentials.get` in browsers.
        case sign
    }

    /// The action of the dialog.
    public let action: Action
    /// The options for the dialog, in WebAuthn's JSON format.
    public let options: JSON

    /// The request of a challenge; `nil` if it takes no passkey.
    init?(_ challenge: Challenge?) {
        guard let challenge, challenge.accepts.contains(.passkey), let options = challenge.passkeyOptions else { return nil }
        // What is added to a user is made first, whether to sign in by it or as a second factor.
        action = challenge.flow.kind == .linking ? .make : .sign
        self.options = options
    }
}
