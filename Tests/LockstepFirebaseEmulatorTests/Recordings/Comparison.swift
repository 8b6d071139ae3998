import Foundation
import LockstepPrimitives
import LockstepTokens

/// Holds an answer against a recorded one, whose placeholders stand for what differs from time to time.
struct Comparison {
    let bindings: Bindings
    /// The server's clock: recorded times are offsets from it.
    let now: Instant
    private(set) var differences: [String] = []

    init(_ bindings: Bindings, now: Instant) {
        self.bindings = bindings
        self.now = now
    }

    mutating func compare(_ wanted: JSON, _ got: JSON, at path: String) {
        if let members = wanted.object, members.count == 1, let kind = members.first { return unpack(kind, got, at: path) }
        switch (wanted, got) {
        case (.object(let wanted), .object(let got)):
            for (name, value) in wanted {
                if let other = got[name] { compare(value, other, at: "\(path).\(name)") } else { add("\(path).\(name): missing") }
            }
            for name in got.names where wanted[name] == nil { add("\(path).\(name): not recorded") }
        case (.array(let wanted), .array(let got)):
            guard wanted.count == got.count else { return add("\(path): \(wanted.count) elements, not \(got.count)") }
            for (index, pair) in zip(wanted, got).enumerated() { compare(pair.0, pair.1, at: "\(path).\(index)") }
        case (.string(let text), _) where text.hasPrefix("<") && text.hasSuffix(">"):
            if !stands(for: got, text.dropFirst().dropLast()) { add("\(path): \(text), not \(got.text())") }
        case (.string(let text), .string(let other)):
            if bindings.filled(text) != other { add("\(path): \(bindings.filled(text)), not \(other)") }
        default:
            if wanted != got { add("\(path): \(wanted.text()), not \(got.text())") }
        }
    }

    /// What is compared by what it holds: tokens by their claims, JSON in texts, addresses by their parts.
    private mutating func unpack(_ kind: (name: String, value: JSON), _ got: JSON, at path: String) {
        let text = got.string ?? ""
        switch kind.name {
        case "<jwt>":
            guard let token = try? UnverifiedToken(text) else { return add("\(path): no token") }
            compare(kind.value["claims"] ?? .null, .object(token.claims), at: path + "<jwt>")
        case "<json>":
            guard let inner = try? JSON.parse(text) else { return add("\(path): no JSON") }
            compare(kind.value, inner, at: path + "<json>")
        case "<url>":
            let parts = text.split(separator: "?", maxSplits: 1)
            let pairs = parts.count == 2 ? Percent.decodeForm(parts[1]) ?? [] : []
            let query = JSON.object(JSONObject(pairs.map { ($0.name, .string($0.value)) }))
            compare(
                kind.value, ["base": .string(String(parts.first ?? "")), "query": query, "fragment": [:]], at: path + "<url>")
        default:
            guard let members = got.object, members.count == 1, let member = members.first, member.name == kind.name else {
                return add("\(path): \(kind.name) only, not \(got.text())")
            }
            compare(kind.value, member.value, at: "\(path).\(kind.name)")
        }
    }

    private func stands(for got: JSON, _ placeholder: Substring) -> Bool {
        let parts = placeholder.split(separator: ":", maxSplits: 1)
        let text = got.string ?? ""
        switch parts[0] {
        case "opaque": return !text.isEmpty
        case "digits": return text.count == Int(parts[1]) && text.allSatisfy(\.isNumber)
        case "prefix": return text.hasPrefix(parts.count == 2 ? String(parts[1]) : "")
        default: break
        }
        guard parts.count == 2, let offset = Double(parts[1]) else { return false }
        let time: Double? =
            switch parts[0] {
            case "epoch": got.double
            case "epoch-string": Double(text)
            case "millis": got.double.map { $0 / 1000 }
            case "millis-string": Double(text).map { $0 / 1000 }
            case "timestamp":
                (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))?.timeIntervalSince1970
            default: nil
            }
        return time.map { abs($0 - Double(now.milliseconds) / 1000 - offset) <= 5 } ?? false
    }

    private mutating func add(_ difference: String) { differences.append(difference) }
}
