internal import LockstepContracts
internal import Synchronization

/// A record of a journey's observations, even if the journey stops early.
final class JourneyRecord: Sendable {
    private struct State {
        var observations: [Observation] = []
        var totals = RequestTotals()
        var state: String?
    }

    private let state = Mutex(State())

    func note(_ observation: Observation) {
        state.withLock { $0.observations.append(observation) }
    }

    func end(_ word: String, _ totals: RequestTotals?) {
        state.withLock { state in
            state.state = word
            state.totals = totals ?? RequestTotals()
        }
    }

    func run(on configuration: String, problem: String?) -> JourneyRun {
        state.withLock { state in
            JourneyRun(
                observations: state.observations, totals: state.totals, state: state.state, problem: problem,
                configuration: configuration)
        }
    }
}
