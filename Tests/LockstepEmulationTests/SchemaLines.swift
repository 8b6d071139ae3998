import LockstepPrimitives

@testable import LockstepEmulation

/// The members of a JSON Schema and of a declaration as lines for a comparison.
enum SchemaLines {
    /// The members of a JSON Schema, with their kinds.
    static func lines(_ schema: JSON, at place: String = "") -> Set<String> {
        var lines: Set<String> = []
        for (name, member) in schema["properties"]?.object ?? [:] {
            lines.insert("\(place)\(name): \(Self.kind(member))")
            let element = member["items"] ?? member
            if element["properties"] != nil { lines.formUnion(Self.lines(element, at: "\(place)\(name).")) }
        }
        return lines
    }

    private static func kind(_ member: JSON) -> String {
        if member["const"] != nil { return "number" }
        if member["enum"] != nil { return "string" }
        if member["type"]?.string == "integer" { return "number" }
        let type = member["type"]?.string ?? ""
        return type == "array" ? "array of \(kind(member["items"] ?? .null))" : type
    }

    /// The members of a declaration, with their kinds.
    static func lines(_ schema: BodySchema, at place: String = "") -> Set<String> {
        var lines: Set<String> = []
        for (name, kind) in schema.members {
            lines.insert("\(place)\(name): \(Self.kind(kind))")
            var element = kind
            if case .list(let inner) = kind { element = inner }
            if case .members(let inner) = element { lines.formUnion(Self.lines(inner, at: "\(place)\(name).")) }
        }
        return lines
    }

    private static func kind(_ kind: BodySchema.Kind) -> String {
        switch kind {
        case .text, .choice: "string"
        case .flag: "boolean"
        case .whole: "number"
        case .object, .members: "object"
        case .list(let element): "array of \(Self.kind(element))"
        default: "unknown"
        }
    }
}
