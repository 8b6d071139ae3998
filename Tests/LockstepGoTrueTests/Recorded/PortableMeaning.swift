import Lockstep
import LockstepPrimitives

/// The portable code of a recorded error, according to the reference and not to the adapter.
enum PortableMeaning {
    /// Errors whose text is more precise than their code, or that have no code.
    private static let texts: [(text: String, code: AuthError.Code)] = [
        ("Unable to validate email address", .invalidEmail), ("An email address is too long", .invalidEmail),
        ("Invalid email format", .invalidEmail), ("Invalid phone number format", .invalidPhone),
        ("Password cannot be longer", .weakPassword), ("Signup requires a valid password", .weakPassword),
        ("Unsupported provider", .notEnabled), ("Refresh token is not valid", .refreshTokenUnknown),
        ("Invalid Refresh Token: Not Issued By This Server", .refreshTokenUnknown),
        ("Error sending", .messageNotSent), ("Unable to get SMS provider", .messageNotSent),
        ("Failed to validate WebAuthn MFA response", .invalidCredentials),
        ("id_token required", .invalidIDToken), ("Bad ID token", .invalidIDToken),
        ("Missing sub claim in id_token", .invalidIDToken), ("Unacceptable audience", .invalidIDToken),
        ("Passed nonce and nonce", .invalidIDToken), ("Nonces mismatch", .invalidIDToken),
        ("Linking requires a valid user access token", .accessTokenRefused),
    ]

    static func of(_ answer: RecordedResponse) -> AuthError.Code {
        let body = answer.json ?? .null
        let message = ["message", "msg", "error_description"].compactMap { body[$0]?.string }.first ?? ""
        let code = body["error_code"]?.string ?? body["code"]?.string
        if code.map({ ["validation_failed", "unexpected_failure"].contains($0) }) ?? true,
            let found = texts.first(where: { message.hasPrefix($0.text) })
        {
            return found.code
        }
        let rows = ErrorMappingTests.codes.filter { $0.1 == code }
        if let row = rows.first(where: { $0.0 == answer.status }) ?? rows.first { return row.2 }
        if answer.status == 429 { return .tooManyRequests }
        if answer.status >= 500 { return .serverUnavailable }
        return code == nil ? .invalidResponse : .unknown
    }
}
