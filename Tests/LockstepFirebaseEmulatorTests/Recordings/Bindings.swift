import LockstepPrimitives
import LockstepTokens

/// What earlier steps of a conversation said, under the names by which later ones refer to it: `${0.json.idToken}`.
struct Bindings {
    private var values: [String: String]

    init(base: String, project: String) {
        values = ["env.base": base, "env.project": project, "env.api_key": "any"]
    }

    /// Remembers every text of an answer, and the claims of every token in it.
    mutating func bind(_ answer: JSON, as path: String, step: Int) {
        switch answer {
        case .object(let members):
            for (name, value) in members { bind(value, as: "\(path).\(name)", step: step) }
        case .array(let elements):
            for (index, value) in elements.enumerated() { bind(value, as: "\(path).\(index)", step: step) }
        case .string(let text):
            values[path] = text
            guard let token = try? UnverifiedToken(text), let name = path.split(separator: ".").last else { return }
            bind(.object(token.claims), as: "\(step).jwt.\(name)", step: step)
        default: break
        }
    }

    /// A value with all references filled in, and all texts made that are to be computed.
    func filled(_ value: JSON, now: Instant) -> JSON {
        switch value {
        case .string(let text): .string(filled(text))
        case .array(let elements): .array(elements.map { filled($0, now: now) })
        case .object(let members):
            if let seconds = members["$now"]?.int {
                .string(String(now.seconds + seconds))
            } else if let token = members["$jwt"]?["claims"]?.object {
                .string(TokenWriter.unsigned(token))
            } else if let token = members["$bearer"] {
                .string("Bearer " + (filled(token, now: now).string ?? ""))
            } else {
                .object(JSONObject(members.map { ($0.name, filled($0.value, now: now)) }))
            }
        default: value
        }
    }

    func filled(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            result += rest[..<start.lowerBound]
            result += value(String(rest[start.upperBound..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private func value(_ name: String) -> String {
        if let value = values[name] { return value }
        // Fresh addresses need only differ from each other: every conversation begins on an empty project.
        return name.hasPrefix("new.") ? name.dropFirst(4) + "@example.com" : "?\(name)"
    }
}
