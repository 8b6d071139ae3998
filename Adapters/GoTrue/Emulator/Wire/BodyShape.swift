/// The fields of a request body, which Go's decoder checks before the handler.
struct BodyShape: Sendable {
    /// The type of a field; all accept `null`.
    indirect enum Kind: Sendable {
        case text
        case flag
        case object
        case texts
        case uuid
        /// Unchecked.
        case raw
        case nested(BodyShape)
        /// A nested structure that may be absent.
        case optional(BodyShape)

        /// The name of Go's type, for error texts.
        var goName: String {
            switch self {
            case .text: "string"
            case .flag: "bool"
            case .object: "map[string]interface {}"
            case .texts: "[]string"
            case .uuid: "uuid.UUID"
            case .raw: "json.RawMessage"
            case .nested(let shape), .optional(let shape): "api." + shape.name
            }
        }
    }

    /// The name of Go's structure.
    var name: String
    var fields: [(name: String, kind: Kind)]

    init(_ name: String, _ fields: [(name: String, kind: Kind)]) {
        self.name = name
        self.fields = fields
    }

    /// Go matches names exactly first, and without regard to case otherwise.
    func field(_ name: String) -> (name: String, kind: Kind)? {
        fields.first { $0.name == name } ?? fields.first { $0.name.lowercased() == name.lowercased() }
    }
}

extension BodyShape {
    static let security: (name: String, kind: Kind) = (
        "gotrue_meta_security", .nested(BodyShape("GotrueSecurity", [("captcha_token", .text)]))
    )
    static let proof: [(name: String, kind: Kind)] = [("code_challenge", .text), ("code_challenge_method", .text)]
}
