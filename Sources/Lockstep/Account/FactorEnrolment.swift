public import LockstepPrimitives

/// A second factor that is being added: what the user needs for the first answer.
public struct FactorEnrolment: Sendable, Hashable {
    /// What to answer; the factor counts from then on.
    public var challenge: Challenge
    /// The key that an authenticator app is given, in base 32; only told now.
    public var key: Secret?
    /// The same as an address (`otpauth:`), to be shown as a QR code.
    public var uri: Secret?

    /// An enrolment.
    public init(challenge: Challenge, key: Secret? = nil, uri: Secret? = nil) {
        self.challenge = challenge
        self.key = key
        self.uri = uri
    }
}
