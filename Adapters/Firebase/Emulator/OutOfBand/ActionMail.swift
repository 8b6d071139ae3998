/// The mail that carries a code.
struct ActionMail {
    let subject: String
    let text: String
    let html: String

    init(_ code: ActionCode) {
        let purpose: String
        switch code.kind {
        case .passwordReset: (subject, purpose) = ("Reset your password", "reset your password")
        case .verifyEmail: (subject, purpose) = ("Verify your e-mail address", "verify your e-mail address")
        case .emailSignIn: (subject, purpose) = ("Sign in", "sign in")
        case .changeEmail:
            (subject, purpose) = ("Verify your new e-mail address", "verify \(code.newEmail ?? "") as your address")
        default: (subject, purpose) = ("Your sign-in address was changed", "take the change of your address back")
        }
        text = "Hello,\n\nfollow this link to \(purpose):\n\n\(code.link)\n\nIf you did not ask for this, ignore this message.\n"
        let page = Page.self
        html = page.document(
            subject,
            "<p>Hello,</p><p>Follow this link to \(page.escaped(purpose)):</p>"
                + "<p><a href=\"\(page.escaped(code.link))\">\(page.escaped(code.link))</a></p>"
                + "<p>If you did not ask for this, ignore this message.</p>")
    }
}
