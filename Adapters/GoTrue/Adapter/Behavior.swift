public import Lockstep

extension GoTrueAdapter {
    /// The behavior of a project with GoTrue's default settings, by which a new password needs no new sign-in
    /// (`SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`).
    ///
    /// The server takes Apple's word for every address, also where a token says that it is not verified.
    ///
    /// Deleting the user, a new password and a sign-out elsewhere delete the session's row: its tokens are then unknown.
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

    /// The behavior of a project that confirms addresses by itself (`MAILER_AUTOCONFIRM`): it cannot hide known addresses.
    public static let behaviorWhenConfirmingByItself: ProviderBehavior = {
        var behavior = GoTrueAdapter.behavior
        behavior.signUpProof = .automatic
        behavior.knownAddressAtSignUp = .refused
        return behavior
    }()
}
