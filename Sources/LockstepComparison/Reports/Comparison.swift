public import LockstepContracts

/// The same journeys on several providers, side by side, as they were seen in one run.
public struct Comparison: Sendable {
    /// One journey on all of them.
    public struct Row: Sendable {
        /// Which journey.
        public let journey: Journey
        /// The observations, in the order of the providers.
        public let runs: [JourneyRun]
        /// What differs.
        public let differences: [Difference]
    }

    /// The providers' names, in order.
    public let providers: [String]
    /// The journeys, in order.
    public let rows: [Row]

    /// Walks `journeys` on every harness, the providers at the same time.
    ///
    /// - Parameter progress: is called before each journey of each provider.
    public static func run(
        _ journeys: [Journey], on harnesses: [any Harness],
        progress: @escaping @Sendable (_ provider: String, _ journey: Journey) -> Void = { _, _ in }
    ) async -> Comparison {
        // One journey after another on a provider, so that the times of a journey are its own.
        let columns = await withTaskGroup(of: (Int, [JourneyRun]).self) { group in
            for (column, harness) in harnesses.enumerated() {
                group.addTask {
                    var runs: [JourneyRun] = []
                    for journey in journeys {
                        progress(harness.name, journey)
                        runs.append(await journey.run(on: harness))
                    }
                    return (column, runs)
                }
            }
            return await group.reduce(into: [Int: [JourneyRun]]()) { $0[$1.0] = $1.1 }
        }
        let names = harnesses.map(\.name)
        return Comparison(
            providers: names,
            rows: journeys.enumerated().map { row, journey in
                let runs = harnesses.indices.compactMap { columns[$0]?[row] }
                return Row(journey: journey, runs: runs, differences: Difference.all(in: journey, runs, names))
            })
    }

    /// The journeys that broke off, with why.
    public var problems: [(provider: String, journey: String, reason: String)] {
        rows.flatMap { row in
            zip(providers, row.runs).compactMap { provider, run in run.problem.map { (provider, row.journey.id, $0) } }
        }
    }
}
