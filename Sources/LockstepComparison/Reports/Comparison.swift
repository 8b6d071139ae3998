public import LockstepContracts

/// The same journeys on several providers, side by side, as they were seen in one run, and what the providers declare.
public struct Comparison: Sendable {
    /// One journey on all of them.
    public struct Row: Sendable {
        /// Which journey.
        public let journey: Journey
        /// The observations in the configurations that the platforms begin with, in the order of the providers.
        public let runs: [JourneyRun]
        /// What differs.
        public let differences: [Difference]
        /// The observations in other configurations, in the order of the providers; empty if they were not asked for.
        let settings: [[JourneyRun]]
    }

    /// The providers' names, in order.
    public let providers: [String]
    /// The providers' names for people, in the same order.
    public let titles: [String]
    /// What each provider declares: the configuration that its platform begins with, then what settings change.
    public let configurations: [[Configuration]]
    /// The journeys, in order.
    public let rows: [Row]
    /// What an installed app sees when its backend is another one; `nil` if no move was asked for.
    public let move: Move?

    init(
        providers: [String], titles: [String]? = nil, configurations: [[Configuration]], rows: [Row], move: Move? = nil
    ) {
        self.providers = providers
        self.titles = titles ?? providers
        self.configurations = configurations
        self.rows = rows
        self.move = move
    }

    /// What providers declare, without a journey.
    public init(declaring providers: [(name: String, configurations: [Configuration])]) {
        self.init(providers: providers.map(\.name), configurations: providers.map(\.configurations), rows: [])
    }

    /// Walks `journeys` on every harness, the providers at the same time.
    ///
    /// - Parameters:
    ///   - isMove: whether the first harness is what an app moves from and the second what it moves to: the switch itself is tried
    ///     too, and the journeys are walked in every configuration, so that the report names the settings that change a row.
    ///   - progress: is called before each journey of each provider.
    public static func run(
        _ journeys: [Journey], on harnesses: [any Harness], isMove: Bool = false,
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
            move: isMove && harnesses.count == 2 ? await Move.tried(from: harnesses[0], to: harnesses[1]) : nil)
    }

    /// What a provider declares in each of its configurations; what its adapter can do depends on them too.
    private static func declarations(of harness: any Harness) async -> [Configuration] {
        await inOrder(harness.comparedVariants) { variant in
            let seen = SeenCapabilities()
            try? await harness.withEnvironment(variant) { await seen.note($0.adapter.capabilities) }
            return Configuration(variant, await seen.value)
        }
    }

    /// The results of `work`, done at the same time, in the order of the elements.
    private static func inOrder<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ work: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        let values = await withTaskGroup(of: (Int, Value).self) { group in
            for (place, element) in elements.enumerated() { group.addTask { (place, await work(element)) } }
            return await group.reduce(into: [Int: Value]()) { $0[$1.0] = $1.1 }
        }
        return elements.indices.compactMap { values[$0] }
    }

    /// The provider's name for people.
    public func title(of provider: String) -> String { zip(providers, titles).first { $0.0 == provider }?.1 ?? provider }

    /// The journeys that failed, each with its reason.
    public var problems: [(provider: String, journey: String, reason: String)] {
        rows.flatMap { row in
            zip(titles, row.runs).compactMap { provider, run in run.problem.map { (provider, row.journey.id, $0) } }
        } + (move?.problem.map { [(titles.listed, "move", $0)] } ?? [])
    }
}

private actor SeenCapabilities {
    private(set) var value: Set<Capability> = []

    func note(_ capabilities: Set<Capability>) { value = capabilities }
}
