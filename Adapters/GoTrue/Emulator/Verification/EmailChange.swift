internal import LockstepPrimitives
internal import LockstepSQLite

/// A change of address, confirmed from one side or from both.
struct EmailChange {
    let user: User

    /// Takes a confirmation.
    ///
    /// - Returns: Whether the change is complete.
    func confirm(_ user: inout User, hash: String, _ turn: Turn, _ db: inout SQLiteConnection) throws -> Bool {
        let needsBoth =
            !turn.settings.mail.confirmsByItself && turn.settings.mail.securesChange && user.emailChangeStatus == 0
            && !user.email.isEmpty
        guard needsBoth else {
            try apply(&user, turn, &db)
            return true
        }
        user.emailChangeStatus = 1
        // The code of a flow with a proof key does not match the link's hash, and stays valid, as in the real server.
        if hash == user.emailChangeCurrentHash {
            user.emailChangeCurrentHash = ""
            try db.clearOneTimeTokens(of: user.id, .emailChangeCurrent)
        } else if hash == user.emailChangeNewHash {
            user.emailChangeNewHash = ""
            try db.clearOneTimeTokens(of: user.id, .emailChangeNew)
        }
        try turn.save(&user, &db)
        return false
    }

    /// Applies the new address.
    func apply(_ user: inout User, _ turn: Turn, _ db: inout SQLiteConnection) throws {
        let address = user.emailChange
        if var identity = try db.identity(subject: user.id, provider: "email") {
            User.merge(["email": .string(address), "email_verified": true], into: &identity.data)
            try db.save(identity)
        } else {
            let data = Identity.data(of: user.id, email: address, isVerified: true)
            user.identities = (user.identities ?? []) + [try turn.makeIdentity(of: user, "email", data, &db)]
        }
        user.isAnonymous = false
        user.email = address
        user.emailChange = ""
        user.emailChangeCurrentHash = ""
        user.emailChangeNewHash = ""
        user.emailChangeStatus = 0
        try turn.save(&user, &db, orSay: "Error confirm email")
        try db.clearOneTimeTokens(of: user.id)
        if !user.isEmailConfirmed { try turn.confirmEmail(&user, &db) }
        try turn.audit(.modified, user, &db)
    }
}
