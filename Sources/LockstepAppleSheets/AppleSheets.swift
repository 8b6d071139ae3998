#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
internal import Foundation
public import Lockstep

/// The system dialogs of AuthenticationServices: Sign in with Apple, passkeys, and a web page for all other providers.
///
/// ```swift
/// let sheets = AppleSheets { window }
/// if let answer = try await sheets.answer(to: signIn.identityRequest(.apple)) { await signIn.submit(answer) }
/// ```
///
/// The app needs the entitlement for Sign in with Apple. For passkeys, the app needs the associated domain
/// `webcredentials:`.
@MainActor
public final class AppleSheets: SystemSheets {
    private let anchor: @MainActor () -> ASPresentationAnchor
    private let sharesCookies: Bool

    /// Creates the dialogs.
    ///
    /// - Parameters:
    ///   - sharesCookies: Whether web pages share cookies with the browser. If so, a user who has already signed in
    ///     with the browser need not sign in again. The system asks the user for permission.
    ///   - anchor: A function that returns the window in which the system shows a dialog.
    public init(sharesCookies: Bool = true, anchor: @escaping @MainActor () -> ASPresentationAnchor) {
        self.sharesCookies = sharesCookies
        self.anchor = anchor
    }

    /// Shows the dialog of Sign in with Apple.
    ///
    /// - Parameter hashedNonce: The nonce for the dialog's request.
    /// - Returns: The identity; `nil` if the user closed the dialog.
    /// - Throws: `providerRefused` if the system reports an error.
    public func signInWithApple(hashedNonce: String) async throws(AuthError) -> AppleIdentity? {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = hashedNonce
        guard case .identity(let identity)? = try await SheetDelegate(anchor).answer(to: request) else { return nil }
        return identity
    }

    /// Shows the dialog that creates a passkey.
    ///
    /// - Parameter request: The request.
    /// - Returns: The passkey; `nil` if the user closed the dialog.
    /// - Throws: `providerRefused` if the system reports an error.
    public func makePasskey(_ request: NewPasskeyRequest) async throws(AuthError) -> NewPasskey? {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: request.relyingParty)
        let registration = provider.createCredentialRegistrationRequest(
            challenge: Data(request.challenge), name: request.userName, userID: Data(request.userID))
        registration.displayName = request.displayName
        registration.userVerificationPreference = Self.preference(request.verification)
        registration.excludedCredentials = Self.descriptors(request.excluded)
        guard case .passkey(let passkey)? = try await SheetDelegate(anchor).answer(to: registration) else { return nil }
        return passkey
    }

    /// Shows the dialog that signs with a passkey.
    ///
    /// - Parameter request: The request.
    /// - Returns: The signature; `nil` if the user closed the dialog.
    /// - Throws: `providerRefused` if the system reports an error.
    public func sign(_ request: PasskeySignatureRequest) async throws(AuthError) -> PasskeySignature? {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: request.relyingParty)
        let assertion = provider.createCredentialAssertionRequest(challenge: Data(request.challenge))
        assertion.userVerificationPreference = Self.preference(request.verification)
        assertion.allowedCredentials = Self.descriptors(request.allowed)
        guard case .signature(let signature)? = try await SheetDelegate(anchor).answer(to: assertion) else { return nil }
        return signature
    }

    /// Shows a web page until it redirects to the app.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - callback: The URL to which the page redirects: the `callback` of the adapter.
    /// - Returns: The URL of the redirect; `nil` if the user closed the page.
    /// - Throws: `providerRefused` if the system reports an error; `invalidConfiguration` if a URL cannot be used.
    public func openPage(_ page: String, callback: String) async throws(AuthError) -> String? {
        guard let url = URL(string: page), let target = URL(string: callback), let scheme = target.scheme else {
            throw AuthError(.invalidConfiguration, "Invalid page \"\(page)\" or callback \"\(callback)\". Use whole URLs.")
        }
        let match: ASWebAuthenticationSession.Callback =
            scheme == "https" ? .https(host: target.host ?? "", path: target.path) : .customScheme(scheme)
        return try await PageSession(anchor).url(from: url, match, sharesCookies: sharesCookies)
    }

    private static func preference(
        _ verification: PasskeyUserVerification
    ) -> ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        switch verification {
        case .required: .required
        case .preferred: .preferred
        case .discouraged: .discouraged
        }
    }

    private static func descriptors(_ ids: [[UInt8]]) -> [ASAuthorizationPlatformPublicKeyCredentialDescriptor] {
        ids.map { ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data($0)) }
    }
}

/// The result of a dialog that the authorization controller showed.
private enum SheetAnswer: Sendable {
    case identity(AppleIdentity)
    case passkey(NewPasskey)
    case signature(PasskeySignature)
}

