import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepGoTrue

@Suite(.limitedConcurrency)
struct ErrorMappingTests {
    /// The codes of the server's error table with their portable codes.
    static let codes: [(Int, String, AuthError.Code)] = [
        (400, "validation_failed", .invalidInput), (400, "bad_json", .invalidInput),
        (400, "invalid_credentials", .invalidCredentials),
        (400, "email_not_confirmed", .verificationRequired), (400, "phone_not_confirmed", .verificationRequired),
        (400, "user_banned", .userDisabled), (403, "user_banned", .userDisabled),
        (400, "refresh_token_not_found", .refreshTokenUnknown), (400, "refresh_token_already_used", .refreshTokenReused),
        (400, "session_expired", .sessionExpired), (400, "session_not_found", .sessionRevoked),
        (403, "session_not_found", .sessionRevoked),
        (400, "bad_code_verifier", .flowStartedElsewhere), (400, "provider_disabled", .notEnabled),
        (400, "email_provider_disabled", .notEnabled), (422, "email_provider_disabled", .notEnabled),
        (400, "phone_provider_disabled", .notEnabled), (422, "anonymous_provider_disabled", .notEnabled),
        (400, "reauthentication_needed", .reauthenticationRequired),
        (400, "current_password_required", .reauthenticationRequired),
        (400, "current_password_invalid", .invalidCredentials), (400, "captcha_failed", .captchaRequired),
        (400, "email_address_invalid", .invalidEmail), (400, "email_address_not_authorized", .messageNotSent),
        (401, "no_authorization", .accessTokenRefused), (401, "insufficient_aal", .secondFactorRequired),
        (403, "insufficient_aal", .secondFactorRequired), (422, "insufficient_aal", .secondFactorRequired),
        (403, "bad_jwt", .accessTokenRefused), (403, "not_admin", .invalidKey), (403, "user_not_found", .userDeleted),
        (404, "user_not_found", .userNotFound),
        (403, "otp_expired", .invalidCode), (403, "mfa_verification_rejected", .providerRefused),
        (404, "mfa_factor_not_found", .invalidInput), (404, "flow_state_not_found", .linkInvalid),
        (422, "flow_state_expired", .linkExpired), (404, "manual_linking_disabled", .notEnabled),
        (404, "passkey_disabled", .notEnabled),
        (404, "feature_disabled", .notEnabled), (409, "conflict", .serverUnavailable),
        (413, "request_entity_too_large", .invalidInput),
        (422, "weak_password", .weakPassword), (422, "same_password", .samePassword),
        (422, "user_already_exists", .emailAlreadyInUse),
        (422, "email_exists", .emailAlreadyInUse), (422, "phone_exists", .phoneAlreadyInUse),
        (422, "signup_disabled", .signUpDisabled),
        (422, "otp_disabled", .userNotFound), (422, "provider_email_needs_verification", .verificationRequired),
        (422, "identity_already_exists", .identityAlreadyInUse), (422, "identity_not_found", .invalidInput),
        (422, "single_identity_not_deletable", .lastIdentity), (422, "reauthentication_not_valid", .invalidCode),
        (422, "mfa_verification_failed", .invalidCode), (422, "mfa_challenge_expired", .codeExpired),
        (422, "mfa_ip_address_mismatch", .invalidInput), (422, "too_many_enrolled_mfa_factors", .invalidInput),
        (422, "sms_send_failed", .messageNotSent), (422, "user_sso_managed", .notEnabled),
        (422, "web3_provider_disabled", .notEnabled),
        (422, "hook_timeout", .serverUnavailable), (429, "over_request_rate_limit", .tooManyRequests),
        (429, "over_email_send_rate_limit", .tooManyRequests), (429, "over_sms_send_rate_limit", .tooManyRequests),
        (500, "unexpected_failure", .serverUnavailable), (504, "request_timeout", .serverUnavailable),
        (404, "invite_not_found", .linkExpired), (404, "sso_provider_not_found", .notEnabled),
        (403, "unexpected_audience", .accessTokenRefused), (422, "email_conflict_identity_not_deletable", .emailAlreadyInUse),
        (422, "flow_state_already_used", .linkUsed), (400, "bad_oauth_state", .linkInvalid),
        (400, "bad_oauth_callback", .linkInvalid), (400, "oauth_provider_not_supported", .notEnabled),
        (422, "mfa_totp_enroll_not_enabled", .notEnabled), (422, "mfa_totp_verify_not_enabled", .notEnabled),
        (422, "mfa_phone_enroll_not_enabled", .notEnabled), (422, "mfa_phone_verify_not_enabled", .notEnabled),
        (422, "mfa_webauthn_enroll_not_enabled", .notEnabled), (422, "mfa_webauthn_verify_not_enabled", .notEnabled),
        (400, "web3_unsupported_chain", .notEnabled), (404, "saml_provider_disabled", .notEnabled),
        (422, "mfa_factor_name_conflict", .invalidInput), (422, "mfa_verified_factor_exists", .invalidInput),
        (422, "too_many_passkeys", .invalidInput), (422, "webauthn_credential_exists", .identityAlreadyInUse),
        (400, "webauthn_challenge_not_found", .codeUsed), (400, "webauthn_challenge_expired", .codeExpired),
        (400, "webauthn_verification_failed", .invalidCredentials), (422, "hook_timeout_after_retry", .serverUnavailable),
        (422, "hook_payload_over_size_limit", .serverUnavailable),
        (400, "hook_payload_invalid_content_type", .serverUnavailable),
        (400, "brand_new_code", .unknown), (503, "brand_new_code", .serverUnavailable),
    ]

