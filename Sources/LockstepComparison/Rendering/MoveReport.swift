internal import LockstepPrimitives

/// A report about the changes for an app that moves to another provider.
///
/// The report contains a legend, the differences, one table of settings, and the way back to the old
/// provider.
public struct MoveReport: Sendable {
    /// All changes, in the order of the report.
    public let changes: [Change]
    let source: String
    let target: String
    let variants: [String]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - source: The display name of the old provider, which the app leaves.
    ///   - target: The display name of the new provider.
    ///   - variants: For each provider, a sentence about the variant that was measured.
    public init(_ changes: [Change], from source: String, to target: String, variants: [String] = []) {
        self.changes = changes
        self.source = source
        self.target = target
        self.variants = variants
    }

    var differences: [Change] { changes.filter(\.isDifference) }
    var wayBack: [Change] { changes.filter { $0.kind == .wayBack } }

    /// The settings by provider and variant, without duplicates.
    var settings: [Setting] {
        var settings: [Setting] = []
        for setting in changes.flatMap(\.settings) where !settings.contains(setting) { settings.append(setting) }
        let order = settings.map { "\($0.provider) \($0.variant)" }
        return settings.enumerated().sorted {
            let (left, right) = (order.firstIndex(of: order[$0.offset]) ?? 0, order.firstIndex(of: order[$1.offset]) ?? 0)
            return (left, $0.offset) < (right, $1.offset)
        }.map(\.element)
    }

    /// The first sentence in every format.
    var headline: String {
        let count = differences.count
        guard count > 0 else { return "Moving from \(source) to \(target): no changes" }
        return "Moving from \(source) to \(target): \(count) \(count == 1 ? "change" : "changes"), most expensive first"
    }

    /// Each weight with its number of changes and its meaning.
    var legend: [(weight: String, count: Int, meaning: String)] {
        Cost.weights.map { weight in
            (weight.name, differences.count { $0.weight == weight.name }, weight.meaning)
        }
    }

    /// The origin of the evidence of all rows.
    var evidence: [String] {
        [
            "Each row was measured in this run, or is declared and checked by the contract suite. Both measurements and checks use these variants:"
        ]
            + variants
    }

    static let settingsTitle = "Settings that change a row"
    static let wayBackTitle = "If the app returns to the old provider"

    /// Returns the report for a terminal.
    ///
    /// - Parameters:
    ///   - width: The number of columns.
    ///   - paint: The style for the important parts.
    /// - Returns: The lines, each with a line break.
    public func text(width: Int = 100, paint: Paint = .none) -> String {
        var lines = headline.wrapped(width, first: "", rest: "").map(paint.bold)
        if !differences.isEmpty {
            for (weight, count, meaning) in legend {
                let number = String(repeating: " ", count: max(0, 3 - "\(count)".count)) + "\(count)"
                lines += meaning.wrapped(width - 17, first: "   \(weight.padded(to: 8))\(number)   ", rest: "                 ")
            }
        }
        lines += evidence[0].wrapped(width, first: "", rest: "").map(paint.dim)
        lines += variants.flatMap { $0.wrapped(width - 5, first: "   ", rest: "     ").map(paint.dim) }
        for change in differences { lines += [""] + self.lines(of: change, width, paint) }
        if !settings.isEmpty {
            lines += ["", paint.bold(Self.settingsTitle)]
            var last: Setting?
            for setting in settings {
                if last?.provider != setting.provider || last?.variant != setting.variant {
                    lines += "\(setting.provider), variant “\(setting.variant)”: \(setting.summary)"
                        .wrapped(width - 5, first: "   ", rest: "     ")
                }
                lines += "\(setting.subject): \(setting.words)".wrapped(width - 10, first: "        ", rest: "          ")
                    .map(paint.dim)
                last = setting
            }
        }
        if !wayBack.isEmpty { lines += ["", paint.bold(Self.wayBackTitle)] }
        for change in wayBack { lines += self.lines(of: change, width, paint) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of change: Change, _ width: Int, _ paint: Paint) -> [String] {
        let mark: @Sendable (String) -> String =
            switch change.weight {
            case "safety": paint.red
            case "flow": paint.yellow
            default: { $0 }
            }
        let indent = "        "
        let head = change.isDifference ? "\(change.weight.padded(to: 8))\(change.place)" : "\(indent)\(change.place)"
        var lines = change.place.wrapped(width - 8, first: String(head.prefix(8)), rest: indent).map(mark)
        lines += "\(source): \(change.before)".wrapped(width - 10, first: indent, rest: indent + "  ").map(paint.dim)
        lines += "\(target): \(change.after)".wrapped(width - 10, first: indent, rest: indent + "  ").map(paint.dim)
        for (name, text) in change.parts {
            lines += "\(name): \(text)".wrapped(width - 10, first: indent, rest: indent + "  ")
            if name == "do", let call = change.effect.call {
                lines += call.wrapped(width - 14, first: indent + "    ", rest: indent + "      ")
            }
        }
        return lines
    }
}

extension Comparison {
    /// Returns a report about the changes for an app that moves from one provider to another.
    ///
    /// - Parameters:
    ///   - source: The name of the old provider, which the app leaves.
    ///   - target: The name of the new provider.
    public func report(from source: String, to target: String) -> MoveReport {
        let variants = [source, target].compactMap { name -> String? in
            guard let index = providers.firstIndex(of: name), let usual = configurations[index].first else { return nil }
            return "\(titles[index]), variant “\(usual.name)”: \(usual.summary)"
        }
        return MoveReport(
            changes(from: source, to: target), from: title(of: source), to: title(of: target), variants: variants)
    }
}

extension Change {
    /// The parts next to its values, in reading order.
    ///
    /// An effect's text has code between backticks.
    var parts: [(name: String, text: String)] {
        var parts = [("your app", effect.consequence)]
        if !effect.action.isEmpty { parts.append(("do", effect.action)) }
        if !seen.isEmpty { parts.append(("also seen", seen.joined(separator: "; "))) }
        return parts
    }

    var place: String { kind == .journey ? "\(journey ?? ""): \(observation)" : observation }
}
