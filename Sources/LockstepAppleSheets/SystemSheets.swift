@_exported public import Lockstep

/// The system's sign-in dialogs, which the screens of an app use.
///
/// ``AppleSheets`` shows the dialogs of AuthenticationServices. For a test, implement this protocol with a type that
/// returns results without a person.
@MainActor
public protocol SystemSheets: AnyObject {
    /// Shows the dialog of Sign in with Apple.
    ///
    /// - Parameter hashedNonce: The nonce for the dialog's request.
    /// - Returns: The identity; `nil` if the user closed the dialog.
    /// - Throws: `providerRefused` if the system reports an error.
    func signInWithApple(hashedNonce: String) async throws(AuthError) -> AppleIdentity?

    /// Shows the dialog that creates a passkey.
    ///
    /// - Parameter request: The request.
    /// - Returns: The passkey; `nil` if the user closed the dialog.
    /// - Throws: `providerRefused` if the system reports an error.
    func makePasskey(_ request: NewPasskeyRequest) async throws(AuthError) -> NewPasskey?

    /// Shows the dialog that signs with a passkey.
    ///
    /// - Parameter request: The request.
    /// - Returns: The signature; `nil` if the user closed the dialog.
    /// - Throws: `providerRefused` if the system reports an error.
    func sign(_ request: PasskeySignatureRequest) async throws(AuthError) -> PasskeySignature?

    /// Shows a web page until it redirects to the app.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - callback: The URL to which the page redirects: the `callback` of the adapter.
    /// - Returns: The URL of the redirect; `nil` if the user closed the page.
    /// - Throws: `providerRefused` if the system reports an error, `invalidConfiguration` if a URL cannot be used.
    func openPage(_ page: String, callback: String) async throws(AuthError) -> String?
}

/// The result of Sign in with Apple.
public struct AppleIdentity: Sendable {
    /// The ID token.
    public var token: Secret
    /// The user's name; Apple returns the name only at the first sign-in.
    public var name: String?
    /// The authorization code; `nil` if Apple returned no code.
    public var authorizationCode: Secret?

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - token: The ID token.
    ///   - name: The user's name. Default: none.
    ///   - authorizationCode: The authorization code. Default: none.
    public init(token: Secret, name: String? = nil, authorizationCode: Secret? = nil) {
        self.token = token
        self.name = name
        self.authorizationCode = authorizationCode
    }
}
