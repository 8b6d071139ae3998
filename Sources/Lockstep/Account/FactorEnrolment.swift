public import LockstepPrimitives

/// A second factor that is being added: the data for the user's first answer.
public struct FactorEnrolment: Sendable, Hashable {
    /// What to answer; the factor is active from then on.
    public var challenge: Challenge
    /// The key for an authenticator app, in base 32; shown only now.
    public var key: Secret?
    /// The same as a URI (`otpauth:`), to be shown as a QR code.
    public var uri: Secret?

    /// An enrolment.
    public init(challenge: Challenge, key: Secret? = nil, uri: Secret? = nil) {
        self.challenge = challenge
        self.key = key
        self.uri = uri
    }
}
