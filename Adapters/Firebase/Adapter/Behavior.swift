public import Lockstep

extension FirebaseAdapter {
    /// The behavior of a project with email enumeration protection, which new projects have.
    ///
    /// If a session ends because of a new password or an administrator, Firebase returns the same error (`TOKEN_EXPIRED`).
    /// `accounts:signInWithEmailLink` verifies the address of an account, and keeps its `passwordHash`, which still signs in.
    /// `accounts:signInWithIdp` with the same address removes it (recording `link-signin-password-user`, of Firebase's own
    /// emulator).
    public static let behavior = ProviderBehavior(
        signUpProof: .required, knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .likeKnown,
        unknownAddressAtLink: .createsAccount, unknownAddressWithoutAccount: .createsAccount, unknownAddressAtReset: .likeKnown,
        olderProofAfterResend: .lives,
        usedLink: .refused, usedTicket: .taken,
        newDevice: .trusted, nonce: .checkedWhenPresent, accessTokenAfterSignOut: .livesUntilExpiry,
        refreshTokenAfterSignOut: .lives, sessionOfDeletedUser: .userDeleted, sessionOfDisabledUser: .userDisabled,
        endedSession: .revoked, sessionAfterNewPassword: .revoked, sessionWithSpentToken: .goesOn, sessionAfterReplay: .goesOn,
        sessionAfterLostRefresh: .goesOn, sessionsAfterPasswordChange: .revoked, sessionAfterAddressChange: .revoked,
        takenAddressAtChange: .sameAsNew, sessionAfterReset: .revoked, passwordOfUnprovenAccount: .first,
        strangersPassword: .works, passkeyUse: .untold)

    /// The behavior of an older project without email enumeration protection.
    public static let behaviorWithoutProtection: ProviderBehavior = {
        var behavior = FirebaseAdapter.behavior
        behavior.unknownAddressAtSignIn = .told
        behavior.unknownAddressAtReset = .told
        behavior.takenAddressAtChange = .refused
        return behavior
    }()
}
