internal import LockstepEmulation
internal import LockstepPrimitives

/// An error of the server, in one of its formats.
struct GoTrueError: TransactionalError {
    enum Form {
        /// Status, code, message.
        case named(String)
        /// A password that is too weak, with the reasons.
        case weakPassword(reasons: [String])
        /// `error` and `error_description`, always 400 and without a code.
        case oauth(error: String)
        /// An unhandled error; its text has no details.
        case unhandled
        /// A hook's own error.
        case hook
        /// A broken constraint of the database, which older clients get unchanged.
        case constraint(Constraint)
    }

    /// PostgreSQL's error for a broken constraint.
    struct Constraint {
        var message: String
        var detail: String
    }

    var status: Int
    var form: Form
    var message: String
    var headers: [(name: String, value: String)] = []
    /// Whether the transaction is committed.
    var keepsChanges = false

    /// The code in redirects and headers.
    var code: String {
        switch form {
        case .named(let code): code
        case .weakPassword: "weak_password"
        case .oauth, .hook: "unknown"
        case .unhandled, .constraint: Self.unexpected
        }
    }

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        form = .named(code)
        self.message = message
    }

    init(status: Int, form: Form, message: String) {
        self.status = status
        self.form = form
        self.message = message
    }

    var sentence: String { message }

    func with(_ name: String, _ value: String) -> GoTrueError {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }
}

extension GoTrueError {
    /// The same error, with the transaction committed.
    var kept: GoTrueError {
        var copy = self
        copy.keepsChanges = true
        return copy
    }
}

/// Writes an error in the format that the request requires.
struct ErrorResponse {
    let version: APIVersion
    let randomness: any Randomness

    func response(to error: GoTrueError) -> EmulatorResponse {
        var response = EmulatorResponse.json(body(of: error), status: error.status, style: .go)
        if case .named(let code) = error.form { response.headers["x-sb-error-code"] = code }
        if case .constraint = error.form { response.headers["x-sb-error-code"] = GoTrueError.unexpected }
        if case .weakPassword = error.form, version == .legacy { response.headers["x-sb-error-code"] = error.code }
        if version == .dated { response.headers["X-Supabase-Api-Version"] = APIVersion.date }
        for (name, value) in error.headers { response.headers[name] = value }
        return response
    }

    private func body(of error: GoTrueError) -> JSON {
        switch error.form {
        case .oauth(let name):
            return ["error": .string(name), "error_description": .string(error.message)]
        case .constraint(let constraint) where version == .legacy:
            return ["code": "23505", "message": .string(constraint.message), "detail": .string(constraint.detail)]
        case .weakPassword(let reasons):
            var body = plain(error)
            body["weak_password"] = ["reasons": .array(reasons.map(JSON.string))]
            return .object(body)
        default:
            return .object(plain(error))
        }
    }

    private func plain(_ error: GoTrueError) -> JSONObject {
        let code = error.status == 500 ? GoTrueError.unexpected : error.code
        if version == .dated { return ["code": .string(code), "message": .string(error.message)] }
        var body: JSONObject = [
            "code": .int(Int64(error.status)), "error_code": .string(code), "msg": .string(error.message),
        ]
        if error.status >= 500, case .named = error.form { body["error_id"] = .string(randomness.uuid()) }
        if error.status >= 500, case .hook = error.form { body["error_id"] = .string(randomness.uuid()) }
        return body
    }
}

/// The error format that a request requires.
enum APIVersion: Sendable {
    case legacy
    case dated

    /// The only dated version.
    static let date = "2024-01-01"

    init(_ request: EmulatorRequest) {
        let text = request.headers["X-Supabase-Api-Version"] ?? ""
        let pieces = text.pieces(at: "-", omittingEmptySubsequences: false)
        let isDate =
            pieces.count == 3 && pieces.map(\.count) == [4, 2, 2] && pieces.allSatisfy { Int($0) != nil }
            && (1...12).contains(Int(pieces[1]) ?? 0) && (1...31).contains(Int(pieces[2]) ?? 0)
        self = isDate && text >= APIVersion.date ? .dated : .legacy
    }
}

extension JSON.Style {
    /// The style of Go's encoder.
    static let go = JSON.Style(escapesHTML: true)
}
