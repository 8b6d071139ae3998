public import LockstepContracts

/// The observations of one journey on one provider.
public struct JourneyRun: Sendable, Hashable {
    /// The observations, in order.
    public var observations: [Observation]
    /// What went over the wire.
    public var totals: RequestTotals
    /// The client's state at the end, in one word.
    public var state: String?
    /// Why the journey failed; `nil` if it completed.
    public var problem: String?
    /// The configuration of the backend that it was walked on.
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

    /// The observed value of a name.
    public subscript(name: String) -> String? { observations.first { $0.name == name }?.value }
}

/// One observation on a journey: the name is the same for all providers, so that values can stand side by side.
public struct Observation: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String
    /// How many requests it took.
    public var requests: Int
}
