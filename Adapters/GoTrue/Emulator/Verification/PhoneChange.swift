internal import LockstepPrimitives
internal import LockstepSQLite

/// Applies a change of number, once its code was right.
struct PhoneChange {
    func apply(_ user: inout User, _ turn: Turn, _ db: inout SQLiteConnection) throws {
        if var identity = try db.identity(subject: user.id, provider: "phone") {
            User.merge(["phone": .string(user.phoneChange), "phone_verified": true], into: &identity.data)
            try db.save(identity)
        } else {
            let data = Identity.data(of: user.id, phone: user.phoneChange, isVerified: true)
            user.identities = (user.identities ?? []) + [try turn.makeIdentity(of: user, "phone", data, &db)]
        }
        user.phone = user.phoneChange
        user.phoneChange = ""
        user.phoneChangeSlot.hash = ""
        user.phoneConfirmedAt = turn.now
        user.isAnonymous = false
        try turn.save(&user, &db)
        try db.clearOneTimeTokens(of: user.id)
        try turn.audit(.modified, user, &db)
    }
}
