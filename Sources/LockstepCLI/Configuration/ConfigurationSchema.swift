import LockstepPrimitives

/// The JSON Schema of lockstep.json, generated from the declarations of the options: docs/lockstep.schema.json.
enum ConfigurationSchema {
    static var document: JSON {
        var properties: JSONObject = [
            "$schema": ["type": "string", "description": "The location of this schema, for an editor."],
            "version": ["const": .int(ConfigurationFile.version), "description": "The version of this file format."],
        ]
        for setting in Command.sharedSettings { properties[setting.member] = schema(of: setting.option) }
        for command in Command.configured {
            properties[command.name] = [
                "type": "object", "description": .string("Settings for lockstep \(command.name) only."),
                "additionalProperties": false,
                "properties": .object(JSONObject(command.settings.map { ($0.member, schema(of: $0.option)) })),
            ]
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "lockstep.json",
            "description": "The settings of lockstep serve and lockstep exec. Paths are relative to this file's folder.",
            "type": "object", "additionalProperties": false, "properties": .object(properties),
        ]
    }

    private static func schema(of option: Option) -> JSON {
        var schema: JSONObject = [:]
        switch option.value {
        case .none: schema["type"] = "boolean"
        case .text, .path: (schema["type"], schema["minLength"]) = ("string", 1)
        case .providerPath(_, let providers):
            let path: JSON = ["type": "string", "minLength": 1]
            schema["type"] = "object"
            schema["additionalProperties"] = false
            schema["properties"] = .object(JSONObject(withAliases(providers).map { ($0, path) }))
        case .number(_, let range):
            schema["type"] = "integer"
            (schema["minimum"], schema["maximum"]) = (.int(Int64(range.lowerBound)), .int(Int64(range.upperBound)))
        case .choice(let words): schema["enum"] = .array(withAliases(words).map { .string($0) })
        case .choices(_, let words):
            schema["type"] = "array"
            schema["items"] =
                words.isEmpty ? ["type": "string", "minLength": 1] : ["enum": .array(withAliases(words).map { .string($0) })]
        }
        schema["description"] = .string(option.about)
        return .object(schema)
    }

    /// Returns the words with their aliases.
    private static func withAliases(_ words: [String]) -> [String] {
        words + Providers.aliases.filter { words.contains($0.value) }.map(\.key).sorted()
    }
}
