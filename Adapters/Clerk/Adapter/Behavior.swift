public import Lockstep

extension ClerkAdapter {
    /// The behavior of an instance with Clerk's default settings: it tells whether an address is known, and asks for a code on a
    /// new device (“client trust”, on since November 2025).
    ///
    /// Its own calls send the client's token, which is the session's refresh token; only the app's servers get session tokens
    /// (Frontend API, `Authorization`).
    ///
    /// An administrator's action ends sessions without a reason. A new password ends them only where the request asks for that
    /// (`sign_out_of_other_sessions`).
    ///
    /// A user who has a password sets another with the current one only (`form_param_missing`, `current_password`).
    ///
    /// A user has one authenticator app (`totp_already_enabled`), and adding it proves no session anew (`fva`).
    ///
    /// Bot protection asks for a captcha at sign-ups (`captcha_token` of FAPI `createSignUps`).
    public static let behavior = ProviderBehavior(
        signUpProof: .required, knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .told, unknownAddressAtLink: .told,
        unknownAddressWithoutAccount: .told, unknownAddressAtReset: .told, olderProofAfterResend: .dies, usedLink: .refused,
        newDevice: .asksForCode, callbackOfAnotherFlow: .refusedByBackend, nonce: .ignored,
        tokenOfCalls: .refreshToken,
        accessTokenAfterSignOut: .livesUntilExpiry, refreshTokenAfterSignOut: .dies, sessionOfDeletedUser: .revoked,
        sessionOfDisabledUser: .revoked, endedSession: .revoked, sessionAfterNewPassword: .goesOn, sessionWithSpentToken: .goesOn,
        sessionAfterLostRefresh: .goesOn, sessionsAfterPasswordChange: .revoked,
        sessionAfterReset: .revoked, authenticatorApps: .one, addedFactor: .countsFromTheNextSignIn,
        currentPassword: .required, captcha: .signUp)

    /// The behavior of an instance that trusts new devices, as older ones do.
    public static let behaviorWithoutTrust: ProviderBehavior = {
        var trusting = ClerkAdapter.behavior
        trusting.newDevice = .trusted
        return trusting
    }()

    /// The behavior of an instance that trusts new devices and protects addresses against enumeration.
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
