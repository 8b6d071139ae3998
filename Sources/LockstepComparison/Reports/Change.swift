/// What changes for an app that moves from one provider to another.
public struct Change: Sendable, Hashable {
    /// On which journey.
    public var journey: String
    /// The name of the observation.
    public var observation: String
    /// The old value.
    public var before: String
    /// The new value.
    public var after: String
    /// How much it matters: `safety`, `flow`, `screen`, `notice`.
    public var weight: String
    /// What to do.
    public var advice: String

    /// A change.
    public init(journey: String, observation: String, before: String, after: String, weight: String, advice: String) {
        self.journey = journey
        self.observation = observation
        self.before = before
        self.after = after
        self.weight = weight
        self.advice = advice
    }
}

extension Comparison {
    /// What changes from one of the providers to another, worst first.
    public func changes(from source: String, to target: String) -> [Change] {
        guard let old = providers.firstIndex(of: source), let new = providers.firstIndex(of: target) else { return [] }
        var found: [(weight: Consequence.Weight, change: Change)] = []
        for row in rows {
            let (before, after) = (row.runs[old], row.runs[new])
            for name in Difference.names(of: [before, after]) {
                let was = before[name] ?? "not reached"
                let becomes = after[name] ?? "not reached"
                guard was != becomes else { continue }
                let consequence = Consequence.of(row.journey.id, name, becomes)
                let lost = Consequence.of(row.journey.id, name, was)
                let advice =
                    consequence.map { "\($0.fact): \($0.advice)" }
                    ?? lost.map { "no longer: \($0.fact)" } ?? "try this screen against \(target)"
                let weight = consequence?.weight ?? .notice
                found.append(
                    (
                        weight,
                        Change(
                            journey: row.journey.id, observation: name, before: was, after: becomes, weight: weight.word,
                            advice: advice)
                    ))
            }
        }
        return found.enumerated().sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }.map(\.element.change)
    }
}
