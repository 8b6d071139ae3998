internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:sendOobCode`: mails a link that resets, verifies, changes an address or signs in.
struct SendOobCode: Operation {
    let shape = Shape.sendOobCode
    let effort = Effort.rows

    /// The recipient of a code.
    private struct Recipient {
        let email: String
        var newEmail: String?
        /// Whether to answer without a mail: no account has the address, and the answer must not tell.
        var isSilent = false
    }

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        let kind = ActionCode.Kind(rawValue: body.given("requestType") ?? "OOB_REQ_TYPE_UNSPECIFIED")
        try call.require(kind.rawValue != "OOB_REQ_TYPE_UNSPECIFIED", .missingRequestType)
        let returnsLink = body.flag("returnOobLink") ?? false
        if returnsLink { try call.require(call.isAdministrators, .insufficientPermission) }
        try checkContinueURL(call)
        return try call.transaction { db in
            let recipient = try recipient(of: kind, returnsLink: returnsLink, call, &db)
            var answer: JSONObject = [
                "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(recipient.email),
            ]
            guard !recipient.isSilent else { return .object(answer) }
            try requireInterval(kind, recipient.email, call, &db)
            let code = try call.sendCode(
                kind, to: recipient.email, newEmail: recipient.newEmail, continueURL: body.given("continueUrl"),
                isMailed: !returnsLink, &db)
            if returnsLink {
                answer["oobCode"] = .string(code.code)
                answer["oobLink"] = .string(code.link)
            }
            return .object(answer)
        }
    }

    private func checkContinueURL(_ call: Call) throws {
        guard let text = call.body.given("continueUrl") else { return }
        let address = try call.require(
            WebAddress(text), .invalidContinueURI, "((expected an absolute URI with valid scheme and host))")
        guard call.settings.mode == .strict else { return }
        // Production takes pages of the project's own domains only, and no schemes of apps.
        try call.require(["http", "https"].contains(address.scheme), .invalidContinueURI)
        try call.require(
            call.rules.authorizedDomains.contains { address.host == $0 || address.host.hasSuffix("." + $0) }, .unauthorizedDomain,
            "Domain not allowlisted by project")
    }

    private func recipient(
        of kind: ActionCode.Kind, returnsLink: Bool, _ call: Call, _ db: inout SQLiteConnection
    ) throws -> Recipient {
        let body = call.body
        switch kind {
        case .emailSignIn:
            try call.require(call.rules.methods.contains(.emailLink), .operationNotAllowed)
            let email = try givenEmail(call)
            // Production's link leads to its own page, which needs the app's address.
            try call.require(call.settings.mode == .emulator || call.body.given("continueUrl") != nil, .missingContinueURI)
            return Recipient(email: email)
        case .passwordReset:
            if call.settings.mode == .strict { try call.require(call.rules.methods.contains(.password), .passwordLoginDisabled) }
            let email = try givenEmail(call)
            let isKnown = try db.user(email: email, in: call.space) != nil
            if !isKnown, call.rules.hidesEmails { return Recipient(email: email, isSilent: true) }
            try call.require(isKnown, .emailNotFound)
            return Recipient(email: email)
        case .verifyEmail:
            if returnsLink, body.given("idToken") == nil { return Recipient(email: try knownEmail(call, &db)) }
            return Recipient(email: try ownEmail(try call.holder(of: body.text("idToken") ?? "", &db), call))
        case .changeEmail:
            let newEmail = Formats.canonical(try call.require(body.given("newEmail"), .missingNewEmail))
            var recipient: Recipient
            if returnsLink, body.given("idToken") == nil {
                recipient = Recipient(email: try knownEmail(call, &db), newEmail: newEmail)
            } else {
                let holder = try call.holder(of: try call.require(body.given("idToken"), .missingIDToken), &db)
                try call.requireRecentSignIn(holder)
                recipient = Recipient(email: try ownEmail(holder, call), newEmail: newEmail)
            }
            if call.settings.mode == .strict { try call.require(Formats.isEmail(newEmail), .invalidEmail) }
            let isTaken = try db.user(email: newEmail, in: call.space) != nil
            if isTaken, call.settings.mode == .strict, call.rules.hidesEmails { recipient.isSilent = true }
            try call.require(!isTaken || recipient.isSilent, .emailExists)
            return recipient
        default:
            throw APIError.notImplemented(kind.rawValue)
        }
    }

    private func givenEmail(_ call: Call) throws -> String {
        let email = Formats.canonical(try call.require(call.body.given("email"), .missingEmail))
        if call.settings.mode == .strict { try call.require(Formats.isEmail(email), .invalidEmail) }
        return email
    }

    private func knownEmail(_ call: Call, _ db: inout SQLiteConnection) throws -> String {
        let email = Formats.canonical(try call.require(call.body.given("email"), .missingEmail))
        try call.require(try db.user(email: email, in: call.space) != nil, .userNotFound)
        return email
    }

    private func ownEmail(_ holder: Holder, _ call: Call) throws -> String {
        try call.require(holder.user.email, .missingEmail)
    }

    private func requireInterval(
        _ kind: ActionCode.Kind, _ email: String, _ call: Call, _ db: inout SQLiteConnection
    ) throws {
        guard let interval = call.settings.limits.mailInterval, !call.isAdministrators else { return }
        guard let last = try db.lastActionCode(kind, to: email, in: call.space) else { return }
        try call.require(call.now - last >= interval, .tooManyAttempts)
    }
}
