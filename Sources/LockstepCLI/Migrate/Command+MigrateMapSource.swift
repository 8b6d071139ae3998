import LockstepComparison
import LockstepPrimitives
import LockstepSystem
import LockstepUserFields

extension Command {
    /// The command `lockstep migrate map-source`.
    static let migrateMapSource = Command(
        name: "migrate map-source",
        summary: "propose a mapping.json for a file of users in your own format",
        about: """
            Reads the first \(SourceProposal.sample) users of a JSON list, of JSON Lines or of comma-separated values with a line of \
            names, and writes a mapping.json that names the member for each field. Prints the members that it did not understand; \
            they are left out until you give them a field. Never overwrites a file, and prints no value of a user. \
            move.json names the mapping in from.mapping (docs/migration.md).
            """,
        operands: Operands(placeholder: "FILE", summary: "the file of users", choices: []),
        options: [
            Option("output", .path("MAPPING"), "the file to write; - prints it (default: mapping.json)"),
            Option("format", .choice(["text", "json"]), "output format (default: text)"),
            Option("print-schema", .none, "print the JSON Schema of mapping.json, and exit"),
        ],
        examples: [
            Example(line: "lockstep migrate map-source auth0-users.jsonl", meaning: "writes mapping.json"),
            Example(line: "lockstep migrate map-source users.csv --output -", meaning: "print the proposal"),
            Example(line: "lockstep migrate map-source --print-schema > mapping.schema.json", meaning: "for an editor"),
        ]
    ) { invocation, terminal in
        if invocation.has("print-schema") {
            try terminal.print(SourceMapping.schema.text(.indented))
            return .success
        }
        guard let file = invocation.operands.first, invocation.operands.count == 1 else {
            throw UsageError("name one file of users, as in: lockstep migrate map-source users.jsonl")
        }
        let path = try invocation["output"] ?? LocalPath.resolve("mapping.json")
        let proposal = try SourceProposal(of: file)
        let text = proposal.document.text(.indented)
        guard path != "-" else {
            for line in proposal.notes { terminal.tell(line) }
            try terminal.print(text)
            return .success
        }
        let isThere: Bool
        do throws(SystemError) {
            isThere = try FileStatus(of: path) != nil
            if !isThere { try AtomicFile.replace(path, with: Array((text + "\n").utf8), mode: 0o644) }
        } catch {
            throw UsageError("cannot write \"\(path)\": \(error.reason). Choose another folder.")
        }
        guard !isThere else { throw UsageError("\"\(path)\" already exists. Remove it, or name another file with --output.") }
        if invocation["format"] == "json" {
            let json: JSON = [
                "version": .int(Comparison.formatVersion),
                "source": [
                    "file": .string(path), "mapping": proposal.document,
                    "unknown": .array(proposal.unknown.map { ["member": .string($0.name), "type": .string($0.type)] }),
                    "missing": .array(proposal.missing.map(JSON.string)),
                ],
            ]
            try terminal.print(json.text(.indented))
        } else {
            let fields = proposal.fields.map { "  \($0.0): \($0.1.text())" }
            try terminal.print((["\(path): written"] + fields + proposal.notes).map(\.visible).joined(separator: "\n"))
        }
        return .success
    }
}

extension SourceProposal {
    /// What the file does not say, in lines for a person.
    fileprivate var notes: [String] {
        let missing = missing.map { "missing: no member looks like \"\($0)\"" }
        let unknown = unknown.map { "not understood: \($0.name.visible) (\($0.type)), in \"leftOut\"" }
        return missing + unknown
    }
}

extension SourceMapping {
    /// The JSON Schema of the file, from the list of fields: docs/mapping.schema.json.
    static var schema: JSON {
        let names: JSON = ["type": "string", "minLength": 1]
        func value(_ more: JSONObject) -> JSON {
            var members: JSONObject = [
                "from": [
                    "description": "The member of the source. Dots lead into objects; the texts of several members are joined.",
                    "anyOf": [names, ["type": "array", "items": names, "minItems": 1]],
                ],
                "join": ["type": "string", "description": "The text between the texts of several members. Default: a space."],
                "words": ["type": "object", "description": "The value for each word of the source; null for no value."],
            ]
            for (name, schema) in more { members[name] = schema }
            return ["anyOf": [names, ["type": "object", "additionalProperties": false, "properties": .object(members)]]]
        }
        func forms(_ forms: [String]) -> JSON {
            ["enum": .array(forms.map(JSON.string)), "description": "The form in the source."]
        }
        let constant: JSON = ["description": "The value of all users."]
        let definitions: JSONObject = [
            "value": value(["constant": constant]), "ownValue": value([:]), "hash": value(["form": forms(hashForms)]),
            "time": value(["form": forms(timeForms), "constant": constant]), "ownTime": value(["form": forms(timeForms)]),
        ]
        func reference(_ name: String) -> JSON { ["$ref": .string("#/$defs/\(name)")] }
        func schema(_ kind: UserFieldKind, isOwn: Bool) -> JSON {
            switch kind {
            case .time: return reference(isOwn ? "ownTime" : "time")
            case .text, .flag, .whole, .object, .texts: return reference(isOwn ? "ownValue" : "value")
            case .list(let elements):
                let members = elements.map { ($0.name, schema($0.kind, isOwn: !elementConstants.contains($0.name))) }
                return value([
                    "each": ["type": "object", "additionalProperties": false, "properties": .object(JSONObject(members))]
                ])
            }
        }
        var fields: JSONObject = [:]
        var patterns: JSONObject = [:]
        for row in known {
            let isOwn = row.use.contains(.proven)
            fields[row.name] = row.name == hash ? reference("hash") : schema(row.kind, isOwn: isOwn)
            if case .object = row.kind { patterns["^\(row.name)\\.."] = schema(row.kind, isOwn: isOwn) }
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "mapping.json",
            "description": "Which member of a file of users is which field of a user, for lockstep migrate.",
            "type": "object", "additionalProperties": false, "required": ["version", "fields"],
            "properties": [
                "$schema": ["type": "string", "description": "The location of this schema, for an editor."],
                "version": ["const": .int(version), "description": "The version of this file format."],
                "fields": [
                    "type": "object", "additionalProperties": false, "required": ["id"], "properties": .object(fields),
                    "patternProperties": .object(patterns),
                ],
                "leftOut": [
                    "type": "array", "items": names, "description": "The members of the source that have no field on purpose.",
                ],
            ],
            "$defs": .object(definitions),
        ]
    }
}
