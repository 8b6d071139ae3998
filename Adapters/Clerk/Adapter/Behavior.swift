public import Lockstep

extension ClerkAdapter {
    /// What an instance does as Clerk sets it up by default: it tells whether an address is known, and asks for a code on a new
    /// device (“client trust”, on since November 2025).
    ///
    /// Its own calls show the client's token, which is the session's refresh token; only the app's servers are shown session tokens
    /// (Frontend API, `Authorization`).
    ///
    /// Whatever an administrator does ends sessions and gives no reason. A new password ends them only where that is asked for
    /// beside it (`sign_out_of_other_sessions`).
    public static let behavior = ProviderBehavior(
        signUpProof: .required, knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .told, unknownAddressAtLink: .told,
        unknownAddressAtReset: .told, olderProofAfterResend: .dies, usedLink: .refused, newDevice: .asksForCode, nonce: .ignored,
        tokenOfCalls: .refreshToken,
        accessTokenAfterSignOut: .livesUntilExpiry, refreshTokenAfterSignOut: .dies, sessionOfDeletedUser: .revoked,
        sessionOfDisabledUser: .revoked, endedSession: .revoked, sessionAfterNewPassword: .goesOn, sessionWithSpentToken: .goesOn)

    /// What an instance does that trusts new devices, as older ones do.
    public static let conductWithoutTrust: ProviderBehavior = {
        var trusting = ClerkAdapter.behavior
        trusting.newDevice = .trusted
        return trusting
    }()

    /// What an instance does that trusts new devices and protects addresses against enumeration.
    public static let conductWithProtection: ProviderBehavior = {
        var protected = ClerkAdapter.conductWithoutTrust
        protected.knownAddressAtSignUp = .sameAsNew
        protected.unknownAddressAtSignIn = .likeKnown
        protected.unknownAddressAtLink = .likeKnown
        protected.unknownAddressAtReset = .likeKnown
        return protected
    }()
}
