internal import LockstepPrimitives

/// Values of the server, by name: ids, tokens, codes.
///
/// Later requests use them.
struct ValuePool {
    private var values: [String: [String]] = [:]
    private static let depth = 12

    /// Names are equal regardless of their spelling: `userId` and `user_id`.
    static func key(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    mutating func learn(_ name: String, _ value: String) {
        guard !value.isEmpty, value.utf8.count < 5000 else { return }
        let name = Self.key(name)
        var known = values[name] ?? []
        if known.contains(value) { return }
        known.append(value)
        values[name] = known.suffix(Self.depth)
    }

    /// Stores every text of a response.
    mutating func learn(_ json: JSON, as name: String = "") {
        switch json {
        case .object(let members): for (name, value) in members { learn(value, as: name) }
        case .array(let elements): for value in elements.prefix(20) { learn(value, as: name) }
        case .string(let text): learn(name, text)
        default: break
        }
    }

    /// A value that matches the name, or one of the ids.
    func value(for name: String, _ dice: Dice) -> String? {
        let key = Self.key(name)
        if let known = values[key], !known.isEmpty { return dice.pick(known) }
        guard key.hasSuffix("id"), let ids = values["id"], !ids.isEmpty else { return nil }
        return dice.pick(ids)
    }
}
