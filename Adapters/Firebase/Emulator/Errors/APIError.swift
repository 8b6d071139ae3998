internal import LockstepEmulation
internal import LockstepPrimitives

/// An error in Google's error format.
struct APIError: TransactionalError, Equatable {
    let status: Int
    let message: String
    /// The member `error.status`, which only some errors have.
    let name: String?
    /// Firebase's `error.errors`.
    let reasons: [JSON]
    private(set) var keepsChanges = false

    private init(_ status: Int, _ message: String, name: String? = nil, reason: String, domain: String? = "global") {
        self.init(status, message, name: name, reasons: [Self.reason(message, reason, domain: domain)])
    }

    private init(_ status: Int, _ message: String, name: String?, reasons: [JSON]) {
        self.status = status
        self.message = message
        self.name = name
        self.reasons = reasons
    }

    private static func reason(_ message: String, _ reason: String, domain: String?) -> JSON {
        var members: JSONObject = ["message": .string(message), "reason": .string(reason)]
        if let domain { members["domain"] = .string(domain) }
        return .object(members)
    }

    var sentence: String { message }

    /// The body that is sent.
    var body: JSON {
        var error: JSONObject = ["code": .int(Int64(status)), "message": .string(message), "errors": .array(reasons)]
        if let name { error["status"] = .string(name) }
        return ["error": .object(error)]
    }

    var response: EmulatorResponse { .json(body, status: status, contentType: "application/json; charset=utf-8") }

    /// The same error for a request whose changes are kept, such as a used code or a counted failure.
    var keepingChanges: APIError {
        var copy = self
        copy.keepsChanges = true
        return copy
    }
}

extension APIError {
    /// Returns an error `CODE` or `CODE : detail`, which is the form of every error of an operation.
    static func refused(_ code: ErrorCode, _ detail: String? = nil) -> APIError {
        APIError(
            code.status, detail.map { "\(code.rawValue) : \($0)" } ?? code.rawValue, name: code.name, reason: code.reason)
    }

    /// Returns the error 400 with a sentence that has no code.
    static func refused(sentence: String) -> APIError {
        APIError(400, sentence, reason: "invalid")
    }

    /// Returns the error 400 for a body with a wrong structure.
    static func badPayload(_ detail: String, reason: String = "invalid") -> APIError {
        APIError(400, "Invalid JSON payload received. \(detail)", name: "INVALID_ARGUMENT", reason: reason)
    }

    /// Returns the error 400 for a media type that the route does not accept.
    static func badContentType(_ type: String) -> APIError {
        APIError(400, "Invalid content-type: \(type)", reason: "unknown", domain: nil)
    }

    /// The error 401 for a bearer token that is not an administrator's.
    static let badBearer = APIError(
        401,
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication "
            + "credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
        name: "UNAUTHENTICATED",
        reasons: [
            [
                "message": "Invalid Credentials", "domain": "global", "reason": "authError", "location": "Authorization",
                "locationType": "header",
            ]
        ])

    /// The error 403 if there is neither an API key nor a bearer token.
    static let noKey = APIError(403, "The request is missing a valid API key.", name: "PERMISSION_DENIED", reason: "forbidden")

    /// For an unreadable request.
    static func unreadable(_ sentence: String, status: Int) -> APIError {
        APIError(status, sentence, name: "INVALID_ARGUMENT", reason: "badRequest")
    }

    /// 404 for an unknown path.
    static let notFound = APIError(404, "Not Found", name: "NOT_FOUND", reason: "notFound", domain: nil)

    /// The error 400 for a sign-in with an identity provider that the project does not have.
    static let unknownProvider = APIError.refused(.operationNotAllowed, "The identity provider configuration is not found.")

    /// Returns 501 for calls that Firebase's emulator lacks, or 400 in production's form for the same.
    static func notImplemented(_ message: String) -> APIError {
        APIError(501, message, name: "NOT_IMPLEMENTED", reason: "unimplemented", domain: nil)
    }

    /// Returns the error 500 for a failure of this server or of one that it called.
    static func inside(_ message: String, reason: String = "INTERNAL") -> APIError {
        APIError(500, message, name: "INTERNAL", reason: reason, domain: nil)
    }
}

extension APIError {
    /// Runs `body`, whose errors keep the changes that the request has made so far.
    static func keepingChanges<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as APIError {
            throw refusal.keepingChanges
        }
    }

    /// The error for a message that cannot be sent.
    static let outboxUnreachable = APIError.inside("OutboxError: unreachable")
}
