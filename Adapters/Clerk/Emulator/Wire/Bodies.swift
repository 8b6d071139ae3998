import LockstepEmulation
import LockstepPrimitives

extension BodySchema {
    /// Returns the parameters of a form, each at most once, except those that may repeat.
    static func form(_ names: String..., lists: [String] = []) -> BodySchema { form(names, lists: lists) }

    /// Returns the parameters of a form, by names from a list.
    static func form(_ names: [String], lists: [String] = []) -> BodySchema {
        BodySchema(name: "form", names.map { ($0, .text) } + lists.map { ($0, .list(.text)) })
    }

    /// No members; an endpoint without a schema ignores its body.
    static let empty = BodySchema(name: "empty", [])

    /// Whether a body must fit the schema.
    var isChecked: Bool { !members.isEmpty || !name.isEmpty }

    /// Returns the kind of a member; `nil` if the schema lacks it.
    func kind(of name: String) -> Kind? { members.first { $0.name == name }?.kind }
}

extension BodySchema.Kind {
    /// Whether a parameter may repeat.
    var isList: Bool { if case .list = self { true } else { false } }

    /// The name of the kind in errors.
    var word: String {
        switch self {
        case .flag: "boolean"
        case .whole, .number: "integer"
        case .object, .members, .map: "object"
        case .list: "array"
        default: "string"
        }
    }
}

extension BodyRules {
    /// Clerk's rules: unknown members are reported, no value is converted to another kind, and `null` is treated as
    /// absent.
    static let clerk = BodyRules(unknown: .rejected, values: .exact, ignoresNull: true)
}

extension Call {
    /// Reads the form of a request to the Frontend API.
    mutating func readForm(_ request: EmulatorRequest) throws(ClerkError) {
        guard !request.body.isEmpty else { return }
        switch request.mediaType {
        case "application/x-www-form-urlencoded", "":
            guard let text = String(validating: request.body, as: UTF8.self), let pairs = Percent.decodeForm(text) else {
                throw .malformedBody("The form is not encoded rightly. Check its percent signs, and that it is UTF-8.")
            }
            form = Form(pairs)
        case "multipart/form-data":
            let parts = try Multipart(request)
            (form, files) = (Form(parts.fields), parts.files)
        // clerk-js sends a picture from a data URL in this way: the bytes in base 64.
        case "application/octet-stream":
            guard let text = String(validating: request.body, as: UTF8.self), let bytes = Base64.decode(text.trimmed) else {
                throw .malformedBody("A body of application/octet-stream must be the file in base 64.")
            }
            files = ["file": bytes]
        default: throw .contentType(request.mediaType, expected: "application/x-www-form-urlencoded")
        }
    }

    /// Reads the JSON body of a request to the Backend API.
    mutating func readFields(_ request: EmulatorRequest) throws(ClerkError) {
        guard !request.body.isEmpty else { return }
        switch request.mediaType {
        case "application/json":
            let json = try? request.json()
            if let object = json?.object { return fields = Fields(object: object) }
            guard let list = json?.array, list.allSatisfy({ $0.object != nil }) else {
                throw .malformedBody("The body must be a JSON object, or a list of objects where the operation takes one.")
            }
            elements = list.map { Fields(object: $0.object ?? [:]) }
        case "multipart/form-data": files = try Multipart(request).files
        default: throw .contentType(request.mediaType, expected: "application/json")
        }
    }
}

extension Multipart {
    fileprivate init(_ request: EmulatorRequest) throws(ClerkError) {
        guard let parts = Multipart(request.body, contentType: request.headers["content-type"] ?? "") else {
            throw .malformedBody("The body is no multipart/form-data. Check its boundary.")
        }
        self = parts
    }
}
