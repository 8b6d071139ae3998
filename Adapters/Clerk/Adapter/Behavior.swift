public import Lockstep

extension ClerkAdapter {
    /// The behavior of an instance with Clerk's default settings.
    ///
    /// The instance reveals whether an email address has an account, and requires a code on a new device ("client
    /// trust", the default since November 2025). If bot protection is on, a sign-up requires a captcha (`captcha_token`
    /// of FAPI `createSignUps`).
    ///
    /// The client sends the client token, which is the session's refresh token, to Clerk. Session tokens are only for
    /// the app's servers (Frontend API, `Authorization`). If an administrator ends a session, Clerk's response contains
    /// no reason. The client object lists the sessions that have not ended (`getClient`), so it decides about a session
    /// after a 401. When a user sets a new password, the other sessions end only if the request contains
    /// `sign_out_of_other_sessions`. A sign-up makes no user and reserves no address until it is complete (`createSignUps`),
    /// so a stranger leaves no password behind.
    ///
    /// To change a password, the user must enter the current password (`form_param_missing`, `current_password`). A
    /// user can have one authenticator app (`totp_already_enabled`). After the user has added the authenticator app,
    /// the current session still has only one factor (`fva`).
    public static let behavior = ProviderBehavior(
        signUpProof: .required, knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .told, unknownAddressAtLink: .told,
        unknownAddressWithoutAccount: .told, unknownAddressAtReset: .told, olderProofAfterResend: .dies, usedLink: .refused,
        newDevice: .asksForCode, callbackOfAnotherFlow: .refusedByBackend, nonce: .ignored,
        tokenOfCalls: .refreshToken,
        accessTokenAfterSignOut: .livesUntilExpiry, refreshTokenAfterSignOut: .dies, sessionOfDeletedUser: .revoked,
        sessionOfDisabledUser: .revoked, endedSession: .revoked, refusedCredential: .asksBackend,
        sessionAfterNewPassword: .goesOn, sessionWithSpentToken: .goesOn, sessionAfterReplay: .goesOn,
        sessionAfterLostRefresh: .goesOn, sessionsAfterPasswordChange: .revoked,
        sessionAfterReset: .revoked, authenticatorApps: .one, addedFactor: .countsFromTheNextSignIn,
        currentPassword: .required, captcha: .signUp)

    /// The behavior of an instance that trusts new devices, as older instances do.
    public static let behaviorWithoutTrust: ProviderBehavior = {
        var trusting = ClerkAdapter.behavior
        trusting.newDevice = .trusted
        return trusting
    }()

    /// The behavior of an instance that trusts new devices and has enumeration protection.
    public static let behaviorWithProtection: ProviderBehavior = {
        var protected = ClerkAdapter.behaviorWithoutTrust
        protected.knownAddressAtSignUp = .sameAsNew
        protected.unknownAddressAtSignIn = .likeKnown
        protected.unknownAddressAtLink = .likeKnown
        protected.unknownAddressWithoutAccount = .likeKnown
        protected.unknownAddressAtReset = .likeKnown
        return protected
    }()
}
