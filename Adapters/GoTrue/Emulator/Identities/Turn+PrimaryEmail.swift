internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    /// Gives a user the address of one of its identities, unless it has one of them.
    ///
    /// A proven address comes before others, an older one before a newer one. What was sent before is void then.
    ///
    /// - Returns: Whether there was one that no other user has.
    func updateEmail(_ user: inout User, _ db: inout SQLiteConnection) throws -> Bool {
        let identities = try db.identities(of: user.id)
        if identities.contains(where: { ($0.email ?? "") == user.email }) { return true }
        let ranks = Dictionary(grouping: identities, by: Self.rank)
        for identity in [0, 1, 2].flatMap({ ranks[$0] ?? [] }) {
            let address = identity.email ?? ""
            if !address.isEmpty, try db.user(email: address, audience: user.audience) != nil { continue }
            user.email = address
            user.voidWhatWasSent()
            try db.clearOneTimeTokens(of: user.id)
            if address.isEmpty || !identity.isEmailVerified && !settings.mail.confirmsByItself {
                user.emailConfirmedAt = nil
                user.mergeUserMetadata(["email_verified": false])
            }
            try save(&user, &db)
            return true
        }
        return false
    }

    private static func rank(_ identity: Identity) -> Int {
        identity.email?.isEmpty != false ? 2 : identity.isEmailVerified ? 0 : 1
    }
}
