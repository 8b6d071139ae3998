@_exported public import Lockstep

/// The system's own sheets for signing in, as an app's screens call them.
///
/// ``AppleSheets`` shows those of AuthenticationServices. A test of an app has a type of its own, which answers without a person.
@MainActor
public protocol SystemSheets: AnyObject {
    /// Shows Sign in with Apple.
    ///
    /// - Parameter hashedNonce: The nonce of the sheet's request.
    /// - Returns: The identity; `nil` if the user closed the sheet.
    /// - Throws: `providerRefused` if the system reports an error.
    func signInWithApple(hashedNonce: String) async throws(AuthError) -> AppleIdentity?

    /// Shows the sheet for a new passkey.
    ///
    /// - Parameter request: The request.
    /// - Returns: The passkey; `nil` if the user closed the sheet.
    /// - Throws: `providerRefused` if the system reports an error.
    func makePasskey(_ request: NewPasskeyRequest) async throws(AuthError) -> NewPasskey?

    /// Shows the sheet that signs with a passkey.
    ///
    /// - Parameter request: The request.
    /// - Returns: The signature; `nil` if the user closed the sheet.
    /// - Throws: `providerRefused` if the system reports an error.
    func sign(_ request: PasskeySignatureRequest) async throws(AuthError) -> PasskeySignature?

    /// Shows a web page until it redirects to the app.
    ///
    /// - Parameters:
    ///   - page: The page's URL.
    ///   - callback: The URL to which the page redirects: the `callback` of the adapter.
    /// - Returns: The URL of the redirect; `nil` if the user closed the page.
    /// - Throws: `providerRefused` if the system reports an error, `invalidConfiguration` if a URL cannot be used.
    func openPage(_ page: String, callback: String) async throws(AuthError) -> String?
}

/// The answer of Sign in with Apple.
public struct AppleIdentity: Sendable {
    /// The ID token.
    public var token: Secret
    /// The user's name, which Apple gives only at the first sign-in.
    public var name: String?
    /// The authorization code; `nil` if Apple gave none.
    public var authorizationCode: Secret?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - token: The ID token.
    ///   - name: The user's name.
    ///   - authorizationCode: The authorization code.
    public init(token: Secret, name: String? = nil, authorizationCode: Secret? = nil) {
        self.token = token
        self.name = name
        self.authorizationCode = authorizationCode
    }
}
