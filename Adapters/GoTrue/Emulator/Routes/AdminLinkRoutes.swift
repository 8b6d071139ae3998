internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrators' route that creates the links of emails.
struct AdminLinkRoutes {
    let context: RequestContext

    static let body = BodySchema.go(
        "GenerateLinkParams",
        ["type": .text, "email": .text, "new_email": .text, "password": .text, "data": .object, "redirect_to": .text])

    /// The kind of link.
    private struct Task {
        var type: String
        var email: String
        var newEmail: String
        var password: String
        var data: JSONObject
        var code: String
        var hash: String
    }

    /// Handles `POST /admin/generate_link`.
    func create() throws -> EmulatorResponse {
        let body = try context.body
        let email = try Address.email(body[text: "email"])
        let asked = body[text: "redirect_to"]
        let target = context.state.redirects.allows(asked) ? asked : context.target
        let code = context.code("link", length: context.settings.mail.codeLength)
        var task = Task(
            type: body[text: "type"], email: email, newEmail: body[text: "new_email"], password: body[text: "password"],
            data: body.object("data") ?? [:], code: code, hash: CodeHash.of(email, code))
        let known = try context.db.user(email: email, audience: context.audience)
        if known == nil { try redirectUnknown(&task) }
        var user = try known ?? make(task)
        var linkHash = task.hash
        var purpose = MailPurpose.recovery
        switch task.type {
        case "magiclink", "recovery":
            user.recovery = User.Slot(hash: task.hash, sentAt: context.now)
            try context.users.keep(.recovery, task.hash, for: email, of: &user)
            try context.auditLog.record(.recoveryRequested, user)
        case "invite", "signup":
            if user.isEmailConfirmed { throw GoTrueError.emailTaken }
            if known != nil, task.type == "signup" { user.mergeUserMetadata(task.data) }
            if task.type == "invite" { user.invitedAt = context.now }
            user.confirmation = User.Slot(hash: task.hash, sentAt: context.now)
            try context.users.keep(.confirmation, task.hash, for: email, of: &user)
            purpose = task.type == "invite" ? .invite : .confirmation
            if task.type == "invite" {
                try context.auditLog.recordAdministrator(.invited, of: user, traits: ["user_email": .string(user.email)])
            }
        case "email_change_current", "email_change_new":
            linkHash = try changeEmail(task, &user)
            purpose = .emailChange
        default: throw GoTrueError.invalid("Invalid email action link type requested: \(task.type)")
        }
        let linkType = purpose == .emailChange ? "email_change" : task.type
        var json = user.json
        json["action_link"] = .string(
            context.mailer.actionLink(purpose, type: linkType, hash: linkHash, target: target))
        json["email_otp"] = .string(code)
        json["hashed_token"] = .string(task.hash)
        json["verification_type"] = .string(task.type)
        json["redirect_to"] = .string(target)
        return .go(json)
    }

    private func redirectUnknown(_ task: inout Task) throws {
        switch task.type {
        case "magiclink":
            task.type = "signup"
            task.password = ""
        case "signup":
            guard !task.password.isEmpty else { throw GoTrueError.invalid("Signup requires a valid password") }
        case "recovery", "email_change_current", "email_change_new":
            throw GoTrueError.linkUserNotFound
        case "invite": break
        default: throw GoTrueError.invalid("Invalid email action link type requested: \(task.type)")
        }
    }

    private func make(_ task: Task) throws -> User {
        var hash: String?
        if !task.password.isEmpty {
            try context.passwords.check(task.password)
            hash = try context.passwords.hash(task.password)
        } else if task.type == "signup" {
            hash = Passwords.unknown
        }
        return try context.signUps.registerUnproven(task.email, task.data, hash: hash)
    }

    /// The response contains the hash of the old address, even if the link contains that of the new one.
    private func changeEmail(_ task: Task, _ user: inout User) throws -> String {
        let isCurrent = task.type == "email_change_current"
        if isCurrent, !context.settings.mail.securesChange {
            throw GoTrueError.invalid("Enable secure email change to generate link for current email")
        }
        let address = try Address.email(task.newEmail)
        // The user's current address is also treated as already used.
        if try context.db.owner(ofEmail: address, audience: user.audience, but: user.id) != nil { throw GoTrueError.emailTaken }
        user.emailChange = address
        user.emailChangeSentAt = context.now
        user.emailChangeStatus = 0
        let hash = isCurrent ? task.hash : CodeHash.of(address, task.code)
        if isCurrent { user.emailChangeCurrentHash = hash } else { user.emailChangeNewHash = hash }
        try context.users.keep(
            isCurrent ? .emailChangeCurrent : .emailChangeNew, hash, for: isCurrent ? user.email : address, of: &user)
        return hash
    }
}
