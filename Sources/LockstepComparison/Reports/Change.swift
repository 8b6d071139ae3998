/// A change for an app that moves from one provider to another.
package struct Change: Sendable, Hashable {
    /// The source of a change.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The change happens when an installed app switches from one adapter to the other, with the same store.
        case move
        /// The adapters state the change.
        case declared
        /// Only a journey has shown the change.
        case journey
        /// Only a setting causes the change.
        ///
        /// The platforms' default configurations of a new project do not differ.
        case setting
        /// The change is about the way back to the old provider.
        case wayBack
    }

    /// The source of the change.
    package var kind: Kind
    /// The id of the journey that has shown the change; `nil` if no journey has shown it.
    ///
    /// The adapters may state the change, too.
    package var journey: String?
    /// The name of the observation.
    package var observation: String
    /// The value with the old provider.
    package var before: String
    /// The value with the new provider.
    package var after: String
    /// The cost of the change for an app, the effect on an app that does nothing, and the remedy.
    package var effect: Effect
    /// The variants in which the change was measured or stated.
    package var evidence: String
    /// The values that journeys have observed, one sentence each, if the adapters state the change.
    package var seen: [String] = []
    /// The values in other variants.
    package var settings: [Setting]
    /// What users can no longer do at all, in a few words; `nil` if there is a replacement.
    var lost: String?

    /// The importance: `safety`, `flow`, `screen` or `notice`.
    package var weight: String { effect.cost.weight }

    /// Whether an app that moves notices the change.
    ///
    /// The value is `false` if only a setting causes the change, or if the change is about the way back.
    package var isDifference: Bool { kind != .setting && kind != .wayBack }

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - kind: The source of the change.
    ///   - journey: The id of the journey that has shown the change; `nil` if no journey has shown it.
    ///   - observation: The name of the observation.
    ///   - before: The value with the old provider.
    ///   - after: The value with the new provider.
    ///   - effect: The cost of the change for an app, the effect on an app that does nothing, and the remedy.
    ///   - evidence: The variants in which the change was measured or stated.
    ///   - settings: The values in other variants. Default: none.
    package init(
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
    /// Returns the changes for an app that moves from one provider to another, the most expensive change first.
    ///
    /// The changes are the effects of the switch, all differences that the adapters state, and all different observations.
    /// Changes that a setting causes, and changes about the way back, are at the end.
    ///
    /// - Parameters:
    ///   - source: The name of the old provider, which the app leaves.
    ///   - target: The name of the new provider.
    package func changes(from source: String, to target: String) -> [Change] {
        guard let old = providers.firstIndex(of: source), let new = providers.firstIndex(of: target) else { return [] }
        let seen = rows.flatMap { changes($0, old, new) }
        let found =
            (moves.first { $0.source == source && $0.target == target }?.changes(title(of: source), title(of: target)) ?? [])
            + gathered(joined(declaredChanges(old, new), seen), old, new)
        return found.enumerated().sorted {
            ($0.element.isDifference ? 0 : 1, $1.element.effect.cost, $0.offset)
                < ($1.element.isDifference ? 0 : 1, $0.element.effect.cost, $1.offset)
        }.map(\.element)
    }

    /// Returns both kinds of rows, joined if a declared row was also observed.
    ///
    /// A joined row has the declared words, and the most expensive effect.
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

    /// Returns the rows with their evidence, and one row for all new capabilities.
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
                4, .none, "the app can offer more", "offer the new feature if it helps your users",
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
            // A journey that ends early has reported the reason: that row represents the missing steps.
            guard let was = before[name], let becomes = after[name], was != becomes, !Consequence.isUnmeasured(was),
                !Consequence.isUnmeasured(becomes)
            else { return nil }
            return Change(
                kind: .journey, journey: row.journey.id, observation: name, before: was, after: becomes,
                effect: Consequence.effect(row.journey.id, name, was, becomes).on(configurations[new].first), evidence: evidence,
                settings: settings(of: old, row, name) + settings(of: new, row, name))
        }
    }

    /// Returns the values of an observation in the other variants of a provider that differ from the first variant.
    func settings(of provider: Int, _ row: Row, _ name: String) -> [Setting] {
        guard row.settings.indices.contains(provider), let usual = row.runs[provider][name] else { return [] }
        return row.settings[provider].compactMap { run in
            guard let value = run[name], value != usual, !Consequence.isUnmeasured(value) else { return nil }
            let configuration = configurations[provider].first { $0.name == run.configuration }
            return configuration?.setting(of: titles[provider], "\(row.journey.id): \(name)", value)
        }
    }
}

/// A declared change, with the observations that measure it.
struct DeclaredChange {
    /// The name of the statement, or `can:` and a capability; empty for a change that was only observed.
    var statement: String
    var change: Change
    var seen: [Change] = []

    /// The name of the capability; `nil` for a statement.
    var capability: String? { statement.hasPrefix("can:") ? String(statement.dropFirst("can:".count)) : nil }

    /// Whether the app only gains a capability, without anything to handle.
    var isGain: Bool { capability != nil && change.kind == .declared && change.after == "yes" && change.effect.cost < 10 }
}
