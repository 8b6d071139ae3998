internal import LockstepPrimitives
internal import LockstepTokens

/// Values of earlier steps of a conversation, under the names that later steps use: `${0.json.user.id}`.
struct Bindings: Sendable {
    /// A reference to a value that no step has returned.
    struct Unbound: Error, CustomStringConvertible {
        let name: String
        var description: String { "nothing is bound to ${\(name)}" }
    }

    private var values: [String: JSON]
    private let randomness: any Randomness

    /// - `values`: the values of the server's document, and its own addresses.
    init(_ values: [String: JSON], randomness: any Randomness) {
        self.values = values
        self.randomness = randomness
    }

    /// Stores every leaf of a value, and the claims of every token in it.
    mutating func bind(_ value: JSON, as path: String, step: String) {
        switch value {
        case .object(let members): for (name, value) in members { bind(value, as: "\(path).\(name)", step: step) }
        case .array(let elements):
            for (index, value) in elements.enumerated() { bind(value, as: "\(path).\(index)", step: step) }
        default:
            values[path] = value
            guard let text = value.string, let token = try? UnverifiedToken(text), let name = path.split(separator: ".").last
            else { return }
            bind(.object(token.claims), as: "\(step).jwt.\(name)", step: step)
        }
    }

    /// The text with all references filled in.
    ///
    /// A text that is only one reference becomes the referenced value.
    mutating func filled(_ text: String) throws(Unbound) -> JSON {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}"),
            end > start.upperBound
        {
            let found = try value(String(rest[start.upperBound..<end]))
            let after = rest.index(after: end)
            if start.lowerBound == text.startIndex, after == text.endIndex { return found }
            result += rest[..<start.lowerBound] + (found.string ?? found.text())
            rest = rest[after...]
        }
        return .string(result + rest)
    }

    /// New values are generated at their first use.
    private mutating func value(_ name: String) throws(Unbound) -> JSON {
        if let value = values[name] { return value }
        let pieces = name.split(separator: ".", maxSplits: 1)
        guard pieces.count == 2 else { throw Unbound(name: name) }
        let fresh: String
        switch pieces[0] {
        case "new": fresh = "\(pieces[1])-\(randomness.text(8))@example.com"
        case "phone": fresh = "1555" + randomness.text(7, of: "0123456789")
        case "ip": fresh = randomness.bytes(4).map { String($0 % 254 + 1) }.joined(separator: ".")
        default: throw Unbound(name: name)
        }
        values[name] = .string(fresh)
        return .string(fresh)
    }
}
