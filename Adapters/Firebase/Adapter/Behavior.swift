public import Lockstep

extension FirebaseAdapter {
    /// What a project does that protects its users' addresses, as new ones do.
    ///
    /// Sessions that end by a new password and those that an administrator ends are refused alike (`TOKEN_EXPIRED`).
    public static let behavior = ProviderBehavior(
        signUpProof: .required, knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .likeKnown,
        unknownAddressAtLink: .createsAccount, unknownAddressAtReset: .likeKnown, olderProofAfterResend: .lives,
        usedLink: .refused,
        newDevice: .trusted, nonce: .checkedWhenPresent, accessTokenAfterSignOut: .livesUntilExpiry,
        refreshTokenAfterSignOut: .lives, sessionOfDeletedUser: .userDeleted, sessionOfDisabledUser: .userDisabled,
        endedSession: .revoked, sessionAfterNewPassword: .revoked, sessionWithSpentToken: .goesOn)

    /// What an older project does, where that protection is off.
    public static let conductWithoutProtection: ProviderBehavior = {
        var behavior = FirebaseAdapter.behavior
        behavior.unknownAddressAtSignIn = .told
        behavior.unknownAddressAtReset = .told
        return behavior
    }()
}
