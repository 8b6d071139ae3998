/// What changes for an app that moves from one provider to another.
public struct Change: Sendable, Hashable {
    /// Where it was seen: the id of a journey; `declared` for what the providers declare; `move` for the switch itself.
    public var topic: String
    /// What was looked at.
    public var observation: String
    /// The old value.
    public var before: String
    /// The new value.
    public var after: String
    /// What it costs, what becomes of the app, and what to do.
    public var effect: Effect
    /// In which configurations it was measured, or declared and by whom it is held.
    public var evidence: String
    /// What other settings make of it: a sentence each.
    public var settings: [String]

    /// How much it matters: `safety`, `flow`, `screen`, `notice`.
    public var weight: String { effect.cost.weight }

    /// A change.
    public init(
        topic: String, observation: String, before: String, after: String, effect: Effect, evidence: String,
        settings: [String] = []
    ) {
        self.topic = topic
        self.observation = observation
        self.before = before
        self.after = after
        self.effect = effect
        self.evidence = evidence
        self.settings = settings
    }
}

extension Comparison {
    /// What changes from one of the providers to another, first what costs an app most: what the switch itself does, every
    /// declared difference, and every observation that is not the same.
    public func changes(from source: String, to target: String) -> [Change] {
        guard let old = providers.firstIndex(of: source), let new = providers.firstIndex(of: target) else { return [] }
        let seen = rows.flatMap { changes($0, old, new) }
        let found = (move?.changes(source, target) ?? []) + joined(declaredChanges(old, new), seen)
        return found.enumerated().sorted {
            ($1.element.effect.cost, $0.offset) < ($0.element.effect.cost, $1.offset)
        }.map(\.element)
    }

    /// Both kinds of rows, with one for what is declared and seen on a journey too: the dearer one, which names both.
    private func joined(_ declared: [(statement: String, change: Change)], _ seen: [Change]) -> [Change] {
        var declared = declared
        var rest: [Change] = []
        for change in seen {
            let statement = Consequence.statement(change.topic, change.observation)
            guard let place = declared.firstIndex(where: { $0.statement == statement && $0.change.after != Self.unlessSet })
            else {
                rest.append(change)
                continue
            }
            var dearer = declared[place].change.effect.cost < change.effect.cost ? change : declared[place].change
            dearer.evidence =
                "\(declared[place].change.evidence), and seen on the journey \(change.topic) in this run: \(change.before), then \(change.after)"
            declared[place].change = dearer
        }
        return declared.map(\.change) + rest
    }

    /// The new value of a row that only a setting makes one.
    static let unlessSet = "the same, unless a setting changes it"

    private func changes(_ row: Row, _ old: Int, _ new: Int) -> [Change] {
        let (before, after) = (row.runs[old], row.runs[new])
        let evidence =
            "measured in this run: \(providers[old]) “\(before.configuration)”, \(providers[new]) “\(after.configuration)”"
        return Difference.names(of: [before, after]).compactMap { name in
            // A journey that ends early has said why: that row stands for what was not reached.
            guard let was = before[name], let becomes = after[name], was != becomes else { return nil }
            return Change(
                topic: row.journey.id, observation: name, before: was, after: becomes,
                effect: Consequence.effect(row.journey.id, name, was, becomes), evidence: evidence,
                settings: settings(of: old, row, name) + settings(of: new, row, name))
        }
    }

    /// What other settings of a provider make of an observation.
    func settings(of provider: Int, _ row: Row, _ name: String) -> [String] {
        guard row.settings.indices.contains(provider), let usual = row.runs[provider][name] else { return [] }
        return row.settings[provider].compactMap { run in
            guard let value = run[name], value != usual else { return nil }
            let configuration = configurations[provider].first { $0.name == run.configuration }
            return configuration?.setting(of: providers[provider], value)
        }
    }
}
