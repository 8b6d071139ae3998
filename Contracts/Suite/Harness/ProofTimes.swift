/// The time limits for codes and links, from the configuration of the backend.
///
/// A limit is `nil` if the backend does not have this limit.
public struct ProofTimes: Sendable, Hashable {
    /// The lifetime of a code or a link in an email.
    public var emailLife: Duration?
    /// The minimum time between two emails to a user.
    public var emailInterval: Duration?
    /// The lifetime of a code in an SMS.
    public var smsLife: Duration?
    /// The minimum time between two SMS to a user.
    public var smsInterval: Duration?
    /// The lifetime of a second factor's code in a message.
    public var factorLife: Duration?

    /// Creates time limits.
    ///
    /// - Parameters:
    ///   - emailLife: The lifetime of a code or a link in an email.
    ///   - emailInterval: The minimum time between two emails to a user.
    ///   - smsLife: The lifetime of a code in an SMS.
    ///   - smsInterval: The minimum time between two SMS to a user.
    ///   - factorLife: The lifetime of a second factor's code in a message.
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
