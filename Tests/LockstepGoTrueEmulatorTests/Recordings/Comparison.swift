import LockstepPrimitives
import LockstepTokens

/// Holds an answer against a recorded one, whose placeholders stand for what differs from time to time.
struct Comparison {
    let bindings: Bindings
    /// The server's clock: recorded times are offsets from it.
    let now: Instant
    let unordered: Set<String>
    private(set) var differences: [String] = []

    init(_ bindings: Bindings, now: Instant, unordered: Set<String>) {
        self.bindings = bindings
        self.now = now
        self.unordered = unordered
    }

    mutating func compare(_ wanted: JSON, _ got: JSON, at path: String) {
        if let members = wanted.object, members.count == 1, let kind = members.first,
            ["<jwt>", "<json>", "<url>"].contains(kind.name)
        {
            return unpack(kind.name, kind.value, got, at: path)
        }
        switch (wanted, got) {
        case (.object(let wanted), .object(let got)): compare(members: wanted, got, at: path)
        case (.array(let wanted), .array(let got)):
            guard wanted.count == got.count else { return add("\(path): \(wanted.count) elements, not \(got.count)") }
            for (index, pair) in zip(wanted, got).enumerated() { compare(pair.0, pair.1, at: "\(path).\(index)") }
        case (.string(let text), _) where Placeholder(text) != nil:
            if Placeholder(text)?.stands(for: got, bindings, now) != true { add("\(path): \(text), not \(got.text())") }
        case (.string(let text), .string(let other)):
            let filled = bindings.filled(text)
            if filled != other, !Self.isSameButForNumbers(filled, other) { add("\(path): \(filled), not \(other)") }
        case (.string(let text), .int(let number)) where text.hasPrefix("${"):
            if bindings.filled(text) != String(number) { add("\(path): \(text), not \(number)") }
        default:
            if wanted.double != got.double || wanted.double == nil, wanted != got {
                add("\(path): \(wanted.text()), not \(got.text())")
            }
        }
    }

    private mutating func compare(members wanted: JSONObject, _ got: JSONObject, at path: String) {
        for (name, value) in wanted where !name.hasSuffix("?") {
            guard let other = got[name] else {
                add("\(path).\(name): missing")
                continue
            }
            compare(value, unordered.contains(name) ? aligned(other, with: value) : other, at: "\(path).\(name)")
        }
        for name in got.names where wanted[name] == nil && wanted[name + "?"] == nil {
            add("\(path).\(name): not in the real answer")
        }
    }

    /// Brings a list whose order means nothing into the order of the recording.
    private func aligned(_ got: JSON, with wanted: JSON) -> JSON {
        guard var rest = got.array, let wanted = wanted.array, rest.count == wanted.count else { return got }
        var ordered: [JSON] = []
        for element in wanted {
            let distances = rest.map { other in
                var trial = Comparison(bindings, now: now, unordered: unordered)
                trial.compare(element, other, at: "")
                return trial.differences.count
            }
            guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }) else { continue }
            ordered.append(rest.remove(at: best))
        }
        return .array(ordered)
    }

    /// What is compared by what it holds: tokens by their claims, addresses by their parts.
    private mutating func unpack(_ kind: String, _ wanted: JSON, _ got: JSON, at path: String) {
        let text = got.string ?? ""
        switch kind {
        case "<jwt>":
            guard let token = try? UnverifiedToken(text) else { return add("\(path): no token") }
            compare(wanted["claims"] ?? .null, .object(token.claims), at: path + "<jwt>")
            if let header = wanted["header"] { compare(header, .object(token.header), at: path + "<jwt> header") }
        case "<json>":
            guard let inner = try? JSON.parse(text) else { return add("\(path): no JSON") }
            compare(wanted, inner, at: path + "<json>")
        default: compare(wanted, SplitAddress(text).json, at: path + "<url>")
        }
    }

    /// `<int>` inside a longer text stands for digits.
    private static func isSameButForNumbers(_ wanted: String, _ got: String) -> Bool {
        guard let mark = wanted.firstRange(of: "<int>") else { return false }
        let rest = wanted[mark.upperBound...]
        guard got.hasPrefix(wanted[..<mark.lowerBound]), got.hasSuffix(rest) else { return false }
        let middle = got.dropFirst(wanted[..<mark.lowerBound].count).dropLast(rest.count)
        return !middle.isEmpty && middle.allSatisfy(\.isNumber)
    }

    mutating func add(_ difference: String) { differences.append(difference) }
}

/// An address in its parts, as the recordings have them.
struct SplitAddress {
    let json: JSON

    init(_ text: String) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let pieces = (parts.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        json = [
            "base": .string(String(pieces.first ?? "")), "query": Self.form(pieces.count == 2 ? pieces[1] : ""),
            "fragment": Self.form(parts.count == 2 ? parts[1] : ""),
        ]
    }

    private static func form(_ text: Substring) -> JSON {
        .object(JSONObject((Percent.decodeForm(text) ?? []).map { ($0.name, .string($0.value)) }))
    }
}
