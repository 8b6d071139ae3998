public import LockstepContracts

/// The observations of one journey on one provider.
public struct JourneyRun: Sendable, Hashable {
    /// The observations, in order.
    public var observations: [Observation]
    /// The totals of the requests.
    public var totals: RequestTotals
    /// The client's state at the end, in one word.
    public var state: String?
    /// The reason for a failure; `nil` if the journey completed.
    public var problem: String?
    /// The configuration of the backend.
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

    /// The observed value with a name.
    public subscript(name: String) -> String? { observations.first { $0.name == name }?.value }
}

/// An observation on a journey.
///
/// The name is the same for all providers, so that values can be compared.
public struct Observation: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String
    /// The number of requests that it needed.
    public var requests: Int
}
