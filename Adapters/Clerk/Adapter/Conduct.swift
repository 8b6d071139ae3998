public import Lockstep

extension ClerkAdapter {
    /// What an instance does as Clerk sets it up by default: it tells whether an address is known, and trusts a new device after a code.
    public static let conduct = Conduct(
        signUpProof: .required, knownAddressAtSignUp: .refused, unknownAddressAtSignIn: .told, unknownAddressAtLink: .told,
        unknownAddressAtReset: .told, olderProofAfterResend: .dies, usedLink: .refused, newDevice: .asksForCode, nonce: .ignored,
        accessTokenAfterSignOut: .livesUntilExpiry, refreshTokenAfterSignOut: .dies)
}
