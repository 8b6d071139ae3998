internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrators' routes of users.
struct AdminUserRoutes {
    let context: RequestContext

    static let body = BodySchema.go(
        "AdminUserParams",
        [
            "id": .text, "aud": .text, "role": .text, "email": .text, "phone": .text, "password": .text,
            "password_hash": .text, "email_confirm": .flag, "phone_confirm": .flag, "user_metadata": .object,
            "app_metadata": .object, "ban_duration": .text,
        ])
    static let deletionBody = BodySchema.go("adminUserDeleteParams", ["should_soft_delete": .flag])
    static let invitationBody = BodySchema.go("InviteParams", ["email": .text, "data": .object])

    /// Handles `GET /admin/users`.
    func list() throws -> EmulatorResponse {
        let page = try Page(context.request)
        let isAscending = try Self.isAscending(context.request.query["sort"])
        let audience = context.audience
        let (users, count) = try UserList(context: context).page(
            of: audience, matching: context.request.query["filter"] ?? "", isAscending: isAscending, page)
        let elements = users.map { user -> JSON in
            var user = user
            user.identities = nil
            return .object(user.json)
        }
        let body: JSONObject = ["users": .array(elements), "aud": .string(audience)]
        return page.headed(.go(body), count: count, context.request)
    }

    private static func isAscending(_ text: String?) throws -> Bool {
        guard let text, !text.isEmpty else { return false }
        let pieces = text.pieces(at: " ", omittingEmptySubsequences: false)
        guard pieces[0] == "created_at" else {
            throw GoTrueError.invalid("Bad Sort Parameters: bad field for sort '\(pieces[0])'")
        }
        guard pieces.count > 1 else { return false }
        switch pieces[1].lowercased() {
        case "asc": return true
        case "desc": return false
        default:
            throw GoTrueError.invalid("Bad Sort Parameters: bad direction for sort '\(pieces[1])', only 'asc' and 'desc' allowed")
        }
    }

    /// Handles `GET /admin/users/{user_id}`.
    func show() throws -> EmulatorResponse { .go(try context.users.userOfPath().json) }

    /// Handles `POST /admin/users`.
    func create() throws -> EmulatorResponse {
        let body = try context.body
        guard !body[text: "email"].isEmpty || !body[text: "phone"].isEmpty else {
            throw GoTrueError.invalid("Cannot create a user without either an email or phone")
        }
        var user = context.users.blank()
        if let audience = body.given("aud") { user.audience = audience }
        try setAddresses(body, &user)
        user.passwordHash = try hash(body)
        try setID(body[text: "id"], &user)
        if let role = body.given("role") { user.role = role }
        user.setProviders([user.email.isEmpty ? nil : "email", user.phone.isEmpty ? nil : "phone"].compactMap { $0 })
        User.merge(body.object("app_metadata") ?? [:], into: &user.appMetadata)
        user.userMetadata = body.object("user_metadata") ?? (body[text: "password_hash"].isEmpty ? [:] : nil)
        if let ban = try ban(body) { user.bannedUntil = ban }
        do {
            try context.db.insert(user)
        } catch {
            throw GoTrueError.failure("Database error creating new user")
        }
        try finish(&user, body)
        return .go(user.json)
    }

    private func setAddresses(_ body: Body, _ user: inout User) throws {
        if let email = body.given("email") {
            user.email = try Address.email(email)
            if try context.db.owner(ofEmail: user.email, audience: user.audience) != nil { throw GoTrueError.emailTaken }
        }
        if let phone = body.given("phone") {
            user.phone = try Address.phone(phone)
            if try context.db.user(phone: user.phone, audience: user.audience) != nil { throw GoTrueError.phoneRegistered }
        }
    }

    private func hash(_ body: Body) throws -> String {
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
        // The real server panics here.
        guard password.utf8.count <= 72 else { throw GoTrueError.panic }
        return try context.passwords.hash(password)
    }

    private func setID(_ text: String, _ user: inout User) throws {
        guard !text.isEmpty else { return }
        guard let id = UUIDText.normal(text) else { throw GoTrueError.invalid("ID must conform to the uuid v4 format") }
        guard id != "00000000-0000-0000-0000-000000000000" else { throw GoTrueError.invalid("ID cannot be a nil uuid") }
        user.id = id
    }

