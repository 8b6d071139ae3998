public import LockstepContracts
public import LockstepEmulation
public import LockstepPrimitives

/// How faults look on the wire of one provider.
public struct FaultForms: Sendable {
    /// Which requests are meant by a target; ``FaultTarget/any`` need not be there.
    public var requests: [FaultTarget: RequestMatch]
    /// A refusal in the provider's form.
    public var refusal: @Sendable (_ code: String, _ status: Int) -> EmulatorResponse
    /// A refusal in the provider's form, with a sentence.
    public var sentence: @Sendable (_ code: String, _ sentence: String, _ status: Int) -> EmulatorResponse
    /// The provider's code for too many requests, with the status that it has.
    public var rateLimit: @Sendable (_ retryAfter: Duration) -> EmulatorResponse
    /// A response whose members have other types than they should, for every kind of request.
    public var wrongTypes: JSON
    /// A step of the provider's form with this name; `nil` if the wire has no names for steps.
    public var unknownStep: (@Sendable (_ name: String) -> EmulatorResponse)?
    /// The names under which answers have access tokens and refresh tokens.
    ///
    /// Default: those of OAuth and of the providers here.
    public var tokenNames: Set<String> = [
        "access_token", "refresh_token", "id_token", "idToken", "refreshToken", "jwt", "access", "refresh",
    ]

    /// The forms of a provider.
    public init(
        requests: [FaultTarget: RequestMatch], refusal: @escaping @Sendable (String, Int) -> EmulatorResponse,
        sentence: @escaping @Sendable (String, String, Int) -> EmulatorResponse,
        rateLimit: @escaping @Sendable (Duration) -> EmulatorResponse, wrongTypes: JSON,
        unknownStep: (@Sendable (String) -> EmulatorResponse)? = nil
    ) {
        self.requests = requests
        self.refusal = refusal
        self.sentence = sentence
        self.rateLimit = rateLimit
        self.wrongTypes = wrongTypes
        self.unknownStep = unknownStep
    }
}
