internal import LockstepEmulation
internal import LockstepPrimitives

/// One run of an endpoint in its transaction.
typealias RequestContext = LockstepEmulation.RequestContext<ServerState>

/// The handler of one route.
protocol Endpoint: Sendable {
    /// Whether it only reads and needs no transaction.
    var isReading: Bool { get }

    /// Answers a request; runs again after each deferred work.
    ///
    /// - Throws: `GoTrueError` for a refusal, `Redirected` for one that redirects a browser.
    func answer(_ context: RequestContext) throws -> EmulatorResponse
}

extension Endpoint {
    var isReading: Bool { false }
}

/// The rules that endpoints use, each a small type over the request.
extension RequestContext {
    var authenticator: BearerAuthenticator { BearerAuthenticator(context: self) }
    var limits: RequestLimits { RequestLimits(context: self) }
    var accounts: Accounts { Accounts(context: self) }
    var passwords: Passwords { Passwords(context: self) }
    var signUps: SignUps { SignUps(context: self) }
    var sessions: Sessions { Sessions(context: self) }
    var verification: Verification { Verification(context: self) }
    var flows: Flows { Flows(context: self) }
    var factors: FactorRules { FactorRules(context: self) }
    var passkeys: Passkeys { Passkeys(context: self) }
    var providerSignIn: ProviderSignIn { ProviderSignIn(context: self) }
    var providerClient: ProviderClient { ProviderClient(context: self) }
    var mailer: Mailer { Mailer(context: self) }
    var textMessages: TextMessages { TextMessages(context: self) }
    var hooks: Hooks { Hooks(context: self) }
    var auditLog: AuditLog { AuditLog(context: self) }
}

/// What a request says about itself.
extension RequestContext {
    /// The audience in which users are looked up.
    var audience: String {
        if let asked = request.headers["X-JWT-AUD"], !asked.isEmpty { return asked }
        if let own = caller?.claims.audience, !own.isEmpty { return own }
        return settings.tokens.audience
    }

    /// The target of links.
    var target: String { state.redirects.target(of: request) }

    /// The caller's address: the first of the forwarding header, or the socket's.
    var callerAddress: String {
        let forwarded = request.headers["X-Forwarded-For"]?.pieces(at: ",").first.map { $0.filter { $0 != " " } }
        return forwarded ?? request.remoteAddress
    }

    /// An id of the path; one that is no UUID is not found.
    func pathID(_ name: String) throws(GoTrueError) -> String {
        guard let id = UUIDText.normal(request[placeholder: name]) else {
            throw GoTrueError.notFound(.validationFailed, "\(name) must be an UUID")
        }
        return id
    }
}

extension EmulatorResponse {
    static func go(_ value: JSON, status: Int = 200) -> EmulatorResponse { .json(value, status: status, style: .go) }
    static func go(_ object: JSONObject) -> EmulatorResponse { .go(.object(object)) }
}

/// The fields of a request body, checked against a shape.
struct Body: Sendable {
    private(set) var fields: JSONObject

    init(_ fields: JSONObject = [:]) {
        self.fields = fields
    }

    /// A text; absent and `null` are empty.
    subscript(text name: String) -> String { fields[name]?.string ?? "" }

    /// A text; `nil` where none was sent.
    subscript(sent name: String) -> String? { fields[name]?.string }

    subscript(flag name: String) -> Bool { fields[name]?.bool ?? false }

    /// An object; `nil` where none was sent.
    subscript(object name: String) -> JSONObject? { fields[name]?.object }

    subscript(raw name: String) -> JSON? { fields[name] }

    mutating func set(_ name: String, _ value: JSON?) { fields[name] = value }
}

extension Body {
    /// Reads the body of a request.
    ///
    /// - Parameter prefix: The prefix of a refusal's message.
    init(
        of request: EmulatorRequest, as shape: BodyShape, saying prefix: String = "Could not parse request body as JSON: "
    ) throws(GoTrueError) {
        // The request logger parses forms, and leaves the handler an empty body.
        let bytes = request.mediaType == "application/x-www-form-urlencoded" ? [] : request.body
        do {
            let value = try GoJSON.parse(bytes)
            fields = [:]
            guard !value.isNull else { return }
            guard let object = value.object else {
                throw GoJSON.Malformed(message: "json: cannot unmarshal \(value.goKind) into Go value of type api.\(shape.name)")
            }
            fields = try Self.checked(object, shape, path: shape.name)
        } catch let error as GoJSON.Malformed {
            throw GoTrueError.bad(.badJSON, prefix + error.message)
        } catch {
            throw GoTrueError.unhandled
        }
    }

    private static func checked(_ object: JSONObject, _ shape: BodyShape, path: String) throws -> JSONObject {
        var fields: JSONObject = [:]
        for (name, value) in object {
            guard let field = shape.field(name), !value.isNull else { continue }
            fields[field.name] = try checked(value, field.kind, path: "\(path).\(field.name)")
        }
        return fields
    }

    private static func checked(_ value: JSON, _ kind: BodyShape.Kind, path: String) throws -> JSON {
        switch (kind, value) {
        case (.text, .string), (.flag, .bool), (.object, .object), (.raw, _): return value
        case (.uuid, .string(let text)):
            guard UUIDText.normal(text) != nil else { throw GoJSON.Malformed(message: UUIDText.complaint(about: text)) }
            return value
        case (.texts, .array(let elements)):
            if let wrong = elements.first(where: { $0.string == nil && !$0.isNull }) { throw mismatch(wrong, "string", path) }
            return value
        case (.nested(let shape), .object(let object)), (.optional(let shape), .object(let object)):
            return .object(try checked(object, shape, path: path))
        default: throw mismatch(value, kind.goName, path)
        }
    }

    private static func mismatch(_ value: JSON, _ type: String, _ path: String) -> GoJSON.Malformed {
        GoJSON.Malformed(message: "json: cannot unmarshal \(value.goKind) into Go struct field \(path) of type \(type)")
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
