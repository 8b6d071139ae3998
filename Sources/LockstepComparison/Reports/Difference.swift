/// A difference between providers.
package struct Difference: Sendable, Hashable {
    /// A sentence about a difference, in which text between backticks is code.
    package struct Note: Sendable, Hashable {
        /// The sentence.
        package var text: String
        /// The Swift code that handles the difference; `nil` if no code is known.
        package var call: String?
        /// The cost of the difference for an app.
        package var cost: Cost = 0
        /// The sentence without the remedy.
        var short: String?
    }

    /// A provider of a comparison.
    struct Provider {
        let name: String
        let title: String
        let configuration: Configuration?

        init(_ name: String, _ title: String, _ configuration: Configuration?) {
            self.name = name
            self.title = title
            self.configuration = configuration
        }
    }

    /// The name of the observation.
    package var observation: String
    /// The observed values, by the name of the provider.
    package var values: [String: String]
    /// The meaning of each value that an app must handle.
    ///
    /// If no value has a known meaning, the notes contain the values.
    package var notes: [Note]
    /// The cost of the most expensive value for an app.
    package var cost: Cost
    /// The name of the related declaration or of the measured statement; `nil` if neither exists.
    var statement: String?

    /// The importance: `safety`, `flow`, `screen` or `notice`.
    package var weight: String { cost.weight }

    /// Returns the differences of a journey, in the order of the observations.
    static func all(
        in journey: Journey, _ runs: [JourneyRun], _ providers: [Provider]
    ) -> [Difference] {
        names(of: runs).compactMap { name in
            let pairs = zip(providers, runs).compactMap { provider, run in
                run[name].flatMap { Consequence.isUnmeasured($0) ? nil : (provider, $0) }
            }
            guard Set(pairs.map(\.1)).count > 1 else { return nil }
            return of(journey, name, pairs)
        }
    }

    /// Returns the names of all observations of the runs, in order.
    static func names(of runs: [JourneyRun]) -> [String] {
        var names: [String] = []
        for run in runs.sorted(by: { $0.observations.count > $1.observations.count }) {
            for observation in run.observations where !names.contains(observation.name) { names.append(observation.name) }
        }
        return names
    }

    private static func of(
        _ journey: Journey, _ name: String,
        _ pairs: [(provider: Provider, value: String)]
    ) -> Difference {
        var cost: Cost = 0
        var byConsequence: [(effect: Effect, providers: [String])] = []
        for (provider, value) in pairs {
            guard let found = Consequence.of(journey.id, name, value) else { continue }
            let effect = found.effect.on(provider.configuration)
            cost = max(cost, effect.cost)
            if found.isRelative { continue }
            if let index = byConsequence.firstIndex(where: { $0.effect == effect }) {
                byConsequence[index].providers.append(provider.title)
            } else {
                byConsequence.append((effect, [provider.title]))
            }
        }
        var notes = byConsequence.map {
            Note(
                text: "\($0.providers.listed): \($0.effect.sentence)", call: $0.effect.call, cost: $0.effect.cost,
                short: "\($0.providers.listed): \($0.effect.consequence.capitalizedFirst).")
        }
        if notes.isEmpty {
            let values = Dictionary(grouping: pairs, by: \.value).sorted { $0.key < $1.key }
            let parts = values.map { "\($0.value.map(\.provider.title).listed): \($0.key)" }
            notes = [Note(text: "\(name): " + parts.joined(separator: "; "))]
        }
        return Difference(
            observation: name, values: Dictionary(pairs.map { ($0.provider.name, $0.value) }) { first, _ in first },
            notes: notes, cost: cost,
            statement: pairs.lazy.compactMap { Consequence.statement(journey.id, name, $0.value) }.first)
    }
}

extension [String] {
    /// The elements as a list: "a", "a and b", "a, b and c".
    var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
