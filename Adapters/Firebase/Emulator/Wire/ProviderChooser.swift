internal import LockstepEmulation
internal import LockstepPrimitives

/// `GET /emulator/auth/handler`: the page that replaces an identity provider's page, on which a person chooses or
/// creates an account.
///
/// The SDKs open it in a pop-up or in place of the app's page (JavaScript), and in a browser (iOS, Android). Only
/// ``script`` in the browser reads the SDK's values in the query. The server writes none of them into the page. The
/// elements that a person uses have the same ids and classes as in Firebase's emulator, so that browser tests find
/// them.
enum ProviderChooser {
    static let path = "/emulator/auth/handler"
    static let scriptPath = path + ".js"

    /// The number of accounts that the page shows.
    static let limit = 200

    /// Returns the page with the accounts of a provider, the last sign-in first.
    static func page(_ accounts: [(user: User, identity: Identity)]) -> EmulatorResponse {
        let rows = accounts.map { row($0.identity, of: $0.user) }.joined(separator: "\n")
        return EmulatorResponse.html(
            Page.document("Sign in", body(rows, isCut: accounts.count == limit)),
            policy:
                "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src http: https:; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ).with("Cache-Control", "no-store")
    }

    private static func row(_ account: Identity, of user: User) -> String {
        let name = Page.escaped(account.displayName ?? "(No display name)")
        let picture = account.photoURL.map {
            #"<img src="\#(Page.escaped($0))" alt="" width="36" height="36" referrerpolicy="no-referrer"> "#
        }
        return """
            <li><button type="button" class="js-reuse-account" data-claims="\(Page.escaped(JSON.object(claims(of: account, of: user)).text()))">\
            \(picture ?? "")\(name) <span class="fallback-secondary-text">\(Page.escaped(account.email ?? ""))</span></button></li>
            """
    }

    /// Returns the ID token that the provider issues for an account: bare JSON, which emulator mode accepts.
    ///
    /// The provider has verified the address unless the account has it unverified.
    private static func claims(of account: Identity, of user: User) -> JSONObject {
        let isVerified = user.emailVerified == true || user.email != account.email?.lowercased()
        return JSONObject(given: [
            "sub": account.rawID, "iss": "", "aud": "", "exp": Int64(0), "iat": Int64(0), "email_verified": isVerified,
            "name": account.displayName, "screen_name": account.screenName, "email": account.email, "picture": account.photoURL,
        ])
    }

    private static func body(_ rows: String, isCut: Bool) -> String {
        """
        <h1>Sign in with <span class="js-provider-id provider-name">a provider</span></h1>
        <p class="js-signin-warning" hidden></p>
        <div id="accounts-list">
        <p class="js-accounts-help-text">Accounts that have signed in here before\(isCut ? " (the last \(limit))" : ""):</p>
        <ul>
        \(rows)
        </ul>
        <p><button type="button" id="add-account-button" class="js-new-account">Add a new account</button></p>
        </div>
        <div id="add-user" hidden>
        <form id="main-form" novalidate>
        <p><button type="button" id="autogen-button">Make up an account</button></p>
        <p><label>Address <input id="email-input" type="email" autocomplete="off"></label>
        <span id="email-error" role="alert"></span></p>
        <p><label>Display name (optional) <input id="display-name-input"></label></p>
        <p><label>Screen name (optional) <input id="screen-name-input"></label></p>
        <p><label>Address of a picture (optional) <input id="profile-photo-input"></label></p>
        <p><label><input id="email-verified-input" type="checkbox" checked> The provider has verified the address</label></p>
        <p><button type="button" id="back-button">Back</button>
        <button type="submit" id="sign-in">Sign in with <span class="js-provider-id provider-name">a provider</span></button></p>
        </form>
        </div>
        <noscript><p>This page needs JavaScript.</p></noscript>
        <script src="\(scriptPath)"></script>
        """
    }
}
