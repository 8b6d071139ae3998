internal import LockstepEmulation
internal import LockstepPrimitives

/// A refusal of the server, in one of its forms.
struct GoTrueError: TransactionalError {
    enum Form {
        /// Status, code, message.
        case named(ErrorCode)
        /// A password that is too weak, with the reasons.
        case weakPassword(reasons: [String])
        /// `error` and `error_description`, always 400 and without a code.
        case oauth(error: String)
        /// An error that the server does not handle: its text has no details.
        case unhandled
        /// A hook's own refusal.
        case hook
        /// A broken database constraint, which older clients get unchanged.
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

    /// The code that redirects and headers name.
    var code: ErrorCode {
        switch form {
        case .named(let code): code
        case .weakPassword: .weakPassword
        case .oauth, .hook: .unknown
        case .unhandled, .constraint: .unexpectedFailure
        }
    }

    init(_ status: Int, _ code: ErrorCode, _ message: String) {
        self.status = status
        form = .named(code)
        self.message = message
    }

    init(status: Int, form: Form, message: String) {
        self.status = status
        self.form = form
        self.message = message
    }

    func with(_ name: String, _ value: String) -> GoTrueError {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }
}

extension GoTrueError {
    /// The same refusal, with the transaction committed.
    var kept: GoTrueError {
        var copy = self
        copy.keepsChanges = true
        return copy
    }

    static func bad(_ code: ErrorCode, _ message: String) -> GoTrueError { GoTrueError(400, code, message) }
    static func invalid(_ message: String) -> GoTrueError { GoTrueError(400, .validationFailed, message) }
    static func forbidden(_ code: ErrorCode, _ message: String) -> GoTrueError { GoTrueError(403, code, message) }
    static func notFound(_ code: ErrorCode, _ message: String) -> GoTrueError { GoTrueError(404, code, message) }
    static func unprocessable(_ code: ErrorCode, _ message: String) -> GoTrueError { GoTrueError(422, code, message) }
    static func tooMany(_ code: ErrorCode, _ message: String) -> GoTrueError { GoTrueError(429, code, message) }
    static func failure(_ message: String) -> GoTrueError { GoTrueError(500, .unexpectedFailure, message) }

    static func oauth(_ error: String, _ description: String) -> GoTrueError {
        GoTrueError(status: 400, form: .oauth(error: error), message: description)
    }

    static var unhandled: GoTrueError {
        GoTrueError(
            status: 500, form: .unhandled, message: "Unexpected failure, please check server logs for more information")
    }

    /// The real server's answer after a panic.
    static var panic: GoTrueError { GoTrueError(status: 500, form: .unhandled, message: "Internal Server Error") }

