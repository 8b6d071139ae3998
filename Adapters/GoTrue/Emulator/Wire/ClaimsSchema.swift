internal import LockstepPrimitives

/// The claims that a hook must keep in an access token, with the error texts of the server's schema library.
enum ClaimsSchema {
    private static let required = ["aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous"]

    private static let kinds: [(name: String, kinds: [String])] = [
        ("aud", ["string", "array"]), ("exp", ["integer"]), ("jti", ["string"]), ("iat", ["integer"]), ("iss", ["string"]),
        ("nbf", ["integer"]), ("sub", ["string"]), ("email", ["string"]), ("phone", ["string"]), ("app_metadata", ["object"]),
        ("user_metadata", ["object"]), ("role", ["string"]), ("aal", ["string"]), ("amr", ["array"]), ("session_id", ["string"]),
    ]

    static func check(_ claims: JSONObject) throws(GoTrueError) {
        var problems = required.filter { claims[$0] == nil }.map { "(root): \($0) is required" }
        for (name, kinds) in kinds {
            guard let value = claims[name], !kinds.contains(kind(of: value)) else { continue }
            let expected = kinds.count == 1 ? kinds[0] : "[" + kinds.joined(separator: ",") + "]"
            problems.append("\(name): Invalid type. Expected: \(expected), given: \(kind(of: value))")
        }
        guard !problems.isEmpty else { return }
        let list = problems.map { "- \($0)\n" }.joined()
        throw GoTrueError.hook(500, "output claims do not conform to the expected schema: \n" + list)
    }

    private static func kind(of value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .int: "integer"
        case .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
