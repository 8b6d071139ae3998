internal import LockstepEmulation
internal import LockstepPrimitives

extension User {
    /// The visible parts of a user.
    enum View {
        /// All members: for administrators, and in Firebase's emulator for every caller.
        case whole
        /// The members that production shows to users themselves: `passwordHash` shows only that there is a password.
        case own
        /// All members, and the secrets of time-based factors: for administrators who read all users in emulator mode.
        case seed
        /// All members, and `version`, without which `firebase auth:export` drops the hashes.
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

    /// Returns the hash as a view shows it.
    func shownHash(_ view: View) -> String? { password.map { view == .own ? Self.redactedHash : $0.hash } }
}
