internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A change of address, confirmed from one or both addresses.
struct EmailChange {
    let context: RequestContext

    /// Handles a confirmation.
    ///
    /// - Returns: Whether the change is complete.
    func confirm(_ user: inout User, hash: String) throws -> Bool {
        let needsBoth =
            !context.settings.mail.confirmsByItself && context.settings.mail.securesChange && user.emailChangeStatus == 0
            && !user.email.isEmpty
        guard needsBoth else {
            try apply(&user)
            return true
        }
        user.emailChangeStatus = 1
        // The code of a flow with a proof key does not match the link's hash. It stays valid, as on the real server.
        if hash == user.emailChangeCurrentHash {
            user.emailChangeCurrentHash = ""
            try context.db.clearOneTimeTokens(of: user.id, .emailChangeCurrent)
        } else if hash == user.emailChangeNewHash {
            user.emailChangeNewHash = ""
            try context.db.clearOneTimeTokens(of: user.id, .emailChangeNew)
        }
        try context.users.save(&user)
        return false
    }

    /// Applies the new address.
    func apply(_ user: inout User) throws {
        let address = user.emailChange
        try context.users.setIdentity("email", to: address, isVerified: true, of: &user)
        user.isAnonymous = false
        user.email = address
        user.emailChange = ""
        user.emailChangeCurrentHash = ""
        user.emailChangeNewHash = ""
        user.emailChangeStatus = 0
        try context.users.save(&user, orSay: "Error confirm email")
        try context.db.clearOneTimeTokens(of: user.id)
        if !user.isEmailConfirmed { try context.users.confirmEmail(&user) }
        try context.auditLog.record(.modified, user)
    }
}

/// Applies a change of number after a correct code.
struct PhoneChange {
    let context: RequestContext

    func apply(_ user: inout User) throws {
        try context.users.setIdentity("phone", to: user.phoneChange, isVerified: true, of: &user)
        user.phone = user.phoneChange
        user.phoneChange = ""
        user.phoneChangeSlot.hash = ""
        user.phoneConfirmedAt = context.now
        user.isAnonymous = false
        try context.users.save(&user)
        try context.db.clearOneTimeTokens(of: user.id)
        try context.auditLog.record(.modified, user)
    }
}
