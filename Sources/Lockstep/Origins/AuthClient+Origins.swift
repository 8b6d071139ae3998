extension AuthClient {
    /// Refuses a request of the app that would send the user's token to a server that the app has not listed.
    ///
    /// - Throws: `invalidInput` for an address that no token may be sent to, `invalidConfiguration` where its origin is not listed.
    func checkOrigin(of request: AppRequest) throws(AuthError) {
        let origin: WebOrigin
        do throws(WebOrigin.Flaw) {
            origin = try WebOrigin.of(url: request.url)
        } catch {
            throw AuthError(.invalidInput, "The user's token is not sent there, and nothing was: \(error.sentence).")
        }
        guard options.apiOrigins.contains(origin) else {
            throw AuthError(
                .invalidConfiguration,
                "The user's token is not sent to \(origin), which the app has not listed. If it is a server of yours, add "
                    + "try WebOrigin(\"\(origin)\") to apiOrigins of AuthClient.Options.")
        }
    }

    /// Refuses a page that a browser must not be sent to, whether the provider or the app named it: `javascript:`, `file:`,
    /// `data:`, an app's own scheme, plain http to another machine.
    ///
    /// - Throws: `invalidResponse`.
    func checkPage(of step: SignInStep) throws(AuthError) {
        guard case .redirect(let redirect) = step else { return }
        do throws(WebOrigin.Flaw) {
            _ = try WebOrigin.of(url: redirect.url)
        } catch {
            throw AuthError(
                .invalidResponse, "The backend names a page that must not be opened: \(error.sentence).", remedies: [.startAgain])
        }
    }
}
