public import LockstepContracts
public import LockstepEmulation
public import LockstepPrimitives

/// The error responses of a provider, which a test uses as faults of an emulator.
public struct FaultForms: Sendable {
    /// The requests of each kind.
    ///
    /// ``FaultTarget/any`` may be missing.
    public var requests: [FaultTarget: RequestMatch]
    /// Returns an error response of the provider with a code.
    public var refusal: @Sendable (_ code: String, _ status: Int) -> EmulatorResponse
    /// Returns an error response of the provider with a code and a sentence.
    public var sentence: @Sendable (_ code: String, _ sentence: String, _ status: Int) -> EmulatorResponse
    /// Returns the response that the provider sends if there are too many requests.
    public var rateLimit: @Sendable (_ retryAfter: Duration) -> EmulatorResponse
    /// A JSON body whose members have wrong types, for requests of every kind.
    public var wrongTypes: JSON
    /// Returns a response in which the provider requires the step with this name; `nil` if the provider does not name steps.
    public var unknownStep: (@Sendable (_ name: String) -> EmulatorResponse)?
    /// The codes and statuses with which the provider rejects the credential of one request.
    ///
    /// Only adapters that can ask the provider about a session need them (`ProviderBehavior.refusedCredential`). Default: none.
    public var credentialRefusals: [(code: String, status: Int)]
    /// The names of response members that contain access tokens and refresh tokens.
    ///
    /// Default: the names of OAuth and of the providers in this package.
    public var tokenNames: Set<String> = [
        "access_token", "refresh_token", "id_token", "idToken", "refreshToken", "jwt", "access", "refresh",
    ]

    /// Creates the errors of a provider.
    ///
    /// - Parameters:
    ///   - requests: The requests of each kind.
    ///   - rateLimit: Returns the response to too many requests, with the waiting time.
    ///   - wrongTypes: A JSON body whose members have wrong types.
    ///   - credentialRefusals: The codes and statuses with which the provider rejects the credential of one request. Default: none.
    ///   - unknownStep: Returns a response that requires the step with the given name; `nil` if the provider does not name steps.
    public init(
        requests: [FaultTarget: RequestMatch], refusal: @escaping @Sendable (String, Int) -> EmulatorResponse,
        sentence: @escaping @Sendable (String, String, Int) -> EmulatorResponse,
        rateLimit: @escaping @Sendable (Duration) -> EmulatorResponse, wrongTypes: JSON,
        credentialRefusals: [(code: String, status: Int)] = [],
        unknownStep: (@Sendable (String) -> EmulatorResponse)? = nil
    ) {
        self.requests = requests
        self.refusal = refusal
        self.sentence = sentence
        self.rateLimit = rateLimit
        self.wrongTypes = wrongTypes
        self.credentialRefusals = credentialRefusals
        self.unknownStep = unknownStep
    }
}
