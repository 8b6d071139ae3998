internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes for the signed-in user.
struct UserRoutes {
    let context: RequestContext

    static let body = BodySchema.go(
        "UserUpdateParams",
        [
            "email": .text, "phone": .text, "password": .text, "current_password": .text, "nonce": .text, "data": .object,
            "app_metadata": .object, "channel": .text,
        ], .proof)

    /// Handles `GET /user`.
    func show() throws -> EmulatorResponse {
        guard let audience = context.call.claims?.audience, !audience.isEmpty, audience == context.audience else {
            throw GoTrueError.invalid("Token audience doesn't match request audience")
        }
        return .go(try context.user.json)
    }

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

    /// Handles `PUT /user`.
    func update() throws -> EmulatorResponse {
        var user = try context.user
        try context.limits.admit(.user)
        let change = try change(of: user)
        try check(change, of: user)
        if let password = change.password {
            try PasswordChange(context: context, password: password, current: change.currentPassword, nonce: change.nonce)
                .check(&user)
            let hash = try context.passwords.hash(password)
            try context.users.updatePassword(&user, hash: hash, keeping: context.session?.id)
            try context.auditLog.record(.passwordUpdated, user)
        }
        if let data = change.data { user.mergeUserMetadata(data) }
        if let metadata = change.appMetadata { User.merge(metadata, into: &user.appMetadata) }
        try context.users.save(&user)
        if !change.email.isEmpty, change.email != user.email { try changeEmail(change, &user) }
        if !change.phone.isEmpty, change.phone != user.phone { try changePhone(change.phone, &user) }
        try context.auditLog.record(.modified, user)
        return .go(user.json)
    }

    private func change(of user: User) throws -> Change {
        let body = try context.body
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
            throw GoTrueError.metadataOfAdministrators
        }
        return change
    }

    private func check(_ change: Change, of user: User) throws {
        let changesEmail = !change.email.isEmpty && change.email != user.email
        let changesPhone = !change.phone.isEmpty && change.phone != user.phone
        let changesAddressOrPassword = change.password != nil || changesEmail || changesPhone
        if user.hasVerifiedFactor, context.session?.isSecondFactor != true, changesAddressOrPassword {
            throw GoTrueError.secondFactorForUpdate
        }
        if user.isAnonymous, change.password != nil, change.email.isEmpty, change.phone.isEmpty {
            throw GoTrueError.passwordOfGuest
        }
        if user.isSSO, changesAddressOrPassword || !change.nonce.isEmpty { throw GoTrueError.managedBySSO }
        if changesEmail, try context.db.owner(ofEmail: change.email, audience: context.audience, but: user.id) != nil {
            throw GoTrueError.emailTaken
        }
        if changesPhone, let other = try context.db.user(phone: change.phone, audience: context.audience),
            other.id.exact != user.id.exact
        {
            throw GoTrueError.phoneTaken
        }
    }

    private func changeEmail(_ change: Change, _ user: inout User) throws {
        if user.isAnonymous, context.settings.mail.confirmsByItself {
            user.emailChange = change.email
            return try EmailChange(context: context).apply(&user)
        }
        if let proof = change.proof { try context.flows.start("email_change", .emailChange, proof, of: user) }
        try context.mailer.sendEmailChange(to: change.email, of: &user, change.proof)
    }

    private func changePhone(_ phone: String, _ user: inout User) throws {
        guard context.settings.sms.confirmsByItself else {
            try context.textMessages.send(.phoneChange, to: phone, of: &user)
            return
        }
        user.phoneChange = phone
        try PhoneChange(context: context).apply(&user)
    }

    /// Handles `DELETE /user/identities/{identity_id}`.
    func unlink() throws -> EmulatorResponse {
        var user = try context.user
        try context.providerSignIn.requireManualLinking()
        let id = try context.pathID("identity_id")
        guard context.call.claims?.audience == context.audience else { throw GoTrueError.wrongAudience }
        let identities = user.identities ?? []
        guard identities.count > 1 else { throw GoTrueError.singleIdentity }
        guard let identity = identities.first(where: { $0.id.exact == id.exact }) else { throw GoTrueError.identityNotFound }
        try context.auditLog.record(.identityUnlinked, user, traits: identity.auditTraits)
        try context.db.delete(Identity.self, "id = \(id)")
        if identity.provider == "phone" {
            user.phone = ""
            user.phoneConfirmedAt = nil
            try context.users.save(&user)
        } else if try !context.users.updateEmail(&user) {
            throw GoTrueError.identityEmailConflict
        }
        try context.users.updateProviders(&user)
        return .go([:] as JSONObject)
    }
}
