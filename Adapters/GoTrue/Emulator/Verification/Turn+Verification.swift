internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    static let halfConfirmed = "Confirmation link accepted. Please proceed to confirm link sent to the other email"
    private static let badLink = GoTrueError.forbidden(.otpExpired, "Email link is invalid or has expired")
    private static let badCode = GoTrueError.forbidden(.otpExpired, "Token has expired or is invalid")

    /// The user of a valid link; `email` becomes the link's own type.
    func user(byLink verification: inout Verification, _ db: inout SQLiteConnection) throws -> User {
        let hash = verification.hash
        let found: User?
        switch verification.type {
        case "email": found = try db.user(linkHash: hash, [.confirmation, .recovery])
        case "signup", "invite": found = try db.user(linkHash: hash, [.confirmation])
        case "recovery", "magiclink": found = try db.user(linkHash: hash, [.recovery])
        case "email_change": found = try db.user(linkHash: hash, [.emailChangeCurrent, .emailChangeNew])
        default: throw GoTrueError.invalid("Invalid email verification type")
        }
        guard let user = found else { throw Self.badLink }
        if user.isBanned(at: now) { throw GoTrueError.banned }
        if verification.type == "email" { verification.type = user.recovery.hash == hash ? "magiclink" : "signup" }
        let sentAt =
            switch verification.type {
            case "signup", "invite": user.confirmation.sentAt
            case "email_change": user.emailChangeSentAt
            default: user.recovery.sentAt
            }
        guard let sentAt, now < sentAt + settings.mail.codeLife else { throw Self.badLink }
        return user
    }

    /// The user of a code.
    func user(byCode verification: inout Verification, _ db: inout SQLiteConnection) throws -> User {
        let isPhone = ["sms", "phone_change"].contains(verification.type)
        verification.hash = CodeHash.of(verification.phone.isEmpty ? verification.email : verification.phone, verification.token)
        guard let user = try owner(of: verification, &db) else { throw Self.badCode }
        if user.isBanned(at: now) { throw GoTrueError.banned }
        if isPhone, settings.sms.testCode(for: verification.phone, at: now) == verification.token { return user }
        let life = isPhone ? settings.sms.codeLife : settings.mail.codeLife
        let slots: [(slot: User.Slot, type: String)] =
            switch verification.type {
            case "email": [(user.confirmation, "signup"), (user.recovery, "magiclink")]
            case "signup", "invite", "sms": [(user.confirmation, verification.type)]
            case "recovery", "magiclink": [(user.recovery, verification.type)]
            case "email_change":
                [user.emailChangeCurrentHash, user.emailChangeNewHash].map {
                    (User.Slot(hash: $0, sentAt: user.emailChangeSentAt), "email_change")
                }
            case "phone_change": [(user.phoneChangeSlot, "phone_change")]
            default: []
            }
        guard let hit = slots.first(where: { VerifyCode.isGood(verification.hash, $0.slot, life: life, at: now) }) else {
            throw Self.badCode
        }
        verification.type = hit.type
        return user
    }

    private func owner(of verification: Verification, _ db: inout SQLiteConnection) throws -> User? {
        switch verification.type {
        case "phone_change":
            guard !verification.phone.isEmpty else { return nil }
            return try db.user("WHERE phone_change = \(verification.phone) AND aud = \(audience)")
        case "sms": return try db.user(phone: verification.phone, audience: audience)
        case "email_change":
            let hashes = [verification.hash, CodeHash.proofPrefix + verification.hash]
            for hash in hashes {
                if let user = try db.user(linkHash: hash, [.emailChangeCurrent]), user.email == verification.email { return user }
            }
            for hash in hashes {
                if let user = try db.user(linkHash: hash, [.emailChangeNew]), user.emailChange == verification.email {
                    return user
                }
            }
            return nil
        default: return try db.user(email: verification.email, audience: audience)
        }
    }

    /// Applies a valid link or code.
    ///
    /// - Returns: `nil` after the first half of a change of address.
    mutating func accept(_ verification: Verification, by found: User, _ db: inout SQLiteConnection) throws -> User? {
        var user = found
        switch verification.type {
        case "signup", "invite": try acceptSignUp(&user, &db)
        case "recovery", "magiclink":
            user.recovery.hash = ""
            try save(&user, &db)
            try db.clearOneTimeTokens(of: user.id)
            if user.isEmailConfirmed {
                try audit(.login, user, &db)
            } else {
                try confirmEmail(&user, &db)
                try audit(.signedUp, user, &db, traits: ["provider": "email"])
            }
        case "email_change":
            guard try EmailChange(user: user).confirm(&user, hash: verification.hash, self, &db) else { return nil }
        case "sms":
            user.isAnonymous = false
            try confirmPhone(&user, &db)
            try audit(.signedUp, user, &db, traits: ["provider": "phone"])
        case "phone_change": try PhoneChange().apply(&user, self, &db)
        default: throw GoTrueError.invalid("Unsupported verification type")
        }
        try updateProviders(&user, &db)
        return try reload(user, &db)
    }

    private mutating func acceptSignUp(_ user: inout User, _ db: inout SQLiteConnection) throws {
        if !user.hasPassword, user.invitedAt != nil {
            try updatePassword(&user, hash: Self.unknownPassword, keeping: nil, &db)
        }
        try confirmEmail(&user, &db)
        for identity in try db.identities(of: user.id) where identity.email != nil && identity.email == user.email {
            var identity = identity
            identity.data["email_verified"] = true
            try db.save(identity)
        }
        try audit(.signedUp, user, &db, traits: ["provider": "email"])
    }
}
