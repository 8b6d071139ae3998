import Lockstep

/// The simulation of the session machine, by seeds: every seed is a separate simulation.
///
/// The seed decides the kind of backend, and whether two or three processes share the store.
package enum SessionSimulation {
    /// A run in which an invariant failed.
    package struct Failure: Sendable, CustomStringConvertible {
        /// The seed of the run.
        package let seed: UInt64
        /// The invariant that failed.
        package let violation: String
        /// The shortest failing schedule that was found.
        package let schedule: Schedule
        /// Its events, move by move.
        package let story: [String]

        /// The seed, the failed invariant, the trace, and the command that runs it again.
        package var description: String {
            """
            seed \(seed): \(violation)
            \(story.enumerated().map { "  \($0.offset + 1). \($0.element)" }.joined(separator: "\n"))
            replay: lockstep-lab torture --replay \(seed) \(schedule)
            """
        }
    }

    /// Runs the schedules of these seeds.
    ///
    /// - Returns: The first failure, with its shortest trace; `nil` if every invariant held.
    package static func run(seeds: Range<UInt64>) -> Failure? { run(seeds: seeds, flaw: nil) }

    static func run(seeds: Range<UInt64>, flaw: SimulatedStore.Flaw?) -> Failure? {
        for seed in seeds where violation(of: Schedule(seed: seed), seed, flaw) != nil {
            return failure(of: Schedule(seed: seed), seed, flaw)
        }
        return nil
    }

    /// Runs one schedule, as a failure prints it.
    package static func replay(_ schedule: Schedule, seed: UInt64) -> Failure? {
        violation(of: schedule, seed, nil) == nil ? nil : failure(of: schedule, seed, nil)
    }

    private static func world(of seed: UInt64, _ flaw: SimulatedStore.Flaw?, tellsStory: Bool = false) -> Simulation {
        let kinds = SimulatedBackend.Reuse.allCases
        let (rest, kind) = seed.quotientAndRemainder(dividingBy: UInt64(kinds.count))
        return Simulation(
            reuse: kinds[Int(kind)], processes: rest.isMultiple(of: 2) ? 2 : 3, flaw: flaw, tellsStory: tellsStory)
    }

    private static func violation(of schedule: Schedule, _ seed: UInt64, _ flaw: SimulatedStore.Flaw?) -> String? {
        world(of: seed, flaw).run(schedule)
    }

    private static func failure(of schedule: Schedule, _ seed: UInt64, _ flaw: SimulatedStore.Flaw?) -> Failure {
        let shortest = schedule.shrunk { violation(of: $0, seed, flaw) != nil }
        let told = Self.world(of: seed, flaw, tellsStory: true)
        let what = told.run(shortest) ?? ""
        return Failure(seed: seed, violation: what, schedule: shortest, story: told.story ?? [])
    }
}
