internal import LockstepEmulation
internal import LockstepPrimitives

/// The pages for the SDKs' sign-in by pop-up and redirect.
struct SignInPageRoutes {
    let context: RequestContext

    /// Returns the page with the accounts of a provider, on which a person chooses or creates an account.
    func chooser() throws -> EmulatorResponse {
        guard !context.isStrict else {
            throw APIError.notImplemented(
                "Strict mode verifies the tokens of identity providers, and this page makes tokens up: use createAuthUri, or emulator mode."
            )
        }
        guard context.query["apiKey"]?.isEmpty == false, let provider = context.query["providerId"], !provider.isEmpty else {
            return .json(
                ["authEmulator": ["error": "missing apiKey or providerId query parameters"]], status: 400,
                contentType: "application/json; charset=utf-8")
        }
        return ProviderChooser.page(
            try context.users.identities(of: provider.lowercased(), limit: ProviderChooser.limit))
    }

    /// Returns the script that a page runs in the browser.
    static func script(_ text: String) -> EmulatorResponse { .text(text, contentType: "text/javascript; charset=utf-8") }
}
