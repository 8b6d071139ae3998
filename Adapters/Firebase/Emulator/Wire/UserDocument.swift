internal import LockstepEmulation
internal import LockstepPrimitives

extension User {
    /// The visible parts of a user.
    enum View {
        /// Everything: to administrators, and by Firebase's emulator to every caller.
        case whole
        /// As production shows users to themselves: `passwordHash` says only that there is a password.
        case own
        /// Everything, and the secrets of time-based factors: to administrators of emulator mode who read all users.
        case seed
        /// Everything, and `version`, without which `firebase auth:export` drops the hashes.
        case export
    }

    /// Production's replacement for a hash: `REDACTED` in base 64.
    static let redactedHash = "UkVEQUNURUQ="

    /// The user as `UserInfo`.
    func json(_ view: View) -> JSON {
        var members: JSONObject = ["localId": .string(localID)]
        func put(_ name: String, _ text: String?) { members[name] = text.map(JSON.string) }
        put("email", email)
        members["emailVerified"] = emailVerified.map(JSON.bool)
        put("displayName", displayName)
        put("photoUrl", photoURL)
        if let password {
            put("passwordHash", view == .own ? Self.redactedHash : password.hash)
            if view != .own { put("salt", password.salt) }
            if view == .export, password.scheme == nil { members["version"] = 0 }
        }
        members["passwordUpdatedAt"] = passwordUpdatedAt.map { .int($0.milliseconds) }
        members["providerUserInfo"] = identities.map { .array($0.map(\.json)) }
        put("validSince", validSince.map { String($0) })
        members["disabled"] = isDisabled.map(JSON.bool)
        put("lastLoginAt", lastLoginAt.map { String($0) })
        put("createdAt", createdAt.map { String($0) })
        put("lastRefreshAt", lastRefreshAt?.rfc3339)
        if isCustomAuth { members["customAuth"] = true }
        put("customAttributes", customAttributes)
        put("phoneNumber", phoneNumber)
        members["emailLinkSignin"] = signsInByLink.map(JSON.bool)
        put("initialEmail", initialEmail)
        put("tenantId", tenantID)
        put("screenName", screenName)
        members["mfaInfo"] = factors.map { .array($0.map(view == .seed ? \.jsonWithSecret : \.json)) }
        members["passkeyInfo"] = passkeys.map { .array($0.map(\.json)) }
        return .object(members)
    }
}