    /// The texts in place of a code in links and in OAuth responses, which are tested there.
    private static let words: Set<String> = ["access_denied", "invalid nonce", "server_error", "temporarily_unavailable"]

    @Test(
        arguments: [
            (
                ["error_code": "weak_password", "weak_password": ["reasons": ["length", "characters", "other"]]],
                ["length", "characters"]
            ),
            (["error_code": "weak_password", "weak_password": ["reasons": ["pwned"]]], ["pwned"]),
            (["msg": "Password should be at least 6 characters"], ["length"]),
            (
                [
                    "msg":
                        "Password should be at least 6 characters. Password should contain at least one character of each: abc, 01."
                ],
                ["length", "characters"]
            ),
            (["error_code": "validation_failed", "msg": "Password cannot be longer than 72 characters"], ["tooLong"]),
            (["error_code": "validation_failed", "msg": "Signup requires a valid password"], ["length"]),
            (["error_code": "same_password", "msg": "New password should be different from the old password."], []),
        ] as [(JSONObject, [String])])
    func weakPasswordReasonsAreListed(_ body: JSONObject, _ reasons: [String]) {
        let response = HTTPResponse(status: 422, headers: [:], body: JSON.object(body).bytes())
        #expect(ErrorMapping.error(for: response).reasons == reasons)
    }

    @Test func everyCodeOfTheTableIsTested() {
        let tested = Set(Self.codes.map { $0.1 }).union(Self.words)
        #expect(Set(ErrorMeaning.ofCodes.keys).subtracting(tested) == [])
    }

    @Test(arguments: codes)
    func everyCodeIsMappedInBothFormats(_ status: Int, _ code: String, _ expected: AuthError.Code) {
        let new = HTTPResponse.json(status, ["code": .string(code), "message": "Words."])
        let old = HTTPResponse.json(status, ["code": .int(Int64(status)), "error_code": .string(code), "msg": "Words."])
        // Servers between the two formats, and gateways with their own body, send the code only in a header.
        let header = HTTPResponse(
            status: status, headers: ["x-sb-error-code": code], body: JSON.object(["msg": "Words."]).bytes())
        for response in [new, old, header] {
            let error = ErrorMapping.error(for: response)
            #expect(error.code == expected)
            #expect(error.provider?.code == code)
            #expect(error.provider?.status == status)
        }
    }

    @Test(
        arguments: [
            (400, ["error": "invalid request", "error_description": "Bad ID token"], AuthError.Code.invalidIDToken),
            (400, ["error": "invalid request", "error_description": "Unacceptable audience in id_token: [x]"], .invalidIDToken),
            (400, ["error": "invalid nonce", "error_description": "Nonces mismatch"], .invalidIDToken),
            (400, ["error": "server_error", "error_description": "Internal Server Error"], .serverUnavailable),
            (400, ["code": 400, "msg": "Invalid login credentials"], .invalidCredentials),
            (400, ["code": 400, "msg": "Invalid Refresh Token: Already Used"], .refreshTokenReused),
            (401, ["message": "Invalid API key", "hint": "Double check"], .invalidKey),
            (401, ["message": "No API key found in request"], .invalidKey),
            (401, ["message": "Unregistered API key", "hint": "Double check"], .invalidKey),
            (401, ["message": "Forbidden use of secret API key in browser", "hint": "Delete it"], .invalidKey),
            (401, ["message": "Legacy API keys are disabled", "hint": "Use the new ones"], .invalidKey),
            (500, ["code": "unexpected_failure", "message": "Error sending confirmation email"], .messageNotSent),
            (500, ["code": 500, "error_code": "unexpected_failure", "msg": "Unable to get SMS provider"], .messageNotSent),
            (400, ["code": "validation_failed", "message": "Unable to validate email address: invalid format"], .invalidEmail),
            (400, ["code": "validation_failed", "message": "Password cannot be longer than 72 characters"], .weakPassword),
            (400, ["code": "validation_failed", "message": "Refresh token is not valid"], .refreshTokenUnknown),
            (500, ["code": "23505", "message": "duplicate key value"], .serverUnavailable),
            (400, ["error": "invalid request", "error_description": "Missing sub claim in id_token"], .invalidIDToken),
            (400, ["error": "invalid request", "error_description": "id_token required"], .invalidIDToken),
            (
                400, ["error": "invalid request", "error_description": "Passed nonce and nonce in id_token should either both"],
                .invalidIDToken
            ),
            (
                400,
                ["error": "invalid request", "error_description": "Linking requires a valid user access token in Authorization"],
                .accessTokenRefused
            ),
            (400, ["error": "invalid_grant", "error_description": "Invalid login credentials"], .invalidCredentials),
            (400, ["error": "invalid_grant", "error_description": "Email not confirmed"], .verificationRequired),
            (400, ["error": "invalid_grant", "error_description": "Invalid Refresh Token"], .refreshTokenUnknown),
            (400, ["error": "brand_new", "error_description": "Words."], .unknown),
            (422, ["code": 422, "msg": "Password should be at least 6 characters"], .weakPassword),
            (422, ["code": 422, "msg": "Anonymous sign-ins are disabled"], .notEnabled),
            (400, ["code": 400, "msg": "User already registered"], .emailAlreadyInUse),
            (401, ["code": 401, "msg": "Token has expired or is invalid"], .invalidCode),
            (401, ["code": 401, "msg": "invalid JWT: unable to parse or verify signature"], .accessTokenRefused),
            (403, ["code": 403, "msg": "User is banned"], .userDisabled),
            (403, ["code": 403, "msg": "Session from session_id claim in JWT does not exist"], .sessionRevoked),
            (403, ["code": 403, "msg": "User from sub claim in JWT does not exist"], .userDeleted),
            (429, ["code": 429, "msg": "For security purposes, you can only request this after 9 seconds"], .tooManyRequests),
            (400, ["nothing": "known"], .invalidResponse),
        ] as [(Int, JSON, AuthError.Code)])
    func errorsWithoutACodeAreMappedByText(_ status: Int, _ body: JSON, _ expected: AuthError.Code) {
        #expect(ErrorMapping.error(for: .json(status, body)).code == expected)
    }

