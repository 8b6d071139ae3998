import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepFirebase

@Suite(.limitedConcurrency)
struct ErrorMappingTests {
    /// Firebase's codes with their portable codes.
    static let codes: [(String, AuthError.Code)] = [
        ("INVALID_LOGIN_CREDENTIALS", .invalidCredentials), ("INVALID_PASSWORD", .invalidCredentials),
        ("EMAIL_NOT_FOUND", .userNotFound),
        ("INVALID_EMAIL", .invalidEmail), ("MISSING_EMAIL", .invalidEmail), ("INVALID_IDENTIFIER", .invalidEmail),
        ("MISSING_PASSWORD", .invalidInput), ("WEAK_PASSWORD : Password should be at least 6 characters", .weakPassword),
        ("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain a digit]", .weakPassword),
        ("USER_DISABLED", .userDisabled), ("USER_NOT_FOUND", .userDeleted), ("EMAIL_EXISTS", .emailAlreadyInUse),
        ("PHONE_NUMBER_EXISTS", .phoneAlreadyInUse), ("FEDERATED_USER_ID_ALREADY_LINKED", .identityAlreadyInUse),
        ("CREDENTIAL_ALREADY_IN_USE", .identityAlreadyInUse), ("EXPIRED_OOB_CODE", .linkExpired),
        ("INVALID_OOB_CODE", .linkInvalid),
        ("INVALID_IDP_RESPONSE : Unable to parse id_token", .invalidIDToken), ("MISSING_OR_INVALID_NONCE", .invalidIDToken),
        ("INVALID_CUSTOM_TOKEN", .invalidCredentials), ("CREDENTIAL_MISMATCH", .invalidCredentials),
        ("UNSUPPORTED_FIRST_FACTOR", .notEnabled), ("INVALID_TENANT_ID", .invalidConfiguration),
        ("OPERATION_NOT_ALLOWED", .notEnabled),
        ("PASSWORD_LOGIN_DISABLED", .notEnabled), ("ADMIN_ONLY_OPERATION", .signUpDisabled), ("PROJECT_DISABLED", .notEnabled),
        ("BLOCKING_FUNCTION_ERROR_RESPONSE : x", .providerRefused), ("UNAUTHORIZED_DOMAIN", .invalidConfiguration),
        ("INVALID_CONTINUE_URI", .invalidConfiguration), ("TOKEN_EXPIRED", .sessionRevoked),
        ("INVALID_REFRESH_TOKEN", .refreshTokenUnknown), ("PROJECT_NUMBER_MISMATCH", .invalidKey),
        ("MISSING_REFRESH_TOKEN", .invalidInput),
        ("INVALID_ID_TOKEN", .accessTokenRefused),
        ("INVALID_ID_TOKEN:The user's credential is no longer valid.", .accessTokenRefused),
        ("TENANT_ID_MISMATCH", .accessTokenRefused), ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .reauthenticationRequired),
        ("INVALID_MFA_PENDING_CREDENTIAL", .codeExpired), ("MFA_ENROLLMENT_NOT_FOUND", .invalidInput),
        ("INVALID_CODE", .invalidCode),
        ("SESSION_EXPIRED", .codeExpired), ("INVALID_SESSION_INFO", .codeExpired), ("SECOND_FACTOR_EXISTS", .invalidInput),
        ("UNVERIFIED_EMAIL", .verificationRequired), ("TOO_MANY_ATTEMPTS_TRY_LATER : Access was disabled.", .tooManyRequests),
        ("RESET_PASSWORD_EXCEED_LIMIT", .tooManyRequests), ("QUOTA_EXCEEDED : Exceeded quota.", .tooManyRequests),
        ("BILLING_NOT_ENABLED", .notEnabled), ("INVALID_OAUTH_CLIENT_ID", .notEnabled), ("RECAPTCHA_NOT_ENABLED", .notEnabled),
        ("USER_CANCELLED", .providerRefused), ("REJECTED_CREDENTIAL", .invalidIDToken),
        ("FORBIDDEN_CLAIM : x", .invalidCredentials), ("INVALID_CLAIMS", .invalidCredentials),
        ("INVALID_APP_ID", .captchaRequired), ("INVALID_CERT_HASH", .captchaRequired),
        ("INVALID_RECAPTCHA_ACTION", .captchaRequired), ("MISSING_CLIENT_TYPE", .captchaRequired),
        ("MISSING_RECAPTCHA_VERSION", .captchaRequired), ("INVALID_RECAPTCHA_VERSION", .captchaRequired),
        ("CAPTCHA_CHECK_FAILED", .captchaRequired), ("MISSING_APP_CREDENTIAL", .captchaRequired), ("BRAND_NEW", .unknown),
    ]

    @Test(arguments: codes)
    func everyCodeIsMapped(_ message: String, _ expected: AuthError.Code) {
        let error = ErrorMapping.error(for: Firebase.refusal(message))
        #expect(error.code == expected)
        #expect(error.provider?.code == String(message.prefix { $0 != ":" && $0 != " " }))
    }

    @Test(arguments: ["keyInvalid", "ipRefererBlocked"])
    func rejectedKeysAreMapped(_ reason: String) {
        let body: JSON = ["error": ["code": 400, "message": "API key not valid.", "errors": [["reason": .string(reason)]]]]
        #expect(ErrorMapping.error(for: .json(400, body)).code == .invalidKey)
    }

    @Test func weakPasswordReasonsAreMapped() {
        let message = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Upper case, A digit]"
        #expect(ErrorMapping.error(for: Firebase.refusal(message)).reasons == ["characters"])
        let long = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing: [Password may contain at most 30 characters]"
        #expect(ErrorMapping.error(for: Firebase.refusal(long)).reasons == ["tooLong"])
        #expect(ErrorMapping.error(for: Firebase.refusal("WEAK_PASSWORD : x")).reasons == ["length"])
        let several =
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at least 8 characters, "
            + "Password must contain an upper case character, Password must contain a non-alphanumeric character]"
        #expect(ErrorMapping.error(for: Firebase.refusal(several)).reasons == ["length", "characters"])
        #expect(ErrorMapping.error(for: Firebase.refusal("PASSWORD_DOES_NOT_MEET_REQUIREMENTS")).reasons.isEmpty)
    }

    @Test func unknownServerErrorsAreMappedByStatus() {
        #expect(ErrorMapping.error(for: Firebase.refusal("INTERNAL", status: 503)).code == .serverUnavailable)
        #expect(ErrorMapping.error(for: Firebase.refusal("BRAND_NEW", status: 429)).code == .tooManyRequests)
        let told = HTTPResponse(status: 429, headers: ["Retry-After": "7"], body: [])
        #expect(ErrorMapping.error(for: told).retry == .after(.seconds(7)))
    }

    @Test(arguments: [
        (200, "<html>wifi</html>"), (200, #"{"id_token":"abc","#), (200, ""), (200, "[]"),
        (200, #"{"id_token":5,"refresh_token":[],"expires_in":true}"#), (302, ""), (404, "<html>"), (400, #"{"error":"x"}"#),
        (401, "no"),
    ])
    func foreignResponseIsInvalid(_ status: Int, _ body: String) async throws {
        let adapter = try Firebase.adapter(Playback(HTTPResponse(status: status, body: Array(body.utf8))))
        #expect(try await refusal { try await adapter.api.refresh("r") }.code == .invalidResponse)
    }

    @Test(arguments: [
        (HTTPFailure.Code.nameNotResolved, AuthError.Code.network), (.cannotConnect, .network), (.tls, .network),
        (.timedOut, .timedOut),
        (.cancelled, .cancelled), (.connectionLost, .network), (.truncated, .invalidResponse), (.tooLarge, .invalidResponse),
        (.malformedResponse, .invalidResponse), (.closed, .network), (.invalidRequest, .invalidConfiguration), (.other, .network),
    ])
    func transportFailuresAreMapped(_ failure: HTTPFailure.Code, _ expected: AuthError.Code) async throws {
        let adapter = try Firebase.adapter(Playback(failing: HTTPFailure(failure, .neverSent, "Words.")))
        #expect(try await refusal { try await adapter.api.refresh("r") }.code == expected)
    }
}
