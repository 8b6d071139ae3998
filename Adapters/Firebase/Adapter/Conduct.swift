public import Lockstep

extension FirebaseAdapter {
    /// What a project does that protects its users' addresses, as new ones do.
    ///
    /// Sessions that end by a new password and those that an administrator ends are refused alike (`TOKEN_EXPIRED`).
    public static let conduct = Conduct(
        signUpProof: .required, knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .likeKnown,
        unknownAddressAtLink: .createsAccount, unknownAddressAtReset: .likeKnown, olderProofAfterResend: .lives,
        usedLink: .refused,
        newDevice: .trusted, nonce: .checkedWhenPresent, accessTokenAfterSignOut: .livesUntilExpiry,
        refreshTokenAfterSignOut: .lives, sessionOfDeletedUser: .userDeleted, sessionOfDisabledUser: .userDisabled,
        endedSession: .revoked, sessionAfterNewPassword: .revoked, sessionWithSpentToken: .goesOn)

    /// What an older project does, where that protection is off.
    public static let conductWithoutProtection: Conduct = {
        var conduct = FirebaseAdapter.conduct
        conduct.unknownAddressAtSignIn = .told
        conduct.unknownAddressAtReset = .told
        return conduct
    }()
}
