import LockstepPrimitives
import LockstepTokens

/// What earlier steps of a conversation said, under the names by which later ones refer to it: `${0.json.user.id}`.
struct Bindings: Sendable {
    private var values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    subscript(name: String) -> String? { values[name] }

    /// Remembers every leaf of a value, and the claims of every token in it.
    mutating func bind(_ value: JSON, as path: String, step: String) {
        switch value {
        case .object(let members): for (name, value) in members { bind(value, as: "\(path).\(name)", step: step) }
        case .array(let elements):
            for (index, value) in elements.enumerated() { bind(value, as: "\(path).\(index)", step: step) }
        case .string(let text):
            values[path] = text
            guard let token = try? UnverifiedToken(text), let name = path.split(separator: ".").last else { return }
            bind(.object(token.claims), as: "\(step).jwt.\(name)", step: step)
        case .null: break
        default: values[path] = value.text()
        }
    }

    func filled(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            result += rest[..<start.lowerBound] + value(String(rest[start.upperBound..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Fresh values need only differ from each other: every conversation begins on an empty server.
    private func value(_ name: String) -> String {
        if let value = values[name] { return value }
        let pieces = name.split(separator: ".", maxSplits: 1)
        guard pieces.count == 2 else { return "?\(name)" }
        let sum = pieces[1].utf8.reduce(7) { ($0 * 31 + Int($1)) % 9_000_000 } + 1_000_000
        switch pieces[0] {
        case "new": return "\(pieces[1])-recorded1@example.com"
        case "phone": return "1555\(sum)"
        case "ip": return "10.\(sum % 250).\(sum / 250 % 250).7"
        default: return "?\(name)"
        }
    }
}
