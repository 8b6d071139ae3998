internal import LockstepPrimitives

/// A report about the changes for an app that moves to another provider.
///
/// The report begins with a verdict: what users notice, how much work the move is, and what is not possible. Then come the
/// changes, one table of settings, and the way back to the old provider.
package struct MoveReport: Sendable {
    /// A provider of the move: its name in the command line, and its display name.
    struct End: Sendable {
        let name: String
        let title: String

        init(_ name: String, _ title: String?) {
            self.name = name.visible
            self.title = (title ?? name).visible
        }
    }

    /// All changes, in the order of the report.
    package let changes: [Change]
    let source: End
    let target: End
    let variants: [String]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - source: The name of the old provider, which the app leaves.
    ///   - target: The name of the new provider.
    ///   - titles: The display names of the two; `nil` for their names.
    ///   - variants: For each provider, a sentence about the variant that was measured.
    package init(
        _ changes: [Change], from source: String, to target: String, titles: (source: String, target: String)? = nil,
        variants: [String] = []
    ) {
        self.changes = changes
        self.source = End(source, titles?.source)
        self.target = End(target, titles?.target)
        self.variants = variants
    }

    var differences: [Change] { changes.filter(\.isDifference) }
    var wayBack: [Change] { changes.filter { $0.kind == .wayBack } }

    /// The settings by provider and variant, without duplicates.
    var settings: [(variant: String, settings: [Setting])] {
        var groups: [(variant: String, settings: [Setting])] = []
        for setting in changes.flatMap(\.settings) {
            let variant = "\(setting.provider), variant “\(setting.variant)”: \(setting.summary)"
            guard let place = groups.firstIndex(where: { $0.variant == variant }) else {
                groups.append((variant, [setting]))
                continue
            }
            if !groups[place].settings.contains(setting) { groups[place].settings.append(setting) }
        }
        return groups
    }

    /// The first line in every format.
    var headline: String { "Moving from \(source.title) to \(target.title)" }

    /// Each weight with its number of changes and its meaning.
    var legend: [(weight: String, count: Int, meaning: String)] {
        Cost.weights.map { weight in
            (weight.name, differences.count { $0.weight == weight.name }, weight.meaning)
        }
    }

    /// The origin of the evidence of all rows.
    static let evidence =
        "Each value was measured in this run, or is declared and checked by the contract suite, in these variants:"
    static let settingsTitle = "Settings of your project that change these results"
    static let wayBackTitle = "If the app returns to the old provider"
}

extension MoveReport {
    /// The answer to what the move costs: what users notice, the work, what is not possible, and most of the work.
    package var verdict: [String] {
        guard !differences.isEmpty else { return ["Nothing changes."] }
        var sentences: [String] = []
        let briefs = differences.compactMap(\.effect.brief)
        if !briefs.isEmpty { sentences.append("\(briefs.listed.capitalizedFirst).") }
        let work = work.map { "\($0.count) \($0.effort.words($0.count))" }
        sentences.append((work.isEmpty ? "Nothing must be done" : "To change: " + work.joined(separator: ", ")) + ".")
        let lost = differences.compactMap(\.lost)
        if !lost.isEmpty { sentences.append("Not possible on \(target.title): \(lost.joined(separator: "; ")).") }
        if let most = differences.compactMap(\.effect.work).first { sentences.append("Most of the work: \(most).") }
        return sentences
    }

    /// The number of changes for each effort, the largest effort first, without changes that need no work.
    var work: [(effort: Effort, count: Int)] {
        [Effort.server, .setting, .screen, .line].compactMap { effort in
            let count = differences.count { $0.effect.effort == effort }
            return count == 0 ? nil : (effort, count)
        }
    }
}

extension Comparison {
    /// Returns a report about the changes for an app that moves from one provider to another.
    ///
    /// - Parameters:
    ///   - source: The name of the old provider, which the app leaves.
    ///   - target: The name of the new provider.
    package func report(from source: String, to target: String) -> MoveReport {
        let variants = [source, target].compactMap { name -> String? in
            guard let index = providers.firstIndex(of: name), let usual = configurations[index].first else { return nil }
            return "\(titles[index]), variant “\(usual.name)”: \(usual.summary)"
        }
        return MoveReport(
            changes(from: source, to: target), from: source, to: target,
            titles: (title(of: source), title(of: target)), variants: variants)
    }

    /// The reports of all moves between two of the providers, by the provider that an app leaves.
    ///
    /// Empty if the effect of the switch was not tried.
    var directions: [MoveReport] {
        providers.flatMap { source in
            providers.compactMap { target in
                moves.contains { $0.source == source && $0.target == target } ? report(from: source, to: target) : nil
            }
        }
    }
}

extension Change {
    /// The finding as a sentence.
    ///
    /// A consequence that says too little alone has its subject in front of it.
    var title: String {
        (effect.isGeneral ? "\(subject): \(effect.consequence)" : effect.consequence.capitalizedFirst) + "."
    }

    /// The subject of the values.
    var subject: String { kind == .journey ? "\(journeyTitle): \(observation)" : observation }

    private var journeyTitle: String { Journey.all.first { $0.id == journey }?.title ?? journey ?? "" }
}
