internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A mail with a link and a code: a magic link for confirmed users, a sign-up for all others.
struct MagicLink {
    var email: String
    var data: JSONObject
    var proof: ProofKey?

    static func checkSettings(_ turn: Turn) throws {
        guard turn.settings.signIn.allowsEmail else {
            throw GoTrueError.unprocessable(.emailProviderDisabled, "Email logins are disabled")
        }
        guard turn.settings.signIn.allowsMagicLink else {
            throw GoTrueError.unprocessable(.emailProviderDisabled, "Login with magic link is disabled")
        }
    }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try Self.checkSettings(turn)
        let address = try Address.email(email)
        var known = try db.user(email: address, audience: turn.audience)
        if known?.isEmailConfirmed != true {
            guard !turn.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
            let outcome = try turn.signUp(NewAccount(email: address, data: data, proof: proof), &db)
            guard case .confirmed(let user) = outcome else { return .go([:] as JSONObject) }
            known = try turn.reload(user, &db)
        }
        guard var user = known else { throw GoTrueError.unhandled }
        if let proof { try turn.startFlow("magiclink", .magicLink, proof, of: user, &db) }
        try turn.sendRecovery(.magicLink, to: &user, proof, &db)
        try turn.audit(.recoveryRequested, user, &db)
        return .go([:] as JSONObject)
    }
}
