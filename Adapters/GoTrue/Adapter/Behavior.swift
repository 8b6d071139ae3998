public import Lockstep

extension GoTrueAdapter {
    /// The behavior of a project with GoTrue's default settings: a new password requires no new sign-in
    /// (`SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`).
    ///
    /// The server treats every email address from Apple as verified, even if the token says that it is not.
    ///
    /// Deleting the user, a new password, and a sign-out elsewhere delete the row of the session. Then its tokens are
    /// unknown.
    public static let behavior = ProviderBehavior(
        signUpProof: .required, knownAddressAtSignUp: .sameAsNew, unknownAddressAtSignIn: .likeKnown,
        unknownAddressAtLink: .createsAccount, unknownAddressWithoutAccount: .told, unknownAddressAtReset: .likeKnown,
        olderProofAfterResend: .dies, usedLink: .refused,
        newDevice: .trusted, callbackOfAnotherFlow: .refusedByBackend, nonce: .checkedWhenPresent, accessTokenAfterSignOut: .dies,
        refreshTokenAfterSignOut: .dies,
        sessionOfDeletedUser: .revoked, sessionOfDisabledUser: .userDisabled, endedSession: .revoked,
        sessionAfterNewPassword: .revoked, sessionWithSpentToken: .refreshReuse,
        sessionAfterLostRefresh: .goesOn, sessionsAfterPasswordChange: .revoked,
        sessionAfterReset: .revoked, scannedLink: .spent, passwordOfUnprovenAccount: .first,
        unverifiedAddressOfIDToken: .countsAsProven, passwordChangeOnOldSession: .goesOn)

    /// The behavior of a project that confirms email addresses automatically (`MAILER_AUTOCONFIRM`).
    ///
    /// It cannot hide known addresses.
    public static let behaviorWhenConfirmingByItself: ProviderBehavior = {
        var behavior = GoTrueAdapter.behavior
        behavior.signUpProof = .automatic
        behavior.knownAddressAtSignUp = .refused
        return behavior
    }()
}