    static let banned = GoTrueError.forbidden(.userBanned, "User is banned")
    static let emailTaken = GoTrueError.unprocessable(
        .emailExists, "A user with this email address has already been registered")
    static let phoneTaken = GoTrueError.unprocessable(
        .phoneExists, "A user with this phone number has already been registered")
    static let signUpDisabled = GoTrueError.unprocessable(.signUpDisabled, "Signups not allowed for this instance")
    static let wrongCredentials = GoTrueError.bad(.invalidCredentials, "Invalid login credentials")
}

/// Writes an error in the format that the request asked for.
struct ErrorResponse {
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
        let pieces = text.pieces(at: "-", omittingEmptySubsequences: false)
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

/// The server's error codes.
struct ErrorCode: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let badJSON = ErrorCode(rawValue: "bad_json")
    static let validationFailed = ErrorCode(rawValue: "validation_failed")
    static let unexpectedFailure = ErrorCode(rawValue: "unexpected_failure")
    static let unknown = ErrorCode(rawValue: "unknown")
    static let noAuthorization = ErrorCode(rawValue: "no_authorization")
    static let badJWT = ErrorCode(rawValue: "bad_jwt")
    static let notAdmin = ErrorCode(rawValue: "not_admin")
    static let userNotFound = ErrorCode(rawValue: "user_not_found")
    static let userBanned = ErrorCode(rawValue: "user_banned")
    static let userAlreadyExists = ErrorCode(rawValue: "user_already_exists")
    static let userSSOManaged = ErrorCode(rawValue: "user_sso_managed")
    static let emailExists = ErrorCode(rawValue: "email_exists")
    static let phoneExists = ErrorCode(rawValue: "phone_exists")
    static let sessionNotFound = ErrorCode(rawValue: "session_not_found")
    static let sessionExpired = ErrorCode(rawValue: "session_expired")
    static let refreshTokenNotFound = ErrorCode(rawValue: "refresh_token_not_found")
    static let refreshTokenAlreadyUsed = ErrorCode(rawValue: "refresh_token_already_used")
    static let flowStateNotFound = ErrorCode(rawValue: "flow_state_not_found")
    static let flowStateExpired = ErrorCode(rawValue: "flow_state_expired")
    static let flowStateAlreadyUsed = ErrorCode(rawValue: "flow_state_already_used")
    static let badCodeVerifier = ErrorCode(rawValue: "bad_code_verifier")
    static let badOAuthState = ErrorCode(rawValue: "bad_oauth_state")
    static let badOAuthCallback = ErrorCode(rawValue: "bad_oauth_callback")
    static let invalidCredentials = ErrorCode(rawValue: "invalid_credentials")
    static let emailNotConfirmed = ErrorCode(rawValue: "email_not_confirmed")
    static let phoneNotConfirmed = ErrorCode(rawValue: "phone_not_confirmed")
    static let signUpDisabled = ErrorCode(rawValue: "signup_disabled")
    static let otpDisabled = ErrorCode(rawValue: "otp_disabled")
    static let otpExpired = ErrorCode(rawValue: "otp_expired")
    static let emailProviderDisabled = ErrorCode(rawValue: "email_provider_disabled")
    static let phoneProviderDisabled = ErrorCode(rawValue: "phone_provider_disabled")
    static let anonymousProviderDisabled = ErrorCode(rawValue: "anonymous_provider_disabled")
    static let web3ProviderDisabled = ErrorCode(rawValue: "web3_provider_disabled")
    static let providerDisabled = ErrorCode(rawValue: "provider_disabled")
    static let providerEmailNeedsVerification = ErrorCode(rawValue: "provider_email_needs_verification")
    static let weakPassword = ErrorCode(rawValue: "weak_password")
    static let samePassword = ErrorCode(rawValue: "same_password")
    static let reauthenticationNeeded = ErrorCode(rawValue: "reauthentication_needed")
    static let reauthenticationNotValid = ErrorCode(rawValue: "reauthentication_not_valid")
    static let currentPasswordRequired = ErrorCode(rawValue: "current_password_required")
    static let currentPasswordInvalid = ErrorCode(rawValue: "current_password_invalid")
    static let captchaFailed = ErrorCode(rawValue: "captcha_failed")
    static let overRequestRate = ErrorCode(rawValue: "over_request_rate_limit")
    static let overEmailRate = ErrorCode(rawValue: "over_email_send_rate_limit")
    static let overSMSRate = ErrorCode(rawValue: "over_sms_send_rate_limit")
    static let smsSendFailed = ErrorCode(rawValue: "sms_send_failed")
    static let manualLinkingDisabled = ErrorCode(rawValue: "manual_linking_disabled")
    static let unexpectedAudience = ErrorCode(rawValue: "unexpected_audience")
    static let inviteNotFound = ErrorCode(rawValue: "invite_not_found")
    static let identityNotFound = ErrorCode(rawValue: "identity_not_found")
    static let identityAlreadyExists = ErrorCode(rawValue: "identity_already_exists")
    static let singleIdentity = ErrorCode(rawValue: "single_identity_not_deletable")
    static let emailConflict = ErrorCode(rawValue: "email_conflict_identity_not_deletable")
    static let insufficientAAL = ErrorCode(rawValue: "insufficient_aal")
    static let factorNotFound = ErrorCode(rawValue: "mfa_factor_not_found")
    static let factorNameConflict = ErrorCode(rawValue: "mfa_factor_name_conflict")
    static let verifiedFactorExists = ErrorCode(rawValue: "mfa_verified_factor_exists")
    static let tooManyFactors = ErrorCode(rawValue: "too_many_enrolled_mfa_factors")
    static let challengeExpired = ErrorCode(rawValue: "mfa_challenge_expired")
    static let factorVerificationFailed = ErrorCode(rawValue: "mfa_verification_failed")
    static let addressMismatch = ErrorCode(rawValue: "mfa_ip_address_mismatch")
    static let passkeyDisabled = ErrorCode(rawValue: "passkey_disabled")
    static let tooManyPasskeys = ErrorCode(rawValue: "too_many_passkeys")
    static let webAuthnChallengeNotFound = ErrorCode(rawValue: "webauthn_challenge_not_found")
    static let webAuthnChallengeExpired = ErrorCode(rawValue: "webauthn_challenge_expired")
    static let webAuthnVerificationFailed = ErrorCode(rawValue: "webauthn_verification_failed")
    static let featureDisabled = ErrorCode(rawValue: "feature_disabled")
    static let customProviderNotFound = ErrorCode(rawValue: "custom_provider_not_found")
    static let samlDisabled = ErrorCode(rawValue: "saml_provider_disabled")
    static let bodyTooLarge = ErrorCode(rawValue: "request_entity_too_large")
    static let hookTimeoutAfterRetry = ErrorCode(rawValue: "hook_timeout_after_retry")
    static let hookOverSizeLimit = ErrorCode(rawValue: "hook_payload_over_size_limit")
    static let factorVerificationRejected = ErrorCode(rawValue: "mfa_verification_rejected")
    static let emailNotAuthorized = ErrorCode(rawValue: "email_address_not_authorized")
    static let hookTimeout = ErrorCode(rawValue: "hook_timeout")
    static let hookContentType = ErrorCode(rawValue: "hook_payload_invalid_content_type")
}
