internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /admin/users`.
struct CreateUserEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let asked = try AdminUserBody(context.request)
        let body = asked.body
        guard !body[text: "email"].isEmpty || !body[text: "phone"].isEmpty else {
            throw GoTrueError.invalid("Cannot create a user without either an email or phone")
        }
        let audience = body[text: "aud"].isEmpty ? context.audience : body[text: "aud"]
        var user = User(id: context.uuid(), audience: audience, role: context.settings.tokens.role, at: context.now)
        try addresses(body, &user, context)
        user.passwordHash = try hash(body, context)
        try takeID(body[text: "id"], &user)
        if !body[text: "role"].isEmpty { user.role = body[text: "role"] }
        let providers = [user.email.isEmpty ? nil : "email", user.phone.isEmpty ? nil : "phone"].compactMap { $0 }
        user.appMetadata = ["provider": .string(providers[0]), "providers": .array(providers.map(JSON.string))]
        User.merge(asked.appMetadata ?? [:], into: &user.appMetadata)
        user.userMetadata = asked.userMetadata ?? (body[text: "password_hash"].isEmpty ? [:] : nil)
        if let ban = try asked.ban(from: context.now) { user.bannedUntil = ban }
        do {
            try context.db.insert(user)
        } catch {
            throw GoTrueError.failure("Database error creating new user")
        }
        try finish(&user, asked, context)
        return .go(user.json)
    }

    private func addresses(_ body: Body, _ user: inout User, _ context: RequestContext) throws {
        if !body[text: "email"].isEmpty {
            user.email = try Address.email(body[text: "email"])
            if try context.db.owner(ofEmail: user.email, audience: user.audience) != nil { throw GoTrueError.emailTaken }
        }
        if !body[text: "phone"].isEmpty {
            user.phone = try Address.phone(body[text: "phone"])
            if try context.db.user(phone: user.phone, audience: user.audience) != nil {
                throw GoTrueError.unprocessable(.phoneExists, "Phone number already registered by another user")
            }
        }
    }

    private func hash(_ body: Body, _ context: RequestContext) throws -> String {
        let password = body[text: "password"]
        let given = body[text: "password_hash"]
        guard body.text("password") == nil || given.isEmpty else {
            throw GoTrueError.invalid("Only a password or a password hash should be provided")
        }
        if !given.isEmpty {
            guard given.utf8.count <= 255, (try? PasswordHash(goTrue: given)) != nil else {
                throw GoTrueError.failure("Error creating user")
            }
            return given
        }
        if password.isEmpty { return Passwords.unknown }
        // The real server runs into a panic here.
        guard password.utf8.count <= 72 else { throw GoTrueError.panic }
        return try context.passwords.hash(password)
    }

    private func takeID(_ text: String, _ user: inout User) throws {
        guard !text.isEmpty else { return }
        guard let id = UUIDText.normal(text) else { throw GoTrueError.invalid("ID must conform to the uuid v4 format") }
        guard id != "00000000-0000-0000-0000-000000000000" else { throw GoTrueError.invalid("ID cannot be a nil uuid") }
        user.id = id
    }

    private func finish(_ user: inout User, _ asked: AdminUserBody, _ context: RequestContext) throws {
        var identities: [Identity] = []
        if !user.email.isEmpty {
            identities.append(try context.accounts.makeIdentity(of: user, "email", Identity.data(of: user.id, email: user.email)))
        }
        if !user.phone.isEmpty {
            identities.append(try context.accounts.makeIdentity(of: user, "phone", Identity.data(of: user.id, phone: user.phone)))
        }
        user.identities = identities
        if asked.confirmsEmail { try context.accounts.confirmEmail(&user) }
        if asked.confirmsPhone { try context.accounts.confirmPhone(&user) }
        var traits = user.auditTraits
        traits["provider"] = .string(identities.first?.provider ?? "")
        try context.auditLog.recordAdministrator(.signedUp, of: user, traits: traits)
    }
}

/// The body of an administrator's request about a user.
struct AdminUserBody {
    static let shape = BodySchema.go("AdminUserParams", ["id": .text, "aud": .text, "role": .text, "email": .text, "phone": .text, "password": .text, "password_hash": .text, "email_confirm": .flag, "phone_confirm": .flag, "user_metadata": .object, "app_metadata": .object, "ban_duration": .text])

    let body: Body

    init(_ request: EmulatorRequest) throws(GoTrueError) { body = try Body(of: request, as: Self.shape) }

    var userMetadata: JSONObject? { body.object("user_metadata") }
    var appMetadata: JSONObject? { body.object("app_metadata") }
    var confirmsEmail: Bool { (body.flag("email_confirm") ?? false) }
    var confirmsPhone: Bool { (body.flag("phone_confirm") ?? false) }

    /// The end of a ban from `now` on; the outer `nil` where the body has none, the inner one lifts a ban.
    func ban(from now: Instant) throws(GoTrueError) -> Instant?? {
        let text = body[text: "ban_duration"]
        if text.isEmpty { return nil }
        if text == "none" { return .some(nil) }
        do {
            let duration = try GoDuration.parse(text)
            return .some(duration == .zero ? nil : now + duration)
        } catch {
            throw GoTrueError.invalid("invalid format for ban duration: \(error.message)")
        }
    }
}

/// Answers `POST /invite`.
struct InviteEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("InviteParams", ["email": .text, "data": .object])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let body = try Body(of: context.request, as: Self.shape)
        let email = try Address.email(body[text: "email"])
        var user: User
        if let known = try context.db.user(email: email, audience: context.audience) {
            guard !known.isEmailConfirmed else { throw GoTrueError.emailTaken }
            user = known
        } else {
            user = context.accounts.blank()
            user.email = email
            user.setProviders(["email"])
            user.userMetadata = body.object("data") ?? [:]
            try context.hooks.askBeforeCreating(user)
            try context.accounts.create(user)
            user.identities = [try context.accounts.makeIdentity(of: user, "email", Identity.data(of: user.id, email: email))]
        }
        try context.auditLog.recordAdministrator(.invited, of: user, traits: ["user_email": .string(user.email)])
        try context.mailer.sendInvite(to: &user)
        return .go(user.json)
    }
}