    @Test func waitTimeIsReadFromTheText() {
        let text = "For security purposes, you can only request this after 42 seconds."
        let error = ErrorMapping.error(for: .json(429, ["code": "over_email_send_rate_limit", "message": .string(text)]))
        #expect(error.retry == .after(.seconds(42)))
        #expect(
            ErrorMapping.error(for: .json(429, ["code": "over_request_rate_limit", "message": "x"])).retry == .after(.seconds(60))
        )
        let told = HTTPResponse(status: 429, headers: ["Retry-After": "7"], body: Array("<html>".utf8))
        #expect(ErrorMapping.error(for: told).retry == .after(.seconds(7)))
    }

    @Test func weakPasswordReasonsAreMapped() {
        let body: JSON = ["code": "weak_password", "message": "x", "weak_password": ["reasons": ["length", "characters"]]]
        #expect(ErrorMapping.error(for: .json(422, body)).reasons == ["length", "characters"])
    }

    @Test(arguments: [
        (200, "<html>Sign in to our wifi</html>"), (200, #"{"access_token":"abc","#), (200, ""), (200, "[]"),
        (200, #"{"access_token":5,"refresh_token":[],"expires_in":"soon","user":true}"#), (302, ""), (404, "404 page not found"),
        (400, "<html>"), (401, "<html>"), (403, #"["bad_jwt"]"#), (400, #"{"code":400}"#),
    ])
    func foreignResponseIsInvalid(_ status: Int, _ body: String) async throws {
        let adapter = try GoTrue.adapter(Playback(HTTPResponse(status: status, body: Array(body.utf8))))
        let error = try await refusal { try await adapter.api.refresh("abcdefghijkl") }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: [500, 502, 503, 504])
    func serverErrorIsNotAVerdict(_ status: Int) async throws {
        let adapter = try GoTrue.adapter(Playback(HTTPResponse(status: status, body: Array("<html>".utf8))))
        #expect(try await refusal { try await adapter.api.refresh("abcdefghijkl") }.code == .serverUnavailable)
    }

    @Test(arguments: [
        (HTTPFailure.Code.nameNotResolved, AuthError.Code.network), (.cannotConnect, .network), (.tls, .network),
        (.timedOut, .timedOut),
        (.cancelled, .cancelled), (.connectionLost, .network), (.truncated, .invalidResponse), (.tooLarge, .invalidResponse),
        (.malformedResponse, .invalidResponse), (.closed, .network), (.invalidRequest, .invalidConfiguration),
        (.notLoopback, .invalidConfiguration), (.other, .network),
    ])
    func transportFailuresAreMapped(_ failure: HTTPFailure.Code, _ expected: AuthError.Code) async throws {
        let adapter = try GoTrue.adapter(Playback(failing: HTTPFailure(failure, .neverSent, "Words.")))
        #expect(try await refusal { try await adapter.api.refresh("abcdefghijkl") }.code == expected)
    }

    @Test func bodiesAreRedacted() throws {
        let body: JSON = ["code": "x_y", "message": "m", "refresh_token": "canary"]
        let error = ErrorMapping.error(for: .json(400, body))
        let shown = "\(error) \(String(describing: error.provider?.body))"
        #expect(!shown.contains("canary"))
    }
}

/// The error that `body` throws.
func refusal<Value>(_ body: () async throws -> Value) async throws -> AuthError {
    do {
        _ = try await body()
    } catch let error as AuthError {
        return error
    }
    throw AuthError(.unknown, "Nothing was refused.")
}
