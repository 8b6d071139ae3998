package import LockstepContracts

/// The observations on one journey with one provider.
package struct JourneyRun: Sendable, Hashable {
    /// The observations, in order.
    package var observations: [Observation]
    /// The totals of the requests.
    package var totals: RequestTotals
    /// The state of the client at the end, in one word.
    package var state: String?
    /// The reason why the journey failed; `nil` if it completed.
    package var problem: String?
    /// The name of the backend's configuration.
    package var configuration: String

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
    package subscript(name: String) -> String? { observations.first { $0.name == name }?.value }
}

/// An observation on a journey: a name and a value.
///
/// The name is the same for all providers, so that values can be compared.
package struct Observation: Sendable, Hashable {
    /// The name of the observation.
    package var name: String
    /// The observed value.
    package var value: String
    /// The number of requests that were sent for this observation.
    package var requests: Int
}
