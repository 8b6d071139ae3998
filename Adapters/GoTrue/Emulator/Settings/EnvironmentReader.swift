internal import LockstepPrimitives

/// Reads settings from the environment by name, and records the names read and the malformed values.
struct EnvironmentReader {
    private let values: [String: String]
    /// The original spelling of names without the prefix.
    private let bare: Set<String>
    private let prefix: String
    private var asked: Set<String> = []
    private(set) var problems: [String] = []
    /// What the values mean for a person who starts the server, beside the problems.
    private(set) var notices: [String] = []
    /// The settings that were asked for, in their order.
    private(set) var variables: [Variable] = []
    private var section = ""

    /// A setting, as a file of settings would show it.
    struct Variable: Sendable, Hashable {
        var section: String
        var name: String
        /// Its default; empty where it has none.
        var value: String
    }

    /// - Parameters:
    ///   - prefix: the prefix of all names; it may be left out.
    ///   - others: names that never have it, besides those of the emulator's own settings.
    init(_ pairs: some Sequence<(String, String)>, prefix: String, besides others: Set<String>) {
        var whole: [String: String] = [:]
        var short: [String: String] = [:]
        for (name, value) in pairs {
            if name.hasPrefix(prefix) || name.hasPrefix("LOCKSTEP_") || others.contains(name) {
                whole[name] = value
            } else {
                short[prefix + name] = value
            }
        }
        values = whole.merging(short) { whole, _ in whole }
        bare = Set(short.keys).subtracting(whole.keys)
        self.prefix = prefix
    }

    /// A name as it was written.
    func written(_ name: String) -> String { bare.contains(name) ? String(name.dropFirst(prefix.count)) : name }

    /// Names that no setting reads, sorted.
    var leftOver: [String] { values.keys.filter { !asked.contains($0) }.sorted() }

    /// The pairs whose name begins with `prefix`.
    func pairs(prefixed prefix: String) -> [(name: String, value: String)] {
        values.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The settings that are read from here on belong together.
    mutating func begin(_ section: String) { self.section = section }

    private mutating func note(_ name: String, _ value: String) {
        guard asked.insert(name).inserted else { return }
        variables.append(Variable(section: section, name: name, value: value))
    }

    /// A text; an empty one counts as absent.
    ///
    /// - Parameter absent: What holds without it.
    mutating func text(_ name: String, default absent: String = "") -> String? {
        note(name, absent)
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    mutating func text(_ name: String, into target: inout String) {
        if let value = text(name, default: target) { target = value }
    }

    mutating func secret(_ name: String, into target: inout Secret) {
        if let value = text(name, default: target.reveal()) { target = Secret(value) }
    }

    mutating func flag(_ name: String, into target: inout Bool) {
        note(name, target ? "true" : "false")
        guard let value = text(name) else { return }
        switch value {
        case "1", "t", "T", "true", "TRUE", "True": target = true
        case "0", "f", "F", "false", "FALSE", "False": target = false
        default: problems.append("\(written(name)) must be true or false.")
        }
    }

    mutating func number(_ name: String, into target: inout Int) {
        note(name, String(target))
        guard let value = text(name) else { return }
        guard let number = Int(value) else { return problems.append("\(written(name)) must be a whole number.") }
        target = number
    }

    mutating func seconds(_ name: String, into target: inout Duration) {
        var count = Int(target.components.seconds)
        number(name, into: &count)
        target = .seconds(count)
    }

    mutating func duration(_ name: String, into target: inout Duration) {
        note(name, GoDuration.text(target))
        guard let value = text(name) else { return }
        guard let duration = try? GoDuration.parse(value) else {
            return problems.append("\(written(name)) must be a duration such as 60s, 5m or 24h.")
        }
        target = duration
    }

    mutating func optionalDuration(_ name: String, into target: inout Duration?) {
        var duration = Duration.zero
        // The default is asked for first: it is none, and not no time at all.
        guard text(name) != nil else { return }
        self.duration(name, into: &duration)
        guard duration > .zero else { return problems.append("\(written(name)) must be more than nothing.") }
        target = duration
    }

    mutating func rate(_ name: String, into target: inout SendingRate?) {
        guard let value = text(name) else { return }
        guard let rate = SendingRate(value) else {
            return problems.append("\(written(name)) must be a number, or a rate such as 30/1h.")
        }
        target = rate
    }

    mutating func list(_ name: String, into target: inout [String]) {
        note(name, target.joined(separator: ","))
        guard let value = text(name) else { return }
        target = value.pieces(at: ",").map { piece in
            String(piece.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    mutating func problem(_ sentence: String) { problems.append(sentence) }

    mutating func notice(_ sentence: String) { notices.append(sentence) }
}
