public import LockstepContracts

/// The observations on one journey with one provider.
public struct JourneyRun: Sendable, Hashable {
    /// The observations, in order.
    public var observations: [Observation]
    /// The totals of the requests.
    public var totals: RequestTotals
    /// The state of the client at the end, in one word.
    public var state: String?
    /// The reason why the journey failed; `nil` if it completed.
    public var problem: String?
    /// The name of the backend's configuration.
    public var configuration: String

    init(
        observations: [Observation], totals: RequestTotals = RequestTotals(), state: String? = nil, problem: String?,
        configuration: String
    ) {
        self.observations = observations
        self.totals = totals
        self.state = state
        self.problem = problem
        self.configuration = configuration
    }

    /// The value of an observation; `nil` if there is no such observation.
    public subscript(name: String) -> String? { observations.first { $0.name == name }?.value }
}

/// An observation on a journey: a name and a value.
///
/// The name is the same for all providers, so that values can be compared.
public struct Observation: Sendable, Hashable {
    /// The name of the observation.
    public var name: String
    /// The observed value.
    public var value: String
    /// The number of requests that were sent for this observation.
    public var requests: Int
}
