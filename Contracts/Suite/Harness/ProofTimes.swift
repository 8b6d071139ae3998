/// The backend's own times of the proofs that it sends, as its configuration has them; what is `nil` it does not have.
public struct ProofTimes: Sendable, Hashable {
    /// How long a code or a link lives that was sent by mail.
    public var emailLife: Duration?
    /// The shortest time between two emails to one user.
    public var emailInterval: Duration?
    /// How long a code lives that was sent by SMS.
    public var smsLife: Duration?
    /// The shortest time between two SMS to one user.
    public var smsInterval: Duration?
    /// How long the code of a second factor lives that was sent.
    public var factorLife: Duration?

    /// Times; what is left out the backend does not have.
    public init(
        emailLife: Duration? = nil, emailInterval: Duration? = nil, smsLife: Duration? = nil, smsInterval: Duration? = nil,
        factorLife: Duration? = nil
    ) {
        self.emailLife = emailLife
        self.emailInterval = emailInterval
        self.smsLife = smsLife
        self.smsInterval = smsInterval
        self.factorLife = factorLife
    }
}
