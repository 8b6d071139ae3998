package import LockstepContracts

/// A comparison of providers, with the same journeys on each provider and the statements of the adapters.
package struct Comparison: Sendable {
    /// A journey with its results on all providers.
    package struct Row: Sendable {
        /// The journey.
        package let journey: Journey
        /// The observations with each provider, in the platform's default configuration of a new project.
        package let runs: [JourneyRun]
        /// The differences between the providers.
        package let differences: [Difference]
        /// The observations in other configurations, in the order of the providers; empty if they were not requested.
        let settings: [[JourneyRun]]
    }

    /// The names of the providers, in order.
    package let providers: [String]
    /// The display names of the providers, in the same order.
    package let titles: [String]
    /// The configurations of each provider, with the statements of its adapter.
    ///
    /// The first configuration is the platform's default configuration of a new project. Each other configuration changes a
    /// setting.
    package let configurations: [[Configuration]]
    /// The journeys with their results, in order.
    package let rows: [Row]
    /// The effects on an installed app of each switch that was tried.
    package let moves: [Move]

    init(
        providers: [String], titles: [String]? = nil, configurations: [[Configuration]], rows: [Row], moves: [Move] = []
    ) {
        self.providers = providers
        self.titles = titles ?? providers
        self.configurations = configurations
        self.rows = rows
        self.moves = moves
    }

    /// Creates a comparison of the statements of adapters, without journeys.
    package init(declaring providers: [(name: String, configurations: [Configuration])]) {
        self.init(providers: providers.map(\.name), configurations: providers.map(\.configurations), rows: [])
    }

    /// Runs journeys on every harness, with all providers at the same time.
    ///
    /// - Parameters:
    ///   - isMove: Whether the app moves from the first harness to the second. If so, the comparison also tries the switch,
    ///     and runs the journeys in every configuration. The report can then name the settings that cause a change.
    ///   - triesEveryMove: Whether to try the switch in every direction, for the costs of all moves.
    ///   - progress: A closure that is called before each journey of each provider.
    /// - Returns: The comparison.
    package static func run(
        _ journeys: [Journey], on harnesses: [any Harness], isMove: Bool = false, triesEveryMove: Bool = false,
        progress: @escaping @Sendable (_ provider: String, _ journey: Journey) -> Void = { _, _ in }
    ) async -> Comparison {
        // One journey after another on a provider, so that the times of a journey are its own.
        let columns = await inOrder(harnesses) { harness in
            var runs: [JourneyRun] = []
            for journey in journeys {
                progress(harness.name, journey)
                runs.append(await journey.run(on: harness))
            }
            return runs
        }
        let settings = await inOrder(isMove ? harnesses : []) { harness in
            await inOrder(Array(harness.comparedVariants.dropFirst())) { variant in
                var runs: [JourneyRun] = []
                for journey in journeys { runs.append(await journey.run(on: harness, variant)) }
                return runs
            }
        }
        let ends = isMove && harnesses.count == 2 ? [(0, 1)] : []
        let every = harnesses.indices.flatMap { from in harnesses.indices.filter { $0 != from }.map { (from, $0) } }
        let pairs = (triesEveryMove ? every : ends).map { (source: harnesses[$0], target: harnesses[$1]) }
        let (names, titles) = (harnesses.map(\.name), harnesses.map(\.title))
        let configurations = await inOrder(harnesses) { await declarations(of: $0) }
        return Comparison(
            providers: names, titles: titles, configurations: configurations,
            rows: journeys.enumerated().map { row, journey in
                let runs = columns.map { $0[row] }
                return Row(
                    journey: journey, runs: runs,
                    differences: Difference.all(
                        in: journey, runs,
                        names.indices.map { Difference.Provider(names[$0], titles[$0], configurations[$0].first) }),
                    settings: settings.map { variants in variants.map { $0[row] } })
            },
            moves: await inOrder(pairs) { await Move.tried(from: $0.source, to: $0.target) })
    }

    /// Returns the declarations of a provider in each configuration, including its adapter's capabilities.
    private static func declarations(of harness: any Harness) async -> [Configuration] {
        await inOrder(harness.comparedVariants) { variant in
            let seen = SeenCapabilities()
            try? await harness.withEnvironment(variant) { await seen.note($0.adapter.capabilities) }
            return Configuration(variant, await seen.value)
        }
    }

    /// Runs `work` concurrently, and returns the results in the order of the elements.
    private static func inOrder<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ work: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        let values = await withTaskGroup(of: (Int, Value).self) { group in
            for (place, element) in elements.enumerated() { group.addTask { (place, await work(element)) } }
            return await group.reduce(into: [Int: Value]()) { $0[$1.0] = $1.1 }
        }
        return elements.indices.compactMap { values[$0] }
    }

    /// Returns the display name of a provider.
    package func title(of provider: String) -> String { zip(providers, titles).first { $0.0 == provider }?.1 ?? provider }

    /// The journeys that failed, with the reasons.
    package var problems: [(provider: String, journey: String, reason: String)] {
        rows.flatMap { row in
            zip(titles, row.runs).compactMap { provider, run in run.problem.map { (provider, row.journey.id, $0) } }
        }
            + moves.compactMap { move in
                move.problem.map { ("\(title(of: move.source)) to \(title(of: move.target))", "move", $0) }
            }
    }
}

private actor SeenCapabilities {
    private(set) var value: Set<Capability> = []

    func note(_ capabilities: Set<Capability>) { value = capabilities }
}
