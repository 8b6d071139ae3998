public import LockstepContracts
public import LockstepEmulation
public import LockstepPrimitives

/// The form of faults in the responses of a provider.
public struct FaultForms: Sendable {
    /// The requests for each target; ``FaultTarget/any`` may be absent.
    public var requests: [FaultTarget: RequestMatch]
    /// Returns an error in the provider's form.
    public var refusal: @Sendable (_ code: String, _ status: Int) -> EmulatorResponse
    /// Returns an error in the provider's form, with a sentence.
    public var sentence: @Sendable (_ code: String, _ sentence: String, _ status: Int) -> EmulatorResponse
    /// Returns the provider's error for too many requests.
    public var rateLimit: @Sendable (_ retryAfter: Duration) -> EmulatorResponse
    /// A response with members of wrong types, for every kind of request.
    public var wrongTypes: JSON
    /// Returns a step with this name in the provider's form; `nil` if the provider does not name steps.
    public var unknownStep: (@Sendable (_ name: String) -> EmulatorResponse)?
    /// The members of responses that contain access tokens and refresh tokens.
    ///
    /// Default: the names of OAuth and of the providers in this package.
    public var tokenNames: Set<String> = [
        "access_token", "refresh_token", "id_token", "idToken", "refreshToken", "jwt", "access", "refresh",
    ]

    /// Creates the forms of a provider.
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
