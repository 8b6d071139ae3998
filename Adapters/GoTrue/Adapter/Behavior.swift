public import Lockstep

extension GoTrueAdapter {
    /// What a project does as GoTrue is set up by default.
    ///
    /// Sessions are rows that go with their user, with a new password, and with a sign-out elsewhere: their tokens are then unknown.
    public static let behavior = ProviderBehavior(
        signUpProof: .required, knownAddressAtSignUp: .sameAsNew, unknownAddressAtSignIn: .likeKnown,
        unknownAddressAtLink: .createsAccount, unknownAddressAtReset: .likeKnown, olderProofAfterResend: .dies,
        usedLink: .refused,
        newDevice: .trusted, nonce: .checkedWhenPresent, accessTokenAfterSignOut: .dies, refreshTokenAfterSignOut: .dies,
        sessionOfDeletedUser: .revoked, sessionOfDisabledUser: .userDisabled, endedSession: .revoked,
        sessionAfterNewPassword: .revoked, sessionWithSpentToken: .refreshReuse)

    /// What a project does that confirms addresses by itself (`MAILER_AUTOCONFIRM`): nothing is left to hide who is known.
    public static let conductWhenConfirmingByItself: ProviderBehavior = {
        var behavior = GoTrueAdapter.behavior
        behavior.signUpProof = .automatic
        behavior.knownAddressAtSignUp = .refused
        return behavior
    }()
}
