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
        JSONObject(given: [
            "localId": localID, "email": email, "emailVerified": emailVerified, "displayName": displayName, "photoUrl": photoURL,
            "passwordHash": shownHash(view), "salt": view == .own ? nil : password?.salt,
            "version": view == .export && password != nil && password?.scheme == nil ? Int64(0) : nil,
            "passwordUpdatedAt": passwordUpdatedAt?.milliseconds, "providerUserInfo": JSON.list(identities),
            "validSince": validSince.map { String($0) }, "disabled": isDisabled, "lastLoginAt": lastLoginAt.map { String($0) },
            "createdAt": createdAt.map { String($0) }, "lastRefreshAt": lastRefreshAt?.rfc3339,
            "customAuth": isCustomAuth ? true : nil, "customAttributes": customAttributes, "phoneNumber": phoneNumber,
            "emailLinkSignin": signsInByLink, "initialEmail": initialEmail, "tenantId": tenantID, "screenName": screenName,
            "mfaInfo": JSON.list(factors?.map { view == .seed ? $0.jsonWithSecret : $0.json }),
            "passkeyInfo": JSON.list(passkeys),
        ]).json
    }

    /// The hash as a view has it.
    func shownHash(_ view: View) -> String? { password.map { view == .own ? Self.redactedHash : $0.hash } }
}
