internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /user`.
struct UserEndpoint: FormerEndpoint {
    var isReading: Bool { true }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let user = try context.authenticator.requireUser()
        guard let audience = context.call.claims?.audience, !audience.isEmpty, audience == context.audience else {
            throw GoTrueError.invalid("Token audience doesn't match request audience")
        }
        return .go(user.json)
    }
}

/// Answers `PUT /user`.
struct UpdateUserEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("UserUpdateParams", ["email": .text, "phone": .text, "password": .text, "current_password": .text, "nonce": .text, "data": .object, "app_metadata": .object, "channel": .text], .proof)

    /// The validated changes of a body.
    private struct Change {
        var email = ""
        var phone = ""
        var password: String?
        var currentPassword = ""
        var nonce = ""
        var data: JSONObject?
        var appMetadata: JSONObject?
        var proof: ProofKey?
    }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        var user = try context.authenticator.requireUser()
        try context.limits.admit(.user)
        let change = try change(of: user, context)
        try check(change, of: user, context)
        var hash: String?
        if let password = change.password {
            try PasswordChange(password: password, current: change.currentPassword, nonce: change.nonce)
                .check(&user, context)
            hash = try context.passwords.hash(password)
        }
        if let hash {
            try context.accounts.updatePassword(&user, hash: hash, keeping: context.session?.id)
            try context.auditLog.record(.passwordUpdated, user)
        }
        if let data = change.data { user.mergeUserMetadata(data) }
        if let metadata = change.appMetadata { User.merge(metadata, into: &user.appMetadata) }
        try context.accounts.save(&user)
        if !change.email.isEmpty, change.email != user.email { try changeEmail(change, &user, context) }
        if !change.phone.isEmpty, change.phone != user.phone { try changePhone(change.phone, &user, context) }
        try context.auditLog.record(.modified, user)
        return .go(user.json)
    }

    private func change(of user: User, _ context: RequestContext) throws -> Change {
        let body = try Body(of: context.request, as: Self.shape)
        var change = Change()
        if !body[text: "email"].isEmpty { change.email = try Address.email(body[text: "email"]) }
        if !body[text: "phone"].isEmpty {
            change.phone = try Address.phone(body[text: "phone"])
            try context.textMessages.checkChannel(body[text: "channel"])
        }
        if let password = body.text("password") {
            try context.passwords.check(password)
            change.password = password
        }
        change.currentPassword = body[text: "current_password"]
        change.nonce = body[text: "nonce"]
        change.data = body.object("data")
        change.proof = try ProofKey(body)
        change.appMetadata = body.object("app_metadata")
        if change.appMetadata != nil, !context.settings.tokens.adminRoles.contains(user.role) {
            throw GoTrueError.forbidden(.notAdmin, "Updating app_metadata requires admin privileges")
        }
        return change
    }

    private func check(_ change: Change, of user: User, _ context: RequestContext) throws {
        let changesEmail = !change.email.isEmpty && change.email != user.email
        let changesPhone = !change.phone.isEmpty && change.phone != user.phone
        if user.hasVerifiedFactor, context.session?.isSecondFactor != true,
            change.password != nil || changesEmail || changesPhone
        {
            throw GoTrueError(
                401, .insufficientAAL, "AAL2 session is required to update email or password when MFA is enabled.")
        }
        if user.isAnonymous, change.password != nil, change.email.isEmpty, change.phone.isEmpty {
            throw GoTrueError.unprocessable(
                .validationFailed, "Updating password of an anonymous user without an email or phone is not allowed")
        }
        if user.isSSO, change.password != nil || changesEmail || changesPhone || !change.nonce.isEmpty {
            throw GoTrueError.unprocessable(
                .userSSOManaged, "Updating email, phone, password of a SSO account only possible via SSO")
        }
        if changesEmail, try context.db.owner(ofEmail: change.email, audience: context.audience, but: user.id) != nil {
            throw GoTrueError.emailTaken
        }
        if changesPhone, let other = try context.db.user(phone: change.phone, audience: context.audience), other.id != user.id {
            throw GoTrueError.phoneTaken
        }
    }

    private func changeEmail(_ change: Change, _ user: inout User, _ context: RequestContext) throws {
        if user.isAnonymous, context.settings.mail.confirmsByItself {
            user.emailChange = change.email
            return try EmailChange(context: context).apply(&user)
        }
        if let proof = change.proof { try context.flows.start("email_change", .emailChange, proof, of: user) }
        try context.mailer.sendEmailChange(to: change.email, of: &user, change.proof)
    }

    private func changePhone(_ phone: String, _ user: inout User, _ context: RequestContext) throws {
        guard context.settings.sms.confirmsByItself else {
            try context.textMessages.send(.phoneChange, to: phone, of: &user)
            return
        }
        user.phoneChange = phone
        try PhoneChange(context: context).apply(&user)
    }
}

/// Whether a user may set a new password now.
struct PasswordChange {
    var password: String
    var current: String
    var nonce: String

    func check(_ user: inout User, _ context: RequestContext) throws {
        if context.settings.passwords.requiresReauthentication { try reauthenticate(&user, context) }
        // A nonce is used up even if a later check fails.
        if context.settings.passwords.requiresCurrent { try checkCurrent(user, context) }
        if let hash = user.passwordHash, try context.passwords.matches(password, for: hash) {
            throw GoTrueError.unprocessable(.samePassword, "New password should be different from the old password.").kept
        }
    }

    /// A session of less than a day needs no nonce.
    private func reauthenticate(_ user: inout User, _ context: RequestContext) throws {
        if let session = context.session, context.now <= session.createdAt + .seconds(86_400) { return }
        guard !nonce.isEmpty else {
            throw GoTrueError.bad(.reauthenticationNeeded, "Password update requires reauthentication")
        }
        let isByMail = !user.email.isEmpty
        let life = isByMail ? context.settings.mail.codeLife : context.settings.sms.codeLife
        let hash = CodeHash.of(isByMail ? user.email : user.phone, nonce)
        guard VerifyCode.isGood(hash, user.reauthentication, life: life, at: context.now) else {
            throw GoTrueError.unprocessable(.reauthenticationNotValid, "Nonce has expired or is invalid")
        }
        user.reauthentication.hash = ""
        try context.accounts.save(&user)
        try context.db.clearOneTimeTokens(of: user.id)
    }

    private func checkCurrent(_ user: User, _ context: RequestContext) throws {
        guard let hash = user.passwordHash else { return }
        if context.session?.isProven(by: [.otp, .magicLink, .recovery]) == true { return }
        let message = "Current password required when setting new password."
        guard !current.isEmpty else { throw GoTrueError.bad(.currentPasswordRequired, message).kept }
        guard try context.passwords.matches(current, for: hash) else {
            throw GoTrueError.bad(.currentPasswordInvalid, message).kept
        }
    }
}
