internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `PUT /user`.
struct UpdateUserEndpoint: Endpoint {
    static let shape = BodyShape(
        "UserUpdateParams",
        [
            ("email", .text), ("phone", .text), ("password", .text), ("current_password", .text), ("nonce", .text),
            ("data", .object),
            ("app_metadata", .object), ("channel", .text),
        ] + BodyShape.proof)

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

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.limit(.user)
        var user = try turn.user()
        let change = try change(turn)
        try check(change, of: user, turn, &db)
        var hash: String?
        if let password = change.password {
            try PasswordChange(password: password, current: change.currentPassword, nonce: change.nonce)
                .check(&user, &turn, &db)
            hash = try turn.hash(password)
        }
        if let hash {
            try turn.updatePassword(&user, hash: hash, keeping: turn.caller?.session?.id, &db)
            try turn.audit(.passwordUpdated, user, &db)
        }
        if let data = change.data { user.mergeUserMetadata(data) }
        if let metadata = change.appMetadata { User.merge(metadata, into: &user.appMetadata) }
        try turn.save(&user, &db)
        if !change.email.isEmpty, change.email != user.email { try changeEmail(change, &user, &turn, &db) }
        if !change.phone.isEmpty, change.phone != user.phone { try changePhone(change.phone, &user, &turn, &db) }
        try turn.audit(.modified, user, &db)
        return .go(user.json)
    }

    private func change(_ turn: Turn) throws -> Change {
        let body = try Body(of: turn.request, as: Self.shape)
        var change = Change()
        if !body[text: "email"].isEmpty { change.email = try Address.email(body[text: "email"]) }
        if !body[text: "phone"].isEmpty {
            change.phone = try Address.phone(body[text: "phone"])
            try turn.checkChannel(body[text: "channel"])
        }
        if let password = body[sent: "password"] {
            try PasswordRules(settings: turn.settings.passwords).check(password)
            change.password = password
        }
        change.currentPassword = body[text: "current_password"]
        change.nonce = body[text: "nonce"]
        change.data = body[object: "data"]
        change.proof = try ProofKey(body)
        change.appMetadata = body[object: "app_metadata"]
        if change.appMetadata != nil, try !turn.settings.tokens.adminRoles.contains(turn.user().role) {
            throw GoTrueError.forbidden(.notAdmin, "Updating app_metadata requires admin privileges")
        }
        return change
    }

    private func check(_ change: Change, of user: User, _ turn: Turn, _ db: inout SQLiteConnection) throws {
        let changesEmail = !change.email.isEmpty && change.email != user.email
        let changesPhone = !change.phone.isEmpty && change.phone != user.phone
        if user.hasVerifiedFactor, turn.caller?.session?.isSecondFactor != true,
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
        if changesEmail, try db.owner(ofEmail: change.email, audience: turn.audience, but: user.id) != nil {
            throw GoTrueError.emailTaken
        }
        if changesPhone, let other = try db.user(phone: change.phone, audience: turn.audience), other.id != user.id {
            throw GoTrueError.phoneTaken
        }
    }

    private func changeEmail(
        _ change: Change, _ user: inout User, _ turn: inout Turn, _ db: inout SQLiteConnection
    ) throws {
        if user.isAnonymous, turn.settings.mail.confirmsByItself {
            user.emailChange = change.email
            return try EmailChange(user: user).apply(&user, turn, &db)
        }
        if let proof = change.proof { try turn.startFlow("email_change", .emailChange, proof, of: user, &db) }
        try turn.sendEmailChange(to: change.email, of: &user, change.proof, &db)
    }

    private func changePhone(
        _ phone: String, _ user: inout User, _ turn: inout Turn, _ db: inout SQLiteConnection
    ) throws {
        guard turn.settings.sms.confirmsByItself else {
            try turn.sendSMS(.phoneChange, to: phone, of: &user, &db)
            return
        }
        user.phoneChange = phone
        try PhoneChange().apply(&user, turn, &db)
    }
}
