internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /invite`.
struct InviteEndpoint: Endpoint {
    static let shape = BodyShape("InviteParams", [("email", .text), ("data", .object)])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let body = try Body(of: context.request, as: Self.shape)
        let email = try Address.email(body[text: "email"])
        var user: User
        if let known = try context.db.user(email: email, audience: context.audience) {
            guard !known.isEmailConfirmed else { throw GoTrueError.emailTaken }
            user = known
        } else {
            user = User(id: context.uuid(), audience: context.audience, role: context.settings.tokens.role, at: context.now)
            user.email = email
            user.appMetadata = ["provider": "email", "providers": ["email"]]
            user.mergeUserMetadata(body[object: "data"] ?? [:])
            try context.hooks.askBeforeCreating(user)
            try context.accounts.create(user)
            user.identities = [try context.accounts.makeIdentity(of: user, "email", Identity.data(of: user.id, email: email))]
        }
        try context.auditLog.recordAdministrator(.invited, of: user, traits: ["user_email": .string(user.email)])
        try context.mailer.sendInvite(to: &user)
        return .go(user.json)
    }
}