    private func finish(_ user: inout User, _ body: Body) throws {
        var identities: [Identity] = []
        if !user.email.isEmpty {
            identities.append(try context.users.makeIdentity(of: user, "email", Identity.data(of: user.id, email: user.email)))
        }
        if !user.phone.isEmpty {
            identities.append(try context.users.makeIdentity(of: user, "phone", Identity.data(of: user.id, phone: user.phone)))
        }
        user.identities = identities
        if body.flag("email_confirm") == true { try context.users.confirmEmail(&user) }
        if body.flag("phone_confirm") == true { try context.users.confirmPhone(&user) }
        var traits = user.auditTraits
        traits["provider"] = .string(identities.first?.provider ?? "")
        try context.auditLog.recordAdministrator(.signedUp, of: user, traits: traits)
    }

    /// Returns the end of a ban that starts now.
    ///
    /// The outer `nil` means that the body has no ban; the inner `nil` lifts a ban.
    private func ban(_ body: Body) throws(GoTrueError) -> Instant?? {
        let text = body[text: "ban_duration"]
        if text.isEmpty { return nil }
        if text == "none" { return .some(nil) }
        do {
            let duration = try GoDuration.parse(text)
            return .some(duration == .zero ? nil : context.now + duration)
        } catch {
            throw GoTrueError.invalid("invalid format for ban duration: \(error.message)")
        }
    }

    /// Handles `PUT /admin/users/{user_id}`.
    func update() throws -> EmulatorResponse {
        var user = try context.users.userOfPath()
        let body = try context.body
        let email = try body.given("email").map(Address.email)
        let phone = try body.given("phone").map(Address.phone)
        let ban = try ban(body)
        let confirmsEmail = body.flag("email_confirm") == true
        let confirmsPhone = body.flag("phone_confirm") == true
        var hash: String?
        if let password = body.text("password") {
            try context.passwords.check(password)
            hash = try context.passwords.hash(password)
        }
        if let role = body.given("role") { user.role = role }
        if confirmsEmail { try context.users.confirmEmail(&user, orSay: "Error updating user") }
        if confirmsPhone { try context.users.confirmPhone(&user) }
        if let hash { try context.users.updatePassword(&user, hash: hash, keeping: nil) }
        if let email {
            try change("email", to: email, isConfirmed: confirmsEmail, &user)
            user.email = email
        }
        if let phone {
            try change("phone", to: phone, isConfirmed: confirmsPhone, &user)
            user.phone = phone
        }
        User.merge(body.object("app_metadata") ?? [:], into: &user.appMetadata)
        if let metadata = body.object("user_metadata") { user.mergeUserMetadata(metadata) }
        if let ban { user.bannedUntil = ban }
        try context.users.save(&user, orSay: "Error updating user")
        try context.auditLog.recordAdministrator(.modified, of: user, traits: user.auditTraits)
        return .go(user.json)
    }

    /// The identity of an address changes with the address; a response shows only a new identity.
    private func change(_ provider: String, to address: String, isConfirmed: Bool, _ user: inout User) throws {
        if isConfirmed { user.isAnonymous = false }
        try context.users.setIdentity(provider, to: address, isVerified: isConfirmed, of: &user)
    }

    /// Handles `DELETE /admin/users/{user_id}`.
    func delete() throws -> EmulatorResponse {
        let user = try context.users.userOfPath()
        let isSoft = try context.bodyIfSent.flag("should_soft_delete") == true
        try context.auditLog.recordAdministrator(.deleted, of: user, traits: user.auditTraits)
        if !isSoft {
            try context.db.delete(User.self, "id = \(user.id)")
        } else if user.deletedAt == nil {
            try SoftDeletion(context: context).delete(user)
        }
        return .go([:] as JSONObject)
    }

    /// Handles `POST /invite`.
    func invite() throws -> EmulatorResponse {
        let body = try context.body
        let email = try Address.email(body[text: "email"])
        var user: User
        if let known = try context.db.user(email: email, audience: context.audience) {
            guard !known.isEmailConfirmed else { throw GoTrueError.emailTaken }
            user = known
        } else {
            user = try context.signUps.registerUnproven(email, body.object("data") ?? [:])
        }
        try context.auditLog.recordAdministrator(.invited, of: user, traits: ["user_email": .string(user.email)])
        try context.mailer.sendInvite(to: &user)
        return .go(user.json)
    }
}
