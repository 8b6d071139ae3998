internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `/__/auth/action`: the page that a mailed link leads to in strict mode.
///
/// GET and HEAD show it and change nothing, so that link scanners do no harm; only the button (a POST) runs the action.
struct ActionPage {
    static let path = "/__/auth/action"

    let request: AuthorizedRequest
    /// The pairs of the form that was sent; `nil` where the page is only shown.
    let form: Parameters?

    func answer() throws -> EmulatorResponse {
        let code = value("oobCode") ?? ""
        guard let action = try? request.actionCodes.open(code), action.kind.mode == value("mode") else {
            return Self.page("Try again", "<p>Your request has expired, or the link has already been used.</p>", status: 400)
        }
        if action.kind == .emailSignIn { return signIn() }
        guard form != nil else { return ask(action) }
        try carryOut(action)
        return Self.page("Done", "<p>\(Self.done(action))</p>" + onward)
    }

    private func carryOut(_ action: ActionCode) throws {
        guard action.kind == .passwordReset else {
            _ = try request.actionCodes.apply(action.code)
            return
        }
        let password = try request.require(value("newPassword").flatMap { $0.isEmpty ? nil : $0 }, .missingPassword)
        _ = try request.actionCodes.resetPassword(code: action.code, password)
    }

    private func ask(_ action: ActionCode) -> EmulatorResponse {
        let email = Page.escaped(action.newEmail ?? action.email)
        let field = #"<p><label>New password <input type="password" name="newPassword" autocomplete="new-password"></label></p>"#
        let (title, text, extra, button) =
            switch action.kind {
            case .passwordReset: ("Reset your password", "for \(email)", field, "Save")
            case .verifyEmail: ("Verify your address", email, "", "Verify")
            case .changeEmail: ("Verify your new address", email, "", "Verify")
            default: ("Take the change of your address back", email, "", "Restore")
            }
        let hidden = ["mode", "oobCode", "continueUrl", "tenantId", "apiKey"].compactMap { name in
            value(name).map { #"<input type="hidden" name="\#(name)" value="\#(Page.escaped($0))">"# }
        }
        return Self.page(
            title,
            "<h1>\(title)</h1><p>\(text)</p><form method=\"post\" action=\"\(Self.path)\">\(hidden.joined())\(extra)"
                + "<button>\(button)</button></form>")
    }

    /// The page passes the code on to the app, which uses it.
    private func signIn() -> EmulatorResponse {
        guard var address = onwardAddress else {
            return Self.page("Sign in", "<p>Open this link on the device where you asked for it.</p>")
        }
        for (name, value) in request.query.pairs where name != "continueUrl" { address.set(name, to: value) }
        return Self.page("Sign in", "<p><a href=\"\(Page.escaped(address.text))\">Continue</a></p>")
    }

    private static func done(_ action: ActionCode) -> String {
        switch action.kind {
        case .passwordReset: "Your password has been changed. You can now sign in with it."
        case .recoverEmail: "Your address has been restored."
        default: "Your address has been verified."
        }
    }

    private var onward: String {
        guard onwardAddress != nil, let next = value("continueUrl") else { return "" }
        return "<p><a href=\"\(Page.escaped(next))\">Continue</a></p>"
    }

    /// Where the page leads to: a web page, as an address of another scheme could be a script.
    private var onwardAddress: WebAddress? {
        value("continueUrl").flatMap(WebAddress.init).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
    }

    private func value(_ name: String) -> String? { form?[name] ?? request.query[name] }

    /// The page of a refused action.
    static func refusal(_ error: APIError) -> EmulatorResponse {
        page("Try again", "<p>\(Page.escaped(error.message))</p>", status: error.status)
    }

    private static func page(_ title: String, _ body: String, status: Int = 200) -> EmulatorResponse {
        .html(Page.document(title, body), status: status).with("Cache-Control", "no-store")
    }
}

/// The layout of every page of the server.
enum Page {
    /// A whole page.
    static func document(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }</style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    /// A text escaped for HTML, in content and in attributes.
    static func escaped(_ text: String) -> String { text.escapedForHTMLText }
}
