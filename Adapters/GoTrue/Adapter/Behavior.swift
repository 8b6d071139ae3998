public import Lockstep

extension GoTrueAdapter {
    /// The behavior of a project with GoTrue's default settings.
    ///
    /// By default, a user can set a new password without a new sign-in
    /// (`SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`). The server treats every email address from Apple as
    /// verified, even if the token says that the address is unverified. If the user is deleted, gets a new password or
    /// signs out elsewhere, the server deletes the row of the session. The server then no longer knows the tokens of
    /// the session. If a spent refresh token is sent again, the server marks every refresh token of the session as revoked
    /// (`SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`), unless the newest token replaced this one (a lost response), or the
    /// reuse interval has not passed.
    ///
    /// For an unconfirmed address, `/otp` sends the message of a sign-up and keeps the password of the account, so this
    /// password works after the confirmation (`internal/api/magic_link.go` and `signup.go`). A sign-in with an identity and
    /// the same address removes the password.
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
        strangersPassword: .works, unverifiedAddressOfIDToken: .countsAsProven, passwordChangeOnOldSession: .goesOn)

    /// The behavior of a project that confirms email addresses automatically (`MAILER_AUTOCONFIRM`).
    ///
    /// With this setting, a project cannot hide which addresses have an account.
    public static let behaviorWhenConfirmingByItself: ProviderBehavior = {
        var behavior = GoTrueAdapter.behavior
        behavior.signUpProof = .automatic
        behavior.knownAddressAtSignUp = .refused
        return behavior
    }()
}
