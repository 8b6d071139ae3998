internal import LockstepEmulation
internal import LockstepPrimitives

/// Codes by email and by SMS.
struct VerificationRoutes {
    let context: RequestContext

    static let linkBody: BodySchema = [
        "androidInstallApp": .flag, "androidMinimumVersion": .text, "androidPackageName": .text, "canHandleCodeInApp": .flag,
        "captchaResp": .text, "captchaResponse": .text, "challenge": .text, "clientType": .clientType, "continueUrl": .text,
        "dynamicLinkDomain": .text, "email": .text, "iOSAppStoreId": .text, "iOSBundleId": .text, "iosAppStoreId": .text,
        "iosBundleId": .text, "idToken": .text, "linkDomain": .text, "newEmail": .text, "recaptchaVersion": .recaptchaVersion,
        "requestType": .choice([
            "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL", "RECOVER_EMAIL",
            "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
        ]),
        "returnOobLink": .flag, "targetProjectId": .text, "tenantId": .text, "userIp": .text,
    ]

    /// The recipient of a code.
    private struct Recipient {
        let email: String
        var newEmail: String?
        /// Whether to respond without an email, because no account has the address and the response must not reveal
        /// this.
        var isSilent = false
    }

    /// `accounts:sendOobCode`: emails a link that resets a password, verifies or changes an address, or signs in.
    func sendLink() throws -> JSON {
        let body = context.body
        let kind = ActionCode.Kind(rawValue: body.given("requestType") ?? "OOB_REQ_TYPE_UNSPECIFIED")
        try context.require(kind.rawValue != "OOB_REQ_TYPE_UNSPECIFIED", .missingRequestType)
        let returnsLink = body.flag("returnOobLink") ?? false
        if returnsLink { try context.require(context.isAdministrator, .insufficientPermission) }
        // Production's clients send no captcha with the other kinds (firebase-js-sdk, `core/strategies/email.ts`).
        if [.passwordReset, .emailSignIn].contains(kind) { try context.requireCaptcha("captchaResp") }
        try checkContinueURL()
        try checkLinkDomain()
        let recipient = try recipient(of: kind, returnsLink: returnsLink)
        var response: JSONObject = [
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(recipient.email),
        ]
        guard !recipient.isSilent else {
            context.unsentReason =
                recipient.newEmail == nil
                ? "no user has this address, and the project hides that"
                : "another user has the address, and the project hides that"
            return .object(response)
        }
        try requireInterval(kind, recipient.email)
        let code = try context.actionCodes.send(
            kind, to: recipient.email, newEmail: recipient.newEmail, continueURL: body.given("continueUrl"),
            domain: body.flag("canHandleCodeInApp") == true ? body.given("linkDomain")?.lowercased() : nil, isMailed: !returnsLink
        )
        if returnsLink {
            response["oobCode"] = .string(code.code)
            response["oobLink"] = .string(code.link)
        }
        return .object(response)
    }

    private func checkContinueURL() throws {
        guard let text = context.body.given("continueUrl") else { return }
        let address = try context.require(
            WebAddress(text), .invalidContinueURI, "((expected an absolute URI with valid scheme and host))")
        guard context.isStrict else { return }
        // Production accepts only pages of the project's own domains, and no URL schemes of apps.
        try context.require(["http", "https"].contains(address.scheme), .invalidContinueURI)
        try context.rules.requireAuthorized(address)
    }

    /// Production creates links on the custom domains of the project's Hosting, not on its default ones.
    ///
    /// Firebase's emulator checks no domain.
    private func checkLinkDomain() throws {
        guard context.isStrict, let domain = context.body.given("linkDomain")?.lowercased() else { return }
        let isDefault = ["web.app", "firebaseapp.com"].contains { domain == $0 || domain.hasSuffix("." + $0) }
        try context.require(
            !isDefault && context.rules.authorizedDomains.contains(domain), .invalidHostingLinkDomain,
            "The provided hosting link domain is not configured in Firebase Hosting or is not owned by the current project. "
                + "This cannot be a default hosting domain (`web.app` or `firebaseapp.com`).")
    }

