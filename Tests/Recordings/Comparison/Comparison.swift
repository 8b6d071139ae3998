internal import LockstepPrimitives

/// Compares a response with a recorded one, whose placeholders match values that differ from run to run.
struct Comparison {
    /// The step and its request, for the differences.
    let step: String
    /// The server's clock: recorded times are offsets from it.
    let now: Instant
    /// Names of lists in any order.
    let unordered: Set<String>
    /// Whether `<opaque:N>` must have N characters.
    let holdsLengths: Bool
    private(set) var bindings: Bindings
    private(set) var differences: [Difference] = []

    init(_ bindings: Bindings, step: String, now: Instant, unordered: Set<String> = [], holdsLengths: Bool) {
        self.bindings = bindings
        self.step = step
        self.now = now
        self.unordered = unordered
        self.holdsLengths = holdsLengths
    }

    mutating func compare(_ wanted: JSON, _ got: JSON, at path: String) {
        switch (wanted, got) {
        case (.object(let members), _) where members.count == 1 && Self.packed.contains(members.names[0]):
            unpack(members.names[0], members[0].value, got, at: path)
        case (.object(let wanted), .object(let got)): compare(members: wanted, got, at: path)
        case (.object, _): add(path, "an object", got)
        case (.array(let wanted), .array(let got)) where wanted.count == got.count:
            for (index, pair) in zip(wanted, got).enumerated() { compare(pair.0, pair.1, at: "\(path).\(index)") }
        case (.array(let wanted), _): add(path, "a list of \(wanted.count)", got)
        case (.string(let text), _): compare(text, got, at: path)
        case (.int, .int), (.double, .double), (.int, .double), (.double, .int):
            if wanted != got, wanted.double != got.double { add(path, wanted, got) }
        default: if wanted != got { add(path, wanted, got) }
        }
    }

    private mutating func compare(members wanted: JSONObject, _ got: JSONObject, at path: String) {
        for (name, value) in wanted where !name.hasSuffix("?") {
            if let other = got[name] {
                compare(value, other, at: "\(path).\(name)")
            } else {
                add("\(path).\(name)", Self.shown(value), "nothing")
            }
        }
        for (name, value) in got where wanted[name] == nil && wanted[name + "?"] == nil {
            add("\(path).\(name)", "nothing", Self.shown(value))
        }
    }

    private mutating func compare(_ wanted: String, _ got: JSON, at path: String) {
        if wanted.hasPrefix("<base64url:"), wanted.hasSuffix(">") {
            let held = got.string.flatMap { Base64.decode($0, .url) }.map { String(decoding: $0, as: UTF8.self) }
            return compare(String(wanted.dropFirst(11).dropLast()), held.map(JSON.string) ?? got, at: path + "<base64url>")
        }
        if let placeholder = Placeholder(wanted) {
            if !placeholder.stands(for: got, at: now, holdsLengths: holdsLengths) { add(path, wanted, got) }
            return
        }
        do throws(Bindings.Unbound) {
            let filled = try bindings.filled(wanted)
            if filled != got, !Self.isSameButForNumbers(filled.string, got.string) { add(path, filled, got) }
        } catch {
            add(path, "\(error)", got)
        }
    }

    /// `<int>` inside a longer text matches digits.
    private static func isSameButForNumbers(_ wanted: String?, _ got: String?) -> Bool {
        guard var pieces = wanted?.split(separator: "<int>", omittingEmptySubsequences: false)[...], let got,
            pieces.count > 1, let first = pieces.popFirst(), got.hasPrefix(first)
        else { return false }
        var rest = got[...].dropFirst(first.count)
        for piece in pieces {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard !digits.isEmpty, rest.hasPrefix(piece) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return rest.isEmpty
    }

    mutating func add(_ path: String, _ expected: JSON, _ got: JSON) { add(path, Self.shown(expected), Self.shown(got)) }
    mutating func add(_ path: String, _ expected: String, _ got: JSON) { add(path, expected, Self.shown(got)) }

    mutating func add(_ path: String, _ expected: String, _ got: String) {
        differences.append(Difference(step: step, path: path, expected: expected, got: got))
    }

    /// A value in one line.
    static func shown(_ value: JSON) -> String {
        let text = value.text()
        return text.count > 300 ? text.prefix(297) + "…" : text
    }
}
