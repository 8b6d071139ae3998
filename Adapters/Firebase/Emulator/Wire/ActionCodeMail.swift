internal import LockstepEmulation
internal import LockstepPrimitives

extension ActionCode {
    /// Returns the email that contains the code.
    func mail(from sender: String) -> OutgoingMail {
        let (subject, purpose) = words
        let page = Page.self
        return OutgoingMail(
            to: kind == .changeEmail ? newEmail ?? email : email, subject: subject,
            text: "Hello,\n\nfollow this link to \(purpose):\n\n\(link)\n\nIf you did not ask for this, ignore this message.\n",
            page: page.document(
                subject,
                "<p>Hello,</p><p>Follow this link to \(page.escaped(purpose)):</p>"
                    + "<p><a href=\"\(page.escaped(link))\">\(page.escaped(link))</a></p>"
                    + "<p>If you did not ask for this, ignore this message.</p>"),
            link: link, from: sender)
    }

    private var words: (subject: String, purpose: String) {
        switch kind {
        case .passwordReset: ("Reset your password", "reset your password")
        case .verifyEmail: ("Verify your e-mail address", "verify your e-mail address")
        case .emailSignIn: ("Sign in", "sign in")
        case .changeEmail: ("Verify your new e-mail address", "verify \(newEmail ?? "") as your address")
        default: ("Your sign-in address was changed", "take the change of your address back")
        }
    }
}
