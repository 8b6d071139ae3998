internal import LockstepEmulation
internal import LockstepPrimitives

/// The payload of each hook, and the effect of its answer.
extension Turn {
    mutating func callSMSHook(_ hook: HookSettings.Hook, _ code: String, to phone: String, _ user: User, isFactor: Bool) throws {
        var message: JSONObject = ["otp": .string(code)]
        if isFactor { message["sms_type"] = "mfa" }
        message["phone"] = .string(phone)
        _ = try call(hook, .sendSMS, ["user": .object(user.json), "sms": .object(message)], occasion: code)
    }

    /// One call for a message, also where it goes to two addresses: the real server then swaps the pairs of codes and hashes.
    mutating func callEmailHook(
        _ hook: HookSettings.Hook, _ action: String, _ user: User, code: String, hash: String, newCode: String = "",
        newHash: String = "", notice: JSONObject = [:]
    ) throws {
        var data: JSONObject = [
            "token": .string(code), "token_hash": .string(hash), "redirect_to": .string(target),
            "email_action_type": .string(action), "site_url": .string(core.base), "token_new": .string(newCode),
            "token_hash_new": .string(newHash), "old_email": "", "old_phone": "", "provider": "", "factor_type": "",
        ]
        for (name, value) in notice { data[name] = value }
        _ = try call(hook, .sendEmail, ["user": .object(user.json), "email_data": .object(data)], occasion: action)
    }

    /// Lets the hook change the claims of an access token.
    mutating func hooked(_ claims: JSONObject, user: User, method: AuthenticationMethod?) throws -> JSONObject {
        guard let hook = settings.hooks.customAccessToken else { return claims }
        let answer = try call(
            hook, .customAccessToken,
            [
                "user_id": .string(user.id), "claims": .object(claims),
                "authentication_method": .string(method?.rawValue ?? "token_refresh"),
            ])
        guard let changed = answer["claims"] else {
            throw GoTrueError(status: 500, form: .hook, message: "output claims field is missing")
        }
        guard let changed = changed.object else { throw GoTrueError.failure("Error unmarshaling JSON output.") }
        try ClaimsSchema.check(changed)
        return changed.sorted()
    }

    /// Asks the hook whether a user may be made; it sees the user before the row exists.
    mutating func askBeforeCreating(_ user: User) throws {
        guard let hook = settings.hooks.beforeUserCreated else { return }
        var object = user.json
        object["role"] = ""
        object["identities"] = []
        object["created_at"] = "0001-01-01T00:00:00Z"
        object["updated_at"] = "0001-01-01T00:00:00Z"
        _ = try call(hook, .beforeUserCreated, ["user": .object(object)])
    }

    /// Notifies the hook of a password attempt.
    ///
    /// - Returns: The hook's refusal; it may have ended the user's sessions.
    mutating func askAboutPassword(of user: User, isRight: Bool) throws -> (message: String, endsSessions: Bool)? {
        guard let hook = settings.hooks.passwordVerification else { return nil }
        let answer = try call(hook, .passwordVerification, ["user_id": .string(user.id), "valid": .bool(isRight)])
        guard let message = Self.rejection(answer, "Further password verification attempts will be rejected.") else { return nil }
        return (message, answer["should_logout_user"]?.bool ?? false)
    }

    /// Notifies the hook of an attempt at a second factor.
    ///
    /// - Returns: The message of its refusal.
    mutating func askAboutFactor(_ factor: Factor, of user: User, isRight: Bool) throws -> String? {
        guard let hook = settings.hooks.factorVerification else { return nil }
        let answer = try call(
            hook, .factorVerification,
            [
                "user_id": .string(user.id), "factor_id": .string(factor.id), "factor_type": .string(factor.kind.rawValue),
                "valid": .bool(isRight),
            ])
        return Self.rejection(answer, "Further MFA verification attempts will be rejected.")
    }

    private static func rejection(_ answer: JSON, _ usual: String) -> String? {
        guard answer["decision"]?.string == "reject" else { return nil }
        let message = answer["message"]?.string ?? ""
        return message.isEmpty ? usual : message
    }
}
