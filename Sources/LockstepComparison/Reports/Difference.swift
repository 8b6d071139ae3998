/// Something that is not the same on all providers, in a sentence.
public struct Difference: Sendable, Hashable {
    /// The name of the observation.
    public var observation: String
    /// The observed values, by provider.
    public var values: [String: String]
    /// The meaning: one sentence for each value that an app must handle; where there is none, the values.
    public var sentences: [String]
    /// How much it matters: `safety`, `flow`, `screen`, `notice`.
    public var weight: String

    /// The differences of a journey, in the order of what was looked at.
    static func all(in journey: Journey, _ runs: [JourneyRun], _ providers: [String]) -> [Difference] {
        names(of: runs).compactMap { name in
            let pairs = zip(providers, runs).compactMap { provider, run in run[name].map { (provider, $0) } }
            guard Set(pairs.map(\.1)).count > 1 else { return nil }
            return of(journey, name, pairs)
        }
    }

    /// The names of all observations of the runs, in order.
    static func names(of runs: [JourneyRun]) -> [String] {
        var names: [String] = []
        for run in runs.sorted(by: { $0.observations.count > $1.observations.count }) {
            for observation in run.observations where !names.contains(observation.name) { names.append(observation.name) }
        }
        return names
    }

    private static func of(_ journey: Journey, _ name: String, _ pairs: [(provider: String, value: String)]) -> Difference {
        var cost: Cost = 0
        var byConsequence: [(effect: Effect, providers: [String])] = []
        for (provider, value) in pairs {
            guard let effect = Consequence.of(journey.id, name, value)?.effect else { continue }
            cost = max(cost, effect.cost)
            if let index = byConsequence.firstIndex(where: { $0.effect == effect }) {
                byConsequence[index].providers.append(provider)
            } else {
                byConsequence.append((effect, [provider]))
            }
        }
        var sentences = byConsequence.map { "\($0.providers.listed): \($0.effect.sentence)" }
        if sentences.isEmpty {
            let values = Dictionary(grouping: pairs, by: \.value).sorted { $0.key < $1.key }
            let parts = values.map { "\($0.value.map(\.provider).listed): \($0.key)" }
            sentences = ["\(name): " + parts.joined(separator: "; ")]
        }
        return Difference(
            observation: name, values: Dictionary(pairs.map { ($0.provider, $0.value) }) { first, _ in first },
            sentences: sentences, weight: cost.weight)
    }
}

extension [String] {
    /// "a", "a and b", "a, b and c".
    var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
