internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Checks the links and codes that were sent, and applies what they verify.
struct Verification {
    let context: RequestContext

    static let halfConfirmed = "Confirmation link accepted. Please proceed to confirm link sent to the other email"

    /// Returns the user of a valid link; `email` becomes the link's own type.
    func user(byLink verification: inout SentProof) throws -> User {
        let hash = verification.hash
        let found: User?
        switch verification.type {
        case "email": found = try context.db.user(linkHash: hash, [.confirmation, .recovery])
        case "signup", "invite": found = try context.db.user(linkHash: hash, [.confirmation])
        case "recovery", "magiclink": found = try context.db.user(linkHash: hash, [.recovery])
        case "email_change": found = try context.db.user(linkHash: hash, [.emailChangeCurrent, .emailChangeNew])
        default: throw GoTrueError.invalid("Invalid email verification type")
        }
        guard let user = found else { throw GoTrueError.badLink }
        if user.isBanned(at: context.now) { throw GoTrueError.banned }
        if verification.type == "email" { verification.type = user.recovery.hash == hash ? "magiclink" : "signup" }
        let sentAt =
            switch verification.type {
            case "signup", "invite": user.confirmation.sentAt
            case "email_change": user.emailChangeSentAt
            default: user.recovery.sentAt
            }
        guard let sentAt, context.now < sentAt + context.settings.mail.codeLife else { throw GoTrueError.badLink }
        return user
    }

    /// The user of a code.
    func user(byCode verification: inout SentProof) throws -> User {
        let isPhone = ["sms", "phone_change"].contains(verification.type)
        verification.hash = CodeHash.of(verification.phone.isEmpty ? verification.email : verification.phone, verification.token)
        guard let user = try owner(of: verification) else { throw GoTrueError.badCode }
        if user.isBanned(at: context.now) { throw GoTrueError.banned }
        if isPhone, context.settings.sms.testCode(for: verification.phone, at: context.now) == verification.token { return user }
        let life = isPhone ? context.settings.sms.codeLife : context.settings.mail.codeLife
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
        guard let hit = slots.first(where: { VerifyCode.isGood(verification.hash, $0.slot, life: life, at: context.now) }) else {
            throw GoTrueError.badCode
        }
        verification.type = hit.type
        return user
    }

    private func owner(of verification: SentProof) throws -> User? {
        switch verification.type {
        case "phone_change":
            guard !verification.phone.isEmpty else { return nil }
            return try context.db.user("phone_change = \(verification.phone) AND aud = \(context.audience)")
        case "sms": return try context.db.user(phone: verification.phone, audience: context.audience)
        case "email_change":
            let hashes = [verification.hash, CodeHash.proofPrefix + verification.hash]
            for hash in hashes {
                if let user = try context.db.user(linkHash: hash, [.emailChangeCurrent]), user.email == verification.email {
                    return user
                }
            }
            for hash in hashes {
                if let user = try context.db.user(linkHash: hash, [.emailChangeNew]), user.emailChange == verification.email {
                    return user
                }
            }
            return nil
        default: return try context.db.user(email: verification.email, audience: context.audience)
        }
    }

    /// Applies a valid link or code.
    ///
    /// - Returns: `nil` after the first half of a change of address.
    func accept(_ verification: SentProof, by found: User) throws -> User? {
        var user = found
        switch verification.type {
        case "signup", "invite": try acceptSignUp(&user)
        case "recovery", "magiclink":
            user.recovery.hash = ""
            try context.users.save(&user)
            try context.db.clearOneTimeTokens(of: user.id)
            if user.isEmailConfirmed {
                try context.auditLog.record(.login, user)
            } else {
                try context.users.confirmEmail(&user)
                try context.auditLog.record(.signedUp, user, traits: ["provider": "email"])
            }
        case "email_change":
            guard try EmailChange(context: context).confirm(&user, hash: verification.hash) else { return nil }
        case "sms":
            user.isAnonymous = false
            try context.users.confirmPhone(&user)
            try context.auditLog.record(.signedUp, user, traits: ["provider": "phone"])
        case "phone_change": try PhoneChange(context: context).apply(&user)
        default: throw GoTrueError.invalid("Unsupported verification type")
        }
        try context.users.updateProviders(&user)
        return try context.users.reload(user)
    }

    private func acceptSignUp(_ user: inout User) throws {
        if !user.hasPassword, user.invitedAt != nil {
            try context.users.updatePassword(&user, hash: Passwords.unknown, keeping: nil)
        }
        try context.users.confirmEmail(&user)
        for identity in try context.db.identities(of: user.id) where identity.email != nil && identity.email == user.email {
            var identity = identity
            identity.data["email_verified"] = true
            try context.db.update(identity)
        }
        try context.auditLog.record(.signedUp, user, traits: ["provider": "email"])
    }
}

/// The link or code to verify, as it was sent back.
struct SentProof: Sendable {
    var type: String
    var token = ""
    var hash = ""
    var email = ""
    var phone = ""
}