    private func recipient(
        of kind: ActionCode.Kind, returnsLink: Bool
    ) throws -> Recipient {
        let body = context.body
        switch kind {
        case .emailSignIn:
            try context.require(context.rules.methods.contains(.emailLink), .operationNotAllowed)
            let email = try givenEmail()
            // Production's link opens its own page, which needs the app's URL.
            try context.require(
                !context.isStrict || context.body.given("continueUrl") != nil, .missingContinueURI)
            return Recipient(email: email)
        case .passwordReset:
            if context.isStrict {
                try context.require(context.rules.methods.contains(.password), .passwordLoginDisabled)
            }
            let email = try givenEmail()
            let isKnown = try context.users.find(email: email) != nil
            if !isKnown, context.rules.hidesEmails { return Recipient(email: email, isSilent: true) }
            try context.require(isKnown, .emailNotFound)
            return Recipient(email: email)
        case .verifyEmail:
            if returnsLink, body.given("idToken") == nil { return Recipient(email: try knownEmail()) }
            return Recipient(email: try ownEmail(try context.tokens.holder(of: body.text("idToken") ?? "")))
        case .changeEmail:
            let newEmail = Formats.canonical(try context.require(body.given("newEmail"), .missingNewEmail))
            var recipient: Recipient
            if returnsLink, body.given("idToken") == nil {
                recipient = Recipient(email: try knownEmail(), newEmail: newEmail)
            } else {
                let holder = try context.tokens.holder(of: try context.require(body.given("idToken"), .missingIDToken))
                try context.tokens.requireRecentSignIn(holder)
                recipient = Recipient(email: try ownEmail(holder), newEmail: newEmail)
            }
            if context.isStrict { try context.require(Formats.isEmail(newEmail), .invalidEmail) }
            let isTaken = try context.users.find(email: newEmail) != nil
            if isTaken, context.isStrict, context.rules.hidesEmails { recipient.isSilent = true }
            try context.require(!isTaken || recipient.isSilent, .emailExists)
            return recipient
        default:
            throw APIError.notImplemented(kind.rawValue)
        }
    }

    private func givenEmail() throws -> String {
        let email = Formats.canonical(try context.require(context.body.given("email"), .missingEmail))
        if context.isStrict { try context.require(Formats.isEmail(email), .invalidEmail) }
        return email
    }

    private func knownEmail() throws -> String {
        let email = Formats.canonical(try context.require(context.body.given("email"), .missingEmail))
        try context.require(try context.users.find(email: email) != nil, .userNotFound)
        return email
    }

    private func ownEmail(_ holder: Holder) throws -> String {
        try context.require(holder.user.email, .missingEmail)
    }

    private func requireInterval(
        _ kind: ActionCode.Kind, _ email: String
    ) throws {
        guard let interval = context.settings.limits.mailInterval, !context.isAdministrator else { return }
        guard let last = try context.actionCodes.last(kind, to: email) else { return }
        try context.require(context.now - last.createdAt >= interval, .tooManyAttempts)
    }

    static let resetBody: BodySchema = [
        "email": .text, "newPassword": .text, "oldPassword": .text, "oobCode": .text, "tenantId": .text,
    ]

    /// `accounts:resetPassword`: returns the purpose of a code, or sets a new password with it.
    func resetPassword() throws -> JSON {
        let body = context.body
        try context.require(context.rules.methods.contains(.password), .passwordLoginDisabled)
        return .object(
            try context.actionCodes.resetPassword(
                code: try context.require(body.given("oobCode"), .missingOobCode), body.given("newPassword")))
    }

    static let textBody: BodySchema = [
        "autoRetrievalInfo": .members(["appSignatureHash": .text]), "captchaResponse": .text, "clientType": .clientType,
        "iosReceipt": .text, "iosSecret": .text, "phoneNumber": .text, "playIntegrityToken": .text, "recaptchaToken": .text,
        "recaptchaVersion": .recaptchaVersion, "safetyNetToken": .text, "tenantId": .text,
    ]

    /// Firebase's `accounts:sendVerificationCode`.
    func sendText() throws -> JSON {
        try context.require(context.scope.tenant == nil, .unsupportedTenantOperation)
        try context.require(context.rules.methods.contains(.phone), .operationNotAllowed)
        let number = context.body.given("phoneNumber") ?? ""
        try context.require(context.isPhoneNumber(number), .invalidPhoneNumber, "Invalid format.")
        let owner = try context.users.find(phoneNumber: number)
        try context.require(owner?.hasFactors != true, .unsupportedFirstFactor, SignInRoutes.noFirstFactor)
        return ["sessionInfo": .string(try context.phoneNumbers.sendCode(to: number))]
    }
}
