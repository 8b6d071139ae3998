internal import LockstepPrimitives

extension Redaction {
    /// The secrets of a request's body, by the names they stand under: what an answer must not be shown to repeat.
    ///
    /// Servers quote what they could not read; a quoted secret stands under no name and need not look like one.
    static func secrets(inRequest bytes: [UInt8], type: String) -> [String] {
        var found: [String] = []
        if type.hasPrefix("application/x-www-form-urlencoded") {
            let pairs = Percent.decodeForm(String(decoding: bytes, as: UTF8.self)) ?? []
            for (name, value) in pairs {
                if isSecret(name) { found.append(value) }
                // Some wires carry a form inside of a form or of JSON.
                found += inner(value)
            }
        } else if let json = try? JSON.parse(bytes, rules: .answer) {
            collect(json, under: "", into: &found)
        }
        // Shorter texts are words that stand in answers for other reasons.
        return found.filter { $0.utf8.count >= 8 }
    }

    private static func collect(_ value: JSON, under name: String, into found: inout [String]) {
        switch value {
        case .object(let object): for member in object { collect(member.value, under: member.name, into: &found) }
        case .array(let elements): for element in elements { collect(element, under: name, into: &found) }
        case .string(let text): found += isSecret(name) ? [text] : inner(text)
        default: break
        }
    }

    private static func inner(_ text: String) -> [String] {
        guard text.contains("="), !text.contains(" ") else { return [] }
        return (Percent.decodeForm(text) ?? []).filter { isSecret($0.name) }.map(\.value)
    }

    /// The text without any of the secrets.
    static func without(_ secrets: [String], _ text: String) -> String {
        secrets.reduce(text) { $0.contains($1) ? $0.replacing($1, with: Secret.mask) : $0 }
    }
}
