public import Lockstep
@_exported public import LockstepModels

extension SystemSheets {
    /// Shows the system's dialog of an identity provider.
    ///
    /// ```swift
    /// if let answer = try await sheets.answer(to: signIn.identityRequest(.apple)) { await signIn.submit(answer) }
    /// ```
    ///
    /// - Parameter request: The request of a model.
    /// - Returns: The result to pass to the model's `submit(_:)`; `nil` if the user closed the dialog.
    /// - Throws: `unsupported` if the provider is not Apple; the errors of the dialog.
    public func answer(to request: IdentityRequest) async throws(AuthError) -> IdentityAnswer? {
        guard request.provider == .apple else {
            throw AuthError(
                .unsupported,
                "The system has no sheet for \"\(request.provider.rawValue)\". Use the provider's own package, or its web page.")
        }
        guard let identity = try await signInWithApple(hashedNonce: request.hashedNonce) else { return nil }
        return IdentityAnswer(
            to: request, token: identity.token, name: identity.name, authorizationCode: identity.authorizationCode)
    }

    /// Shows the system's passkey dialog, which creates a passkey or signs with an existing passkey.
    ///
    /// ```swift
    /// if let request = verification.passkeyRequest, let passkey = try await sheets.answer(to: request) {
    ///     await verification.submit(passkey: passkey)
    /// }
    /// ```
    ///
    /// - Parameter request: The request of a model.
    /// - Returns: The result to pass to the model's `submit(passkey:)`; `nil` if the user closed the dialog.
    /// - Throws: `invalidResponse` if the backend's options lack a required member; the errors of the dialog.
    public func answer(to request: PasskeyRequest) async throws(AuthError) -> JSON? {
        switch request.action {
        case .make: try await makePasskey(NewPasskeyRequest(request.options))?.json
        case .sign: try await sign(PasskeySignatureRequest(request.options))?.json
        }
    }

    /// Opens the web page of a step, and continues the flow when the page redirects to the app.
    ///
    /// If the user closes the page, the call cancels the flow.
    ///
    /// - Parameters:
    ///   - browser: The model of the step.
    ///   - callback: The `callback` of the adapter.
    ///   - auth: The app's main model, which handles the URL.
    /// - Throws: The errors of the page. The step stays, so the user can try again.
    public func complete(_ browser: BrowserModel, callback: String, in auth: AuthModel) async throws(AuthError) {
        guard let page = browser.page else { return await browser.cancel() }
        guard let url = try await openPage(page, callback: callback) else { return await browser.cancel() }
        await auth.handle(url)
    }
}
