internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:sendOobCode`: mails a link that resets, verifies, changes an address or signs in.
struct SendOobCode: Endpoint {
    let shape = Shape.sendOobCode

    /// The recipient of a code.
    private struct Recipient {
        let email: String
        var newEmail: String?
        /// Whether to answer without a mail: no account has the address, and the answer must not tell.
        var isSilent = false
    }

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        let kind = ActionCode.Kind(rawValue: body.given("requestType") ?? "OOB_REQ_TYPE_UNSPECIFIED")
        try request.require(kind.rawValue != "OOB_REQ_TYPE_UNSPECIFIED", .missingRequestType)
        let returnsLink = body.flag("returnOobLink") ?? false
        if returnsLink { try request.require(request.isAdministrators, .insufficientPermission) }
        // Production's clients send none with the other kinds (firebase-js-sdk, `core/strategies/email.ts`).
        if [.passwordReset, .emailSignIn].contains(kind) { try request.requireCaptcha("captchaResp") }
        try checkContinueURL(request)
        try checkLinkDomain(request)
        let recipient = try recipient(of: kind, returnsLink: returnsLink, request)
        var response: JSONObject = [
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(recipient.email),
        ]
        guard !recipient.isSilent else { return .object(response) }
        try requireInterval(kind, recipient.email, request)
        let code = try request.actionCodes.send(
            kind, to: recipient.email, newEmail: recipient.newEmail, continueURL: body.given("continueUrl"),
            domain: body.flag("canHandleCodeInApp") == true ? body.given("linkDomain")?.lowercased() : nil, isMailed: !returnsLink
        )
        if returnsLink {
            response["oobCode"] = .string(code.code)
            response["oobLink"] = .string(code.link)
        }
        return .object(response)
    }

    private func checkContinueURL(_ request: AuthorizedRequest) throws {
        guard let text = request.body.given("continueUrl") else { return }
        let address = try request.require(
            WebAddress(text), .invalidContinueURI, "((expected an absolute URI with valid scheme and host))")
        guard request.settings.mode == .strict else { return }
        // Production takes pages of the project's own domains only, and no schemes of apps.
        try request.require(["http", "https"].contains(address.scheme), .invalidContinueURI)
        try request.rules.requireAuthorized(address)
    }

    /// Production makes links on the custom domains of the project's Hosting, not on its default ones; Firebase's emulator looks at none.
    private func checkLinkDomain(_ request: AuthorizedRequest) throws {
        guard request.settings.mode == .strict, let domain = request.body.given("linkDomain")?.lowercased() else { return }
        let isDefault = ["web.app", "firebaseapp.com"].contains { domain == $0 || domain.hasSuffix("." + $0) }
        try request.require(
            !isDefault && request.rules.authorizedDomains.contains(domain), .invalidHostingLinkDomain,
            "The provided hosting link domain is not configured in Firebase Hosting or is not owned by the current project. "
                + "This cannot be a default hosting domain (`web.app` or `firebaseapp.com`).")
    }

    private func recipient(
        of kind: ActionCode.Kind, returnsLink: Bool, _ request: AuthorizedRequest
    ) throws -> Recipient {
        let body = request.body
        switch kind {
        case .emailSignIn:
            try request.require(request.rules.methods.contains(.emailLink), .operationNotAllowed)
            let email = try givenEmail(request)
            // Production's link leads to its own page, which needs the app's address.
            try request.require(
                request.settings.mode == .emulator || request.body.given("continueUrl") != nil, .missingContinueURI)
            return Recipient(email: email)
        case .passwordReset:
            if request.settings.mode == .strict {
                try request.require(request.rules.methods.contains(.password), .passwordLoginDisabled)
            }
            let email = try givenEmail(request)
            let isKnown = try request.db.user(email: email, in: request.scope) != nil
            if !isKnown, request.rules.hidesEmails { return Recipient(email: email, isSilent: true) }
            try request.require(isKnown, .emailNotFound)
            return Recipient(email: email)
        case .verifyEmail:
            if returnsLink, body.given("idToken") == nil { return Recipient(email: try knownEmail(request)) }
            return Recipient(email: try ownEmail(try request.tokens.holder(of: body.text("idToken") ?? ""), request))
        case .changeEmail:
            let newEmail = Formats.canonical(try request.require(body.given("newEmail"), .missingNewEmail))
            var recipient: Recipient
            if returnsLink, body.given("idToken") == nil {
                recipient = Recipient(email: try knownEmail(request), newEmail: newEmail)
            } else {
                let holder = try request.tokens.holder(of: try request.require(body.given("idToken"), .missingIDToken))
                try request.tokens.requireRecentSignIn(holder)
                recipient = Recipient(email: try ownEmail(holder, request), newEmail: newEmail)
            }
            if request.settings.mode == .strict { try request.require(Formats.isEmail(newEmail), .invalidEmail) }
            let isTaken = try request.db.user(email: newEmail, in: request.scope) != nil
            if isTaken, request.settings.mode == .strict, request.rules.hidesEmails { recipient.isSilent = true }
            try request.require(!isTaken || recipient.isSilent, .emailExists)
            return recipient
        default:
            throw APIError.notImplemented(kind.rawValue)
        }
    }

    private func givenEmail(_ request: AuthorizedRequest) throws -> String {
        let email = Formats.canonical(try request.require(request.body.given("email"), .missingEmail))
        if request.settings.mode == .strict { try request.require(Formats.isEmail(email), .invalidEmail) }
        return email
    }

    private func knownEmail(_ request: AuthorizedRequest) throws -> String {
        let email = Formats.canonical(try request.require(request.body.given("email"), .missingEmail))
        try request.require(try request.db.user(email: email, in: request.scope) != nil, .userNotFound)
        return email
    }

    private func ownEmail(_ holder: Holder, _ request: AuthorizedRequest) throws -> String {
        try request.require(holder.user.email, .missingEmail)
    }

    private func requireInterval(
        _ kind: ActionCode.Kind, _ email: String, _ request: AuthorizedRequest
    ) throws {
        guard let interval = request.settings.limits.mailInterval, !request.isAdministrators else { return }
        guard let last = try request.db.lastActionCode(kind, to: email, in: request.scope) else { return }
        try request.require(request.now - last >= interval, .tooManyAttempts)
    }
}

extension ActionCode {
    /// The mail that carries the code.
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
