public import Lockstep

/// A request for the system's dialog of an identity provider, such as Sign in with Apple.
///
/// ```swift
/// let request = model.identityRequest(.apple)
/// appleRequest.nonce = request.hashedNonce
/// let answer = IdentityAnswer(to: request, token: Secret(identityToken), name: fullName)
/// await model.submit(answer)
/// ```
public struct IdentityRequest: Sendable {
    /// The identity provider.
    public let provider: IdentityProvider
    private let nonce: IDTokenNonce

    /// The nonce that the app passes to the dialog.
    public var hashedNonce: String { nonce.hashed }

    /// The nonce for the credential.
    ///
    /// It leaves the device only in the request to the backend.
    var rawNonce: Secret { nonce.raw }

    init(_ provider: IdentityProvider, randomness: some Randomness) {
        self.provider = provider
        nonce = IDTokenNonce(randomness: randomness)
    }
}

/// The result of the system's dialog of an identity provider.
public struct IdentityAnswer: Sendable {
    /// The request for which the app showed the dialog.
    public let request: IdentityRequest
    /// The ID token.
    public var token: Secret
    /// The user's name.
    ///
    /// Apple returns it only the first time.
    public var name: String?
    /// The authorization code; `nil` if the dialog returned no code.
    public var authorizationCode: Secret?

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - request: The request for which the app showed the dialog.
    ///   - token: The ID token.
    ///   - name: The user's name. Default: none.
    ///   - authorizationCode: The authorization code. Default: none.
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
/// Pass the dialog's result to `submit(passkey:)` of the model that created the request.
public struct PasskeyRequest: Sendable, Hashable {
    /// The task of the dialog, which creates a passkey or signs with a passkey.
    public enum Action: Sendable, Hashable {
        /// The dialog creates a passkey for the user.
        ///
        /// Call `createCredentialRegistrationRequest` on Apple systems, or `navigator.credentials.create` in a browser.
        case make
        /// The dialog signs with a passkey of the user.
        ///
        /// Call `createCredentialAssertionRequest` on Apple systems, or `navigator.credentials.get` in a browser.
        case sign
    }

    /// The task of the dialog.
    public let action: Action
    /// The options for the dialog, in WebAuthn's JSON format.
    public let options: JSON

    /// Creates the request of a challenge; the result is `nil` if the challenge does not accept a passkey.
    init?(_ challenge: Challenge?) {
        guard let challenge, challenge.accepts.contains(.passkey), let options = challenge.passkeyOptions else { return nil }
        // A passkey that is added to a user must first be created, for sign-in or as a second factor.
        action = challenge.flow.kind == .linking ? .make : .sign
        self.options = options
    }
}