/// One dialog of the authorization controller, until it is closed.
@MainActor
private final class SheetDelegate: NSObject, ASAuthorizationControllerDelegate {
    private let anchor: @MainActor () -> ASPresentationAnchor
    private var controller: ASAuthorizationController?
    private var waiting: CheckedContinuation<Result<SheetAnswer?, AuthError>, Never>?

    init(_ anchor: @escaping @MainActor () -> ASPresentationAnchor) { self.anchor = anchor }

    /// Shows the dialog; the result is `nil` if the user closed it.
    func answer(to request: ASAuthorizationRequest) async throws(AuthError) -> SheetAnswer? {
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        controller.presentationContextProvider = self
        self.controller = controller
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                controller.performRequests()
            }
        } onCancel: {
            Task { @MainActor in self.controller?.cancel() }
        }
        return try result.get()
    }

    /// Returns the result.
    ///
    /// Only the first call has an effect.
    private func finish(_ result: Result<SheetAnswer?, AuthError>) {
        waiting?.resume(returning: result)
        waiting = nil
        controller = nil
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let credential as ASAuthorizationAppleIDCredential: finish(Self.identity(credential))
        case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
            let attestation = Array(credential.rawAttestationObject ?? Data())
            finish(
                .success(
                    .passkey(
                        NewPasskey(
                            id: Array(credential.credentialID), clientData: Array(credential.rawClientDataJSON),
                            attestation: attestation))))
        case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            finish(
                .success(
                    .signature(
                        PasskeySignature(
                            id: Array(credential.credentialID), clientData: Array(credential.rawClientDataJSON),
                            authenticatorData: Array(credential.rawAuthenticatorData ?? Data()),
                            signature: Array(credential.signature ?? Data()), userID: Array(credential.userID ?? Data())))))
        default: finish(.failure(AuthError(.providerRefused, "The system's sheet returned an unknown kind of credential.")))
        }
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        if (error as? ASAuthorizationError)?.code == .canceled { return finish(.success(nil)) }
        finish(
            .failure(
                AuthError(
                    .providerRefused,
                    "The system's sheet reported an error: \(error.localizedDescription) Check the app's entitlements.")))
    }

    private static func identity(_ credential: ASAuthorizationAppleIDCredential) -> Result<SheetAnswer?, AuthError> {
        guard let token = credential.identityToken.map({ String(decoding: $0, as: UTF8.self) }), !token.isEmpty else {
            return .failure(AuthError(.providerRefused, "Apple returned no ID token. Try again."))
        }
        let name = credential.fullName.map { $0.formatted() }
        let code = credential.authorizationCode.map { Secret(String(decoding: $0, as: UTF8.self)) }
        return .success(
            .identity(
                AppleIdentity(token: Secret(token), name: name.flatMap { $0.isEmpty ? nil : $0 }, authorizationCode: code)))
    }
}

extension SheetDelegate: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { anchor() }
}

/// One web page in the system's browser, until it redirects to the app or is closed.
@MainActor
private final class PageSession: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: @MainActor () -> ASPresentationAnchor
    private var session: ASWebAuthenticationSession?
    private var waiting: CheckedContinuation<Result<String?, AuthError>, Never>?

    init(_ anchor: @escaping @MainActor () -> ASPresentationAnchor) { self.anchor = anchor }

    /// Shows the page; the URL is `nil` if the user closed it.
    func url(
        from page: URL, _ callback: ASWebAuthenticationSession.Callback, sharesCookies: Bool
    ) async throws(AuthError) -> String? {
        // The system may call from any thread.
        let session = ASWebAuthenticationSession(url: page, callback: callback) { @Sendable [self] url, error in
            let result = Self.result(url, error)
            Task { @MainActor in finish(result) }
        }
        session.presentationContextProvider = self
        session.prefersEphemeralWebBrowserSession = !sharesCookies
        self.session = session
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                guard !session.start() else { return }
                finish(.failure(AuthError(.providerRefused, "The system cannot show the page. Try again.")))
            }
        } onCancel: {
            Task { @MainActor in
                self.session?.cancel()
                finish(.success(nil))
            }
        }
        return try result.get()
    }

    /// Returns the result.
    ///
    /// Only the first call has an effect.
    private func finish(_ result: Result<String?, AuthError>) {
        waiting?.resume(returning: result)
        waiting = nil
        session = nil
    }

    private nonisolated static func result(_ url: URL?, _ error: (any Error)?) -> Result<String?, AuthError> {
        if let url { return .success(url.absoluteString) }
        if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin { return .success(nil) }
        let reason = error?.localizedDescription ?? "no URL and no error"
        return .failure(AuthError(.providerRefused, "The web page failed: \(reason)"))
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor() }
}
#endif
