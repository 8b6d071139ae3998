internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /invite`.
struct InviteEndpoint: Endpoint {
    static let shape = BodyShape("InviteParams", [("email", .text), ("data", .object)])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let body = try Body(of: turn.request, as: Self.shape)
        let email = try Address.email(body[text: "email"])
        var user: User
        if let known = try db.user(email: email, audience: turn.audience) {
            guard !known.isEmailConfirmed else { throw GoTrueError.emailTaken }
            user = known
        } else {
            user = User(id: turn.uuid(), audience: turn.audience, role: turn.settings.tokens.role, at: turn.now)
            user.email = email
            user.appMetadata = ["provider": "email", "providers": ["email"]]
            user.mergeUserMetadata(body[object: "data"] ?? [:])
            try turn.askBeforeCreating(user)
            try turn.create(user, &db)
            user.identities = [try turn.makeIdentity(of: user, "email", Identity.data(of: user.id, email: email), &db)]
        }
        try turn.auditAdministrator(.invited, of: user, &db, traits: ["user_email": .string(user.email)])
        try turn.sendInvite(to: &user, &db)
        return .go(user.json)
    }
}
