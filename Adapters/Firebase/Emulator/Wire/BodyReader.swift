internal import LockstepEmulation
internal import LockstepPrimitives

/// Reads the bodies of requests by their schemas.
///
/// Emulator mode first respells all names, as Firebase's emulator does, and ignores unknown names. Strict mode rejects
/// unknown names, accepts both spellings of protobuf's mapping to JSON, and reads `null` as absent.
struct BodyReader {
    let mode: FirebaseMode
    /// Whether a form is accepted, too.
    var takesForms = false

    private var rules: BodyRules {
        mode == .strict
            ? BodyRules(unknown: .rejected, values: .coerced, spelling: .snakeOrCamelCase, ignoresNull: true)
            : BodyRules(unknown: .ignored, values: .coerced)
    }

    /// Returns the members of a request's body.
    func body(of request: EmulatorRequest, _ schema: BodySchema) throws(APIError) -> Body {
        guard ["POST", "PATCH", "PUT"].contains(request.method), !request.body.isEmpty else { return Body() }
        let value: JSON
        switch request.mediaType {
        case "application/json", "":
            do {
                value = try JSON.parse(request.body)
            } catch {
                throw .badPayload("\(error)", reason: "parseError")
            }
        case "application/x-www-form-urlencoded" where takesForms:
            value = .object(JSONObject(request.form().pairs.map { ($0.name, .string($0.value)) }))
        case let type: throw .badContentType(type)
        }
        guard let members = (mode == .strict ? value : MemberSpelling.respelled(value)).object else {
            throw .badPayload(" must be object")
        }
        return try body(members, schema)
    }

    /// The members of an object.
    func body(_ members: JSONObject, _ schema: BodySchema) throws(APIError) -> Body {
        do throws(BodyFault) {
            return Body(try schema.read(members, rules))
        } catch {
            throw .badPayload(error)
        }
    }

    /// Returns the project in the body of a transfer, before the rest of the body is checked.
    func project(of request: EmulatorRequest) throws(APIError) -> String {
        let parsed = request.body.isEmpty ? [:] : try? JSON.parse(request.body)
        guard let members = parsed.map(MemberSpelling.respelled)?.object else {
            throw .badPayload(" must be object", reason: "parseError")
        }
        guard let project = members["targetProjectId"]?.string, !project.isEmpty else {
            throw .refused(.insufficientPermission)
        }
        return project
    }
}

extension APIError {
    /// Returns the error 400 for a body that its schema rejects.
    fileprivate static func badPayload(_ fault: BodyFault) -> APIError {
        switch fault {
        case .unknown(let name, let path):
            let place = path.isEmpty ? "" : " at '\(path.joined(separator: "/"))'"
            return .badPayload("Unknown name \"\(name)\"\(place): Cannot find field.")
        case .kind(let expected, _, let path):
            return .badPayload(path.map { "/" + $0 }.joined() + " must be \(expected.word)")
        }
    }
}

extension BodySchema.Kind {
    /// The name that Google's validators use for the kind of value.
    fileprivate var word: String {
        switch self {
        case .text, .checked: "string"
        case .flag: "boolean"
        case .whole: "integer"
        case .number: "number"
        case .choice: "equal to one of the allowed values"
        case .list: "array"
        case .object, .members, .map, .anything: "object"
        case .optional(let kind), .strictOnly(let kind): kind.word
        }
    }
}
