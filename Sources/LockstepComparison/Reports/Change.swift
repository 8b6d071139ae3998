/// What changes for an app that moves from one provider to another.
public struct Change: Sendable, Hashable {
    /// Where it was seen.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// At the switch itself, with one store and both adapters.
        case move
        /// In what the providers declare.
        case declared
        /// On a journey only.
        case journey
        /// Nowhere as the platforms begin: only a setting makes a difference of it.
        case setting
        /// When the switch is taken back.
        case wayBack
    }

    /// Where it was seen.
    public var kind: Kind
    /// The id of the journey that it was seen on, also if it is declared too; `nil` if it was seen on none.
    public var journey: String?
    /// What was looked at.
    public var observation: String
    /// The old value.
    public var before: String
    /// The new value.
    public var after: String
    /// What it costs, what happens to the app, and what to do.
    public var effect: Effect
    /// The variants in which it was measured or declared.
    public var evidence: String
    /// The values that journeys saw, for a row that is declared: a sentence each.
    public var seen: [String] = []
    /// The values in other variants.
    public var settings: [Setting]

    /// How much it matters: `safety`, `flow`, `screen`, `notice`.
    public var weight: String { effect.cost.weight }

    /// Whether an app that moves sees a difference: not where only a setting makes one, and not on the way back.
    public var isDifference: Bool { kind != .setting && kind != .wayBack }

    /// A change.
    public init(
        kind: Kind, journey: String? = nil, observation: String, before: String, after: String, effect: Effect, evidence: String,
        settings: [Setting] = []
    ) {
        self.kind = kind
        self.journey = journey
        self.observation = observation
        self.before = before
        self.after = after
        self.effect = effect
        self.evidence = evidence
        self.settings = settings
    }
}

extension Comparison {
    /// What changes from one of the providers to another, first what costs an app most.
    ///
    /// That is what the switch itself does, every declared difference, and every observation that is not the same. At the end stand
    /// what only a setting changes, and the way back.
    public func changes(from source: String, to target: String) -> [Change] {
        guard let old = providers.firstIndex(of: source), let new = providers.firstIndex(of: target) else { return [] }
        let seen = rows.flatMap { changes($0, old, new) }
        let found =
            (move?.changes(title(of: source), title(of: target)) ?? [])
            + gathered(joined(declaredChanges(old, new), seen), old, new)
        return found.enumerated().sorted {
            ($0.element.isDifference ? 0 : 1, $1.element.effect.cost, $0.offset)
                < ($1.element.isDifference ? 0 : 1, $0.element.effect.cost, $1.offset)
        }.map(\.element)
    }

    /// Both kinds of rows, with one for what is declared and was seen on journeys too: it keeps the declared words, and takes the
    /// effect of the dearest.
    private func joined(_ declared: [DeclaredChange], _ seen: [Change]) -> [DeclaredChange] {
        var (declared, rest) = (declared, [DeclaredChange]())
        for change in seen {
            let statement = Consequence.statement(change.journey ?? "", change.observation, change.after)
            guard let place = declared.firstIndex(where: { $0.statement == statement && $0.change.kind == .declared }) else {
                rest.append(DeclaredChange(statement: "", change: change))
                continue
            }
            if declared[place].change.effect.cost < change.effect.cost { declared[place].change.effect = change.effect }
            declared[place].change.journey = declared[place].change.journey ?? change.journey
            declared[place].seen.append(change)
        }
        return declared + rest
    }

    /// The rows with their evidence, and one for all capabilities that the app gains.
    private func gathered(_ rows: [DeclaredChange], _ old: Int, _ new: Int) -> [Change] {
        var (changes, gained) = ([Change](), [DeclaredChange]())
        for row in rows {
            guard row.isGain else {
                var change = row.change
                change.seen = row.seen.map { seen in
                    "\(seen.journey ?? ""): \(seen.observation) (\(titles[old]): \(seen.before); \(titles[new]): \(seen.after))"
                }
                changes.append(change)
                continue
            }
            gained.append(row)
        }
        guard let first = gained.first?.change else { return changes }
        let journeys = gained.compactMap(\.change.journey).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        var gains = Change(
            kind: .declared, observation: "New capabilities", before: "–",
            after: gained.map(\.change.observation).joined(separator: "; "),
            effect: Effect(
                4, "the app can offer more", "offer it if it helps your users",
                call: "if auth.capabilities.contains(.\(gained.first?.capability ?? "password")) { screen.showButton() }"),
            evidence: first.evidence, settings: gained.flatMap(\.change.settings))
        if !journeys.isEmpty { gains.seen = ["journeys \(journeys.listed)"] }
        return changes + [gains]
    }

    private func changes(_ row: Row, _ old: Int, _ new: Int) -> [Change] {
        let (before, after) = (row.runs[old], row.runs[new])
        let evidence =
            "measured in this run: \(titles[old]) “\(before.configuration)”, \(titles[new]) “\(after.configuration)”"
        return Difference.names(of: [before, after]).compactMap { name in
            // A journey that ends early has said why: that row stands for what was not reached.
            guard let was = before[name], let becomes = after[name], was != becomes, !Consequence.isUnmeasured(was),
                !Consequence.isUnmeasured(becomes)
            else { return nil }
            return Change(
                kind: .journey, journey: row.journey.id, observation: name, before: was, after: becomes,
                effect: Consequence.effect(row.journey.id, name, was, becomes).on(configurations[new].first), evidence: evidence,
                settings: settings(of: old, row, name) + settings(of: new, row, name))
        }
    }

    /// The values of an observation in the other variants of a provider, where they differ from the first one's.
    func settings(of provider: Int, _ row: Row, _ name: String) -> [Setting] {
        guard row.settings.indices.contains(provider), let usual = row.runs[provider][name] else { return [] }
        return row.settings[provider].compactMap { run in
            guard let value = run[name], value != usual, !Consequence.isUnmeasured(value) else { return nil }
            let configuration = configurations[provider].first { $0.name == run.configuration }
            return configuration?.setting(of: titles[provider], "\(row.journey.id): \(name)", value)
        }
    }
}

/// A declared change with what measures it on journeys.
struct DeclaredChange {
    /// The name of the statement, or `can:` and a capability; empty for what was seen only.
    var statement: String
    var change: Change
    var seen: [Change] = []

    /// The name of the capability; `nil` for a statement.
    var capability: String? { statement.hasPrefix("can:") ? String(statement.dropFirst("can:".count)) : nil }

    /// Whether the app gains a capability by it, and nothing that it must handle.
    var isGain: Bool { capability != nil && change.kind == .declared && change.after == "yes" && change.effect.cost < 10 }
}
