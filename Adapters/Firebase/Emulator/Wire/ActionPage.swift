internal import LockstepEmulation
internal import LockstepPrimitives

/// The content of the page that opens from a link in an email.
struct ActionPage {
    private let form: Body
    private let query: Parameters

    init(_ context: RequestContext) {
        (form, query) = (context.body, context.query)
    }

    /// Returns a value of the submitted form or of the link.
    func value(_ name: String) -> String? { form.text(name) ?? query[name] }

    static var expired: EmulatorResponse {
        page("Try again", "<p>Your request has expired, or the link has already been used.</p>", status: 400)
    }

    /// Returns the page with the effect of the button.
    func ask(_ action: ActionCode) -> EmulatorResponse {
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
            "<h1>\(title)</h1><p>\(text)</p><form method=\"post\" action=\"\(ActionPageRoutes.path)\">\(hidden.joined())\(extra)"
                + "<button>\(button)</button></form>")
    }

    /// Returns the page that passes the code to the app, which uses it.
    func signIn() -> EmulatorResponse {
        guard var address = onwardAddress else {
            return Self.page("Sign in", "<p>Open this link on the device where you asked for it.</p>")
        }
        for (name, value) in query.pairs where name != "continueUrl" { address.set(name, to: value) }
        return Self.page("Sign in", "<p><a href=\"\(Page.escaped(address.text))\">Continue</a></p>")
    }

    /// Returns the page with the effect that the button had.
    func done(_ action: ActionCode) -> EmulatorResponse {
        let text =
            switch action.kind {
            case .passwordReset: "Your password has been changed. You can now sign in with it."
            case .recoverEmail: "Your address has been restored."
            default: "Your address has been verified."
            }
        return Self.page("Done", "<p>\(text)</p>" + onward)
    }

    private var onward: String {
        guard onwardAddress != nil, let next = value("continueUrl") else { return "" }
        return "<p><a href=\"\(Page.escaped(next))\">Continue</a></p>"
    }

    /// The web page to which the page links; other schemes are excluded, because such an address could be a script.
    private var onwardAddress: WebAddress? {
        value("continueUrl").flatMap(WebAddress.init).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
    }

    /// Returns the page of a rejected action.
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
