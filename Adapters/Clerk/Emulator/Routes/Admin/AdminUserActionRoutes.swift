import LockstepEmulation
import LockstepPrimitives

/// An administrator's actions on a user: bans, locks, verifications, removals.
struct AdminUserActionRoutes {
    let context: RequestContext

    func ban(_ isBanned: Bool) throws -> Answer {
        var user = try context.namedUser()
        try setBanned(&user, isBanned)
        return .resource(try context.privateJSON(user))
    }

    func banAll(_ isBanned: Bool) throws -> Answer {
        guard let ids = try context.fields.texts("user_ids") else { throw ClerkError.missing("user_ids") }
        return .resource(
            .array(
                try ids.map { id in
                    var user = try context.user(id)
                    try setBanned(&user, isBanned)
                    return try context.privateJSON(user)
                }))
    }

    func lock() throws -> Answer {
        try change { context.lockout.lock(&$0) }
    }

    func unlock() throws -> Answer {
        try change { context.lockout.succeed(&$0) }
    }

    /// 422 for a wrong password: the response has no other details.
    func verifyPassword() throws -> Answer {
        let user = try context.namedUser()
        guard let isRight = try context.matches(try context.fields.required("password"), user) else {
            throw ClerkError.noPassword
        }
        guard isRight else { throw ClerkError.incorrectPassword }
        return .resource(["verified": true])
    }

    /// Checks a code of the authenticator app, or a backup code, which is then used up.
    func verifyTOTP() throws -> Answer {
        let user = try context.namedUser()
        let code = try context.fields.required("code")
        guard user.isTOTPVerified, let secret = user.totpSecret else { throw ClerkError.noSecondFactors("totp") }
        if TOTP(secret: secret).accepts(code, at: context.now) { return .resource(["verified": true, "code_type": "totp"]) }
        if try context.secondFactors.spendBackupCode(code, of: user) {
            return .resource(["verified": true, "code_type": "backup_code"])
        }
        throw code.count == 6 ? ClerkError.wrongTOTP : ClerkError.totpLength
    }

    func removePassword() throws -> Answer {
        var user = try context.namedUser()
        guard user.passwordDigest != nil else { throw ClerkError.noPassword }
        try context.passwords.remove(from: &user)
        return .resource(try context.privateJSON(user))
    }

    func setCompromised(_ isCompromised: Bool) throws -> Answer {
        var user = try context.namedUser()
        guard user.passwordDigest != nil else { throw ClerkError.noPassword }
        user.isPasswordCompromised = isCompromised
        try context.users.save(&user)
        if try context.fields.flag("revoke_all_sessions") == true { try context.sessions.revokeAll(of: user) }
        return .resource(try context.privateJSON(user))
    }

    /// Every second factor.
    func removeFactors() throws -> Answer {
        _ = try change { user in
            user.totpSecret = nil
            user.isTOTPVerified = false
            try context.db.run(
                "UPDATE identifications SET second_factor = 0, default_second_factor = 0 WHERE user_id = \(user.id)")
            try context.secondFactors.settle(&user)
        }
        return .resource(["user_id": .string(context.piece("user_id"))])
    }

    func removeTOTP() throws -> Answer {
        _ = try change { user in
            user.totpSecret = nil
            user.isTOTPVerified = false
            try context.secondFactors.settle(&user)
        }
        return .resource(["user_id": .string(context.piece("user_id"))])
    }

    func removeBackupCodes() throws -> Answer {
        let user = try context.namedUser()
        try context.db.run("DELETE FROM backup_codes WHERE user_id = \(user.id)")
        return .resource(["user_id": .string(user.id)])
    }

    func removeExternalAccount() throws -> Answer {
        let user = try context.namedUser()
        let id = context.piece("external_account_id")
        let count = try context.db.run("DELETE FROM external_accounts WHERE id = \(id) AND user_id = \(user.id)")
        guard count == 1 else { throw ClerkError.notFound(id) }
        return .resource(["object": "external_account", "id": .string(id), "deleted": true])
    }

    func removePasskey() throws -> Answer {
        let user = try context.namedUser()
        let id = context.piece("passkey_id")
        let count = try context.db.run("DELETE FROM passkeys WHERE id = \(id) AND user_id = \(user.id)")
        guard count == 1 else { throw ClerkError.notFound(id) }
        return .resource(["object": "passkey", "id": .string(id), "deleted": true])
    }

    /// Returns the providers' own tokens after a redirect; if an account has no token, an error is returned.
    func accessTokens() throws -> Answer {
        let user = try context.namedUser()
        let text = context.piece("provider")
        let name = text.hasPrefix("oauth_") ? String(text.dropFirst(6)) : text
        guard context.settings.providers.contains(where: { $0.name == name }) else { throw ClerkError.tokenProviderDisabled }
        let accounts = try context.users.externalAccounts(of: user).filter {
            $0.provider == name && $0.verification?.isVerified == true
        }
        return .resource(
            .array(
                try accounts.map { account in
                    guard let token = account.accessToken else { throw ClerkError.accessTokenMissing }
                    return [
                        "object": "oauth_access_token", "external_account_id": .string(account.id),
                        "provider_user_id": .string(account.subject ?? ""), "token": .string(token), "expires_at": nil,
                        "provider": .string("oauth_\(name)"), "public_metadata": [:], "label": nil,
                        "scopes": .strings(account.scopes.pieces(at: " ").map(String.init)),
                    ]
                }))
    }

    func setImage() throws -> Answer {
        let file = try context.file("file")
        return try change { user in
            user.imageURL = try context.images.store(file, replacing: user.imageURL).url
        }
    }

    func removeImage() throws -> Answer {
        try change { user in
            guard let url = user.imageURL else { throw ClerkError.imageNotFound }
            try context.images.delete(url)
            user.imageURL = nil
        }
    }

    /// Bans a user, and signs the user out everywhere.
    private func setBanned(_ user: inout UserRecord, _ isBanned: Bool) throws {
        user.isBanned = isBanned
        try context.users.save(&user)
        if isBanned { try context.sessions.revokeAll(of: user) }
    }

    private func change(_ body: (inout UserRecord) throws -> Void) throws -> Answer {
        var user = try context.namedUser()
        try body(&user)
        try context.users.save(&user)
        return .resource(try context.privateJSON(user))
    }
}
