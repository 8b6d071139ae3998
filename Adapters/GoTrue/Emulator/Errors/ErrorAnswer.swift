internal import LockstepEmulation
internal import LockstepPrimitives

/// Writes an error in the format that the request asked for.
struct ErrorAnswer {
    let version: APIVersion
    let randomness: any Randomness

    func response(to error: GoTrueError) -> EmulatorResponse {
        var response = EmulatorResponse.json(body(of: error), status: error.status, style: .go)
        if case .named(let code) = error.form { response.headers["x-sb-error-code"] = code.rawValue }
        if case .constraint = error.form { response.headers["x-sb-error-code"] = ErrorCode.unexpectedFailure.rawValue }
        if case .weakPassword = error.form, version == .legacy { response.headers["x-sb-error-code"] = error.code.rawValue }
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
        let code = error.status == 500 ? ErrorCode.unexpectedFailure : error.code
        if version == .dated { return ["code": .string(code.rawValue), "message": .string(error.message)] }
        var body: JSONObject = [
            "code": .int(Int64(error.status)), "error_code": .string(code.rawValue), "msg": .string(error.message),
        ]
        if error.status >= 500, case .named = error.form { body["error_id"] = .string(randomness.uuid()) }
        if error.status >= 500, case .hook = error.form { body["error_id"] = .string(randomness.uuid()) }
        return body
    }
}

/// Which of the two error formats a request asked for.
enum APIVersion: Sendable {
    case legacy
    case dated

    /// The one dated version there is.
    static let date = "2024-01-01"

    init(_ request: EmulatorRequest) {
        let text = request.headers["X-Supabase-Api-Version"] ?? ""
        let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDate =
            pieces.count == 3 && pieces.map(\.count) == [4, 2, 2] && pieces.allSatisfy { Int($0) != nil }
            && (1...12).contains(Int(pieces[1]) ?? 0) && (1...31).contains(Int(pieces[2]) ?? 0)
        self = isDate && text >= APIVersion.date ? .dated : .legacy
    }
}

extension JSON.Style {
    /// In the form of Go's encoder.
    static let go = JSON.Style(escapesHTML: true)
}
