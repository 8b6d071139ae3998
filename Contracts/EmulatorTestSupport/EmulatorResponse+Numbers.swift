internal import LockstepContracts
internal import LockstepEmulation
internal import LockstepPrimitives

extension EmulatorResponse {
    /// Returns the same response with impossible numbers and a `Retry-After` header.
    func with(_ numbers: AbsurdNumbers) -> EmulatorResponse {
        var copy = self
        if let json = try? JSON.parse(body) { copy.body = numbers.replacing(json, under: "").bytes() }
        return copy.with("Retry-After", numbers.end.text())
    }
}

extension AbsurdNumbers {
    fileprivate var end: JSON {
        switch self {
        case .largest: .int(.max)
        case .smallest: .int(.min)
        case .farAway: 100_000_000_000_000_000
        case .beyondIntegers: .double(1e300)
        }
    }

    private var beginning: JSON {
        switch self {
        case .largest: .int(.min)
        case .smallest: .int(.max)
        case .farAway, .beyondIntegers: 0
        }
    }

    /// Replaces every number, including numbers in numeric texts and in the claims of tokens.
    fileprivate func replacing(_ value: JSON, under name: String) -> JSON {
        let number = ["iat", "nbf", "auth_time"].contains(name) ? beginning : end
        switch value {
        case .object(let object): return .object(JSONObject(object.map { ($0.name, replacing($0.value, under: $0.name)) }))
        case .array(let elements): return .array(elements.map { replacing($0, under: name) })
        case .int, .double: return number
        case .string(let text) where !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }:
            return .string(number.text())
        case .string(let text):
            guard let claims = CompactToken.unverifiedClaims(of: text) else { return value }
            var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            parts[1] = Base64.encode(replacing(.object(claims), under: "").bytes(), .url)
            return .string(parts.joined(separator: "."))
        default: return value
        }
    }
}
