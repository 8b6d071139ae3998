#if canImport(SwiftUI)
import Lockstep
import LockstepModels
import SwiftUI

/// The platform's own sheets, which the app opens for the models: each gives what the user has done, or `nil` where it was closed.
///
/// A button whose sheet is missing here is not shown. A page without a sheet opens in the browser.
struct PlatformSheets {
    /// Sign in with Apple and its like: `ASAuthorizationController` with the request's `hashedNonce`, and the ID token that it gives.
    var identity: (@MainActor (IdentityRequest) async -> IdentityAnswer?)?
    /// A passkey: `ASAuthorizationPlatformPublicKeyCredentialProvider` with the request's options, and the registration or assertion
    /// that it gives, in the JSON of WebAuthn.
    var passkey: (@MainActor (PasskeyRequest) async -> JSON?)?
    /// A web page: `ASWebAuthenticationSession` with the model's page, and the URL that it returns for `AuthModel.handle`.
    var page: (@MainActor (BrowserModel) async -> Void)?
}

private struct PlatformSheetsKey: EnvironmentKey {
    static var defaultValue: PlatformSheets { PlatformSheets() }
}

extension EnvironmentValues {
    /// The sheets that the app opens.
    var platformSheets: PlatformSheets {
        get { self[PlatformSheetsKey.self] }
        set { self[PlatformSheetsKey.self] = newValue }
    }
}
#endif
