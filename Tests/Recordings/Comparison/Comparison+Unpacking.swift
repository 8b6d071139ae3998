internal import LockstepPrimitives
internal import LockstepTokens

extension Comparison {
    /// The marks of a recording for a text that is compared by its content.
    static let packed: Set = ["<jwt>", "<json>", "<url>"]

    /// Tokens are compared by their claims, JSON in texts as JSON, addresses by their parts.
    mutating func unpack(_ kind: String, _ wanted: JSON, _ got: JSON, at path: String) {
        let text = got.string ?? ""
        switch kind {
        case "<jwt>":
            guard let token = try? UnverifiedToken(text) else { return add(path, "a JSON Web Token", got) }
            if let header = wanted["header"] { compare(header, .object(token.header), at: path + "<jwt>.header") }
            if let claims = wanted["claims"] { compare(claims, .object(token.claims), at: path + "<jwt>.claims") }
        case "<json>":
            guard let inner = try? JSON.parse(text), inner.object != nil || inner.array != nil else {
                return add(path, "a text that holds JSON", got)
            }
            compare(wanted, inner, at: path + "<json>")
        default:
            guard text.contains("://") else { return add(path, "an address", got) }
            compare(wanted, SplitAddress(text).json, at: path + "<url>")
        }
    }

    /// Sorts lists without a meaningful order into the order of the recording.
    func aligned(_ got: JSON, with wanted: JSON) -> JSON {
        switch (wanted, got) {
        case (.object(let wanted), .object(let got)):
            return .object(
                JSONObject(
                    got.map { name, value in
                        guard let other = wanted[name] else { return (name, value) }
                        return (name, aligned(unordered.contains(name) ? nearest(value, to: other) : value, with: other))
                    }))
        case (.array(let wanted), .array(let got)) where wanted.count == got.count:
            return .array(zip(wanted, got).map { aligned($0.1, with: $0.0) })
        default: return got
        }
    }

    /// The order of a short list that differs least from the recorded one.
    ///
    /// For a longer list, the nearest element in turn.
    private func nearest(_ got: JSON, to wanted: JSON) -> JSON {
        guard let elements = got.array, let wanted = wanted.array, elements.count == wanted.count, elements.count > 1 else {
            return got
        }
        let distances = wanted.map { wanted in elements.map { distance(wanted, $0) } }
        guard elements.count <= 5 else { return .array(greedy(distances).map { elements[$0] }) }
        let orders = Self.permutations(Array(elements.indices))
        let best = orders.min { left, right in cost(left, distances) < cost(right, distances) }
        return .array((best ?? []).map { elements[$0] })
    }

    private func cost(_ order: [Int], _ distances: [[Int]]) -> Int {
        order.enumerated().reduce(0) { $0 + distances[$1.offset][$1.element] }
    }

    private func greedy(_ distances: [[Int]]) -> [Int] {
        var free = Array(distances.indices)
        return distances.compactMap { row in
            guard let place = free.indices.min(by: { row[free[$0]] < row[free[$1]] }) else { return nil }
            return free.remove(at: place)
        }
    }

    private func distance(_ wanted: JSON, _ got: JSON) -> Int {
        var trial = Comparison(bindings, step: step, now: now, unordered: unordered, holdsLengths: holdsLengths)
        trial.compare(wanted, got, at: "")
        return trial.differences.count
    }

    /// In the order of the dictionary, so that equal ones keep their order.
    private static func permutations(_ elements: [Int]) -> [[Int]] {
        guard elements.count > 1 else { return [elements] }
        return elements.flatMap { first in permutations(elements.filter { $0 != first }).map { [first] + $0 } }
    }
}
