internal import LockstepEmulation
internal import LockstepPrimitives

extension BodyRules {
    /// The rules of Go's decoder: it ignores unknown members and `null`, and compares names exactly first.
    static let go = BodyRules(unknown: .ignored, values: .exact, spelling: .anyCase, ignoresNull: true)
}

extension BodySchema {
    /// Returns the members of one of Go's structures, whose name is part of the texts of errors.
    static func go(_ name: String, _ parts: BodySchema...) -> BodySchema {
        BodySchema(name: name, parts.flatMap(\.members))
    }

    /// The captcha token.
    static let security: BodySchema = ["gotrue_meta_security": .members(.go("GotrueSecurity", ["captcha_token": .text]))]
    /// The two members of a flow with PKCE.
    static let proof: BodySchema = ["code_challenge": .text, "code_challenge_method": .text]
}

extension BodySchema.Kind {
    /// A UUID in any spelling of the server's library.
    static let uuid = BodySchema.Kind.checked { UUIDText.normal($0) != nil }
}

extension Body {
    static let prefix = "Could not parse request body as JSON: "

    /// Reads the body of a request.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of an error's message.
    /// - Throws: `GoTrueError`.
    init(of request: EmulatorRequest, as schema: BodySchema, saying prefix: String = Body.prefix) throws(GoTrueError) {
        self.init()
        guard !schema.members.isEmpty else { return }
        // The request logger parses forms, and leaves an empty body for the handler.
        let bytes = request.mediaType == "application/x-www-form-urlencoded" ? [] : request.body
        do {
            let value = try GoJSON.parse(bytes)
            guard !value.isNull else { return }
            guard let object = value.object else {
                throw GoJSON.Malformed(message: "json: cannot unmarshal \(value.goKind) into Go value of type api.\(schema.name)")
            }
            self.init(try schema.read(object, .go))
        } catch let error as GoJSON.Malformed {
            throw GoTrueError.badJSON(prefix + error.message)
        } catch let fault as BodyFault {
            throw GoTrueError.badJSON(prefix + fault.goText(in: schema))
        } catch {
            throw GoTrueError.unhandled
        }
    }

    /// The text of a member; missing members and `null` are empty, as in Go.
    subscript(text name: String) -> String { text(name) ?? "" }
}

extension BodyFault {
    /// The error text of Go's decoder, or of the server's UUID library.
    fileprivate func goText(in schema: BodySchema) -> String {
        guard case .kind(let expected, let found, let path) = self else { return "" }
        if case .checked = expected, let text = found.string { return UUIDText.complaint(about: text) }
        let place = ([schema.name] + path).joined(separator: ".")
        return "json: cannot unmarshal \(found.goKind) into Go struct field \(place) of type \(expected.goName)"
    }
}

extension BodySchema.Kind {
    /// The name of Go's type, for error texts.
    fileprivate var goName: String {
        switch self {
        case .text: "string"
        case .flag: "bool"
        case .object: "map[string]interface {}"
        case .checked: "uuid.UUID"
        case .members(let schema): "api." + schema.name
        default: "json.RawMessage"
        }
    }
}

extension JSON {
    /// Go's name of this kind of value.
    fileprivate var goKind: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .int, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
