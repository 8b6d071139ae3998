import Foundation
import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepClerk

@Suite(.limitedConcurrency)
struct ErrorMappingTests {
    /// Clerk's own catalog: every code with its status.
    static let catalogue: [String: Int] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Clerk/error-codes.json")
        let json = (try? Data(contentsOf: file)).flatMap { try? JSON.parse(Array($0)) }
        return Dictionary(
            uniqueKeysWithValues: (json?.object ?? [:]).compactMap { name, value in value.int.map { (name, Int($0)) } })
    }()

    /// The portable codes of Clerk's codes that an app meets.
    static let codes: [(String, AuthError.Code)] = [
        ("form_password_incorrect", .invalidCredentials), ("form_password_or_identifier_incorrect", .invalidCredentials),
        ("form_identifier_not_found", .userNotFound), ("external_account_not_found", .userNotFound),
        ("form_identifier_exists", .emailAlreadyInUse), ("identification_claimed", .emailAlreadyInUse),
        ("form_password_pwned", .weakPassword), ("form_password_length_too_short", .weakPassword),
        ("form_password_no_uppercase", .weakPassword), ("form_password_not_strong_enough", .weakPassword),
        ("form_password_matches_identifier", .weakPassword), ("form_password_size_in_bytes_exceeded", .weakPassword),
        ("form_new_password_matches_current", .samePassword), ("form_password_compromised", .credentialChanged),
        ("password_reset_required", .credentialChanged), ("form_code_incorrect", .invalidCode),
        ("totp_incorrect_code", .invalidCode), ("verification_expired", .codeExpired), ("verification_failed", .codeExpired),
        ("verification_missing", .codeExpired), ("verification_already_verified", .codeUsed),
        ("approval_token_expired", .linkExpired), ("approval_token_consumed", .linkUsed),
        ("approval_token_invalid", .linkInvalid), ("pkce_verification_failed", .flowStartedElsewhere),
        ("sign_in_email_link_not_same_client", .flowStartedElsewhere), ("verification_link_token_expired", .linkExpired),
        ("ticket_expired_code", .invalidCredentials), ("sign_in_token_already_used_code", .invalidCredentials),
        ("user_banned", .userDisabled), ("user_deactivated", .userDisabled), ("user_locked", .tooManyRequests),
        ("session_reverification_required", .reauthenticationRequired), ("authentication_invalid", .sessionRevoked),
        ("signed_out", .sessionRevoked), ("client_not_found", .sessionRevoked), ("resource_not_found", .flowNotFound),
        ("account_transfer_invalid", .flowNotFound), ("sign_up_mode_restricted", .signUpDisabled),
        ("sign_up_restricted_waitlist", .signUpDisabled), ("user_quota_exceeded", .signUpDisabled),
        ("form_param_value_disabled", .notEnabled), ("oauth_provider_not_enabled", .notEnabled),
        ("feature_not_enabled", .notEnabled), ("native_api_disabled", .notEnabled),
        ("user_delete_self_not_enabled", .notEnabled), ("oauth_access_denied", .providerRefused),
        ("google_one_tap_token_invalid", .invalidIDToken), ("identification_deletion_failed", .lastIdentity),
        ("dev_monthly_email_limit_exceeded", .messageNotSent), ("dev_monthly_sms_limit_exceeded", .messageNotSent),
        ("verification_code_too_many_requests", .tooManyRequests), ("captcha_invalid", .captchaRequired),
        ("requires_protect_check", .captchaRequired), ("requires_device_attestation", .captchaRequired),
        ("internal_clerk_error", .serverUnavailable), ("gateway_timeout", .serverUnavailable),
        ("form_param_missing", .invalidInput), ("form_param_unknown", .invalidInput),
        ("form_username_invalid_length", .invalidInput), ("unsupported_country_code", .invalidPhone),
        ("api_version_invalid", .invalidConfiguration), ("organization_not_found_or_unauthorized", .invalidInput),
        ("organization_domain_mismatch", .unknown),
    ]

    @Test(arguments: codes)
    func commonCodesAreMapped(_ code: String, _ expected: AuthError.Code) throws {
        let status = try #require(Self.catalogue[code], "\(code) is none of Clerk's")
        let error = ErrorMapping.error(for: Clerk.refusal(status, code))
        #expect(error.code == expected)
        #expect(error.provider?.code == code)
        #expect(error.provider?.status == status)
    }

    @Test func everyCodeOfTheCatalogIsMapped() {
        #expect(Self.catalogue.count > 500)
        for (code, status) in Self.catalogue {
            let error = ErrorMapping.error(for: Clerk.refusal(status, code))
            #expect(error.provider?.code == code)
            // A response in Clerk's format comes from Clerk, whatever its content.
            #expect(error.code != .invalidResponse && error.code != .network, "\(code)")
            // Only these codes say that a session has ended.
            if error.code == .sessionRevoked {
                let ends = ["authentication_invalid", "signed_out", "client_not_found", "authorization_header_format_invalid"]
                #expect(ends.contains(code))
            }
        }
    }

    @Test func tableContainsOnlyCatalogCodes() {
        // Not in the catalog, but in Clerk's responses and its own code.
        let others: Set = ["too_many_requests", "rate_limit_exceeded", "requires_captcha", "external_account_exists"]
        #expect(Set(ErrorMeaning.ofCodes.keys).subtracting(Self.catalogue.keys) == others)
        for key in ErrorMeaning.ofFields.keys { #expect(Self.catalogue[String(key.prefix { $0 != " " })] != nil, "\(key)") }
    }

    @Test(arguments: [
        ("form_param_format_invalid", "email_address", AuthError.Code.invalidEmail),
        ("form_param_format_invalid", "identifier", .invalidEmail), ("form_param_format_invalid", "phone_number", .invalidPhone),
        ("form_identifier_exists", "phone_number", .phoneAlreadyInUse),
        ("form_identifier_exists", "email_address", .emailAlreadyInUse),
        ("form_password_validation_failed", "current_password", .invalidCredentials),
        ("form_password_validation_failed", "password", .weakPassword), ("form_param_value_invalid", "strategy", .notEnabled),
        ("form_param_value_invalid", "token", .invalidIDToken), ("form_param_value_invalid", "username", .invalidInput),
    ])
    func parameterDecidesTheCode(_ code: String, _ parameter: String, _ expected: AuthError.Code) {
        #expect(ErrorMapping.error(for: Clerk.refusal(422, code, parameter: parameter)).code == expected)
    }

    @Test func warningsDoNotDecideTheCode() {
        let error = ErrorMapping.error(for: Clerk.refusal(422, "account_lockout_warning", "form_password_incorrect"))
        #expect(error.code == .invalidCredentials)
        #expect(error.reasons.isEmpty)
    }

    @Test func weakPasswordReasonsAreMapped() {
        let response = Clerk.refusal(422, "form_password_length_too_short", "form_password_no_number")
        #expect(ErrorMapping.error(for: response).reasons == ["length", "characters"])
        for (code, reasons) in [
            ("form_password_length_too_long", ["tooLong"]), ("form_password_size_in_bytes_exceeded", ["tooLong"]),
            ("form_password_pwned", ["pwned"]), ("form_password_no_special_char", ["characters"]),
            ("form_password_not_strong_enough", []), ("form_password_matches_identifier", []),
        ] {
            let error = ErrorMapping.error(for: Clerk.refusal(422, code))
            #expect(error.code == .weakPassword && error.reasons == reasons && error.provider?.code == code, "\(code)")
        }
    }

    @Test func waitTimesAreRead() {
        let silent = Clerk.refusal(429, "verification_code_too_many_requests")
        #expect(ErrorMapping.error(for: silent).retry == .after(.seconds(30)))
        let told = Clerk.refusal(429, "verification_code_too_many_requests", wait: "7")
        #expect(ErrorMapping.error(for: told).retry == .after(.seconds(7)))
        let locked = HTTPResponse.json(
            403, ["errors": [["code": "user_locked", "message": "m", "meta": ["lockout_expires_in_seconds": 1800]]]])
        #expect(ErrorMapping.error(for: locked).retry == .after(.seconds(1800)))
        let proxy = HTTPResponse(status: 429, headers: ["Retry-After": "9"], body: Array("<html>".utf8))
        #expect(ErrorMapping.error(for: proxy).retry == .after(.seconds(9)))
    }

    @Test(arguments: [
        (200, "<html>Sign in to our wifi</html>"), (200, #"{"object":"token","jwt":"a"#), (200, ""), (200, "[]"), (200, "{}"),
        (200, #"{"object":"token","jwt":5}"#), (200, #"{"object":"token","jwt":"a.b.c"}"#), (302, ""), (400, "<html>"),
        (401, "<html>"), (403, #"{"error":"no"}"#), (404, "404 page not found"), (401, #"{"errors":[]}"#),
    ])
    func foreignResponseIsInvalid(_ status: Int, _ body: String) async throws {
        let api = try Clerk.adapter(Playback(HTTPResponse(status: status, body: Array(body.utf8)))).api
        let error = try await refusal { try await ClerkSessions(api: api).refresh(try Clerk.session()) }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: [500, 502, 503, 504])
    func serverErrorIsNotAVerdict(_ status: Int) async throws {
        let api = try Clerk.adapter(Playback(HTTPResponse(status: status, body: Array("<html>".utf8)))).api
        #expect(try await refusal { try await ClerkSessions(api: api).refresh(try Clerk.session()) }.code == .serverUnavailable)
    }

    @Test(arguments: [
        (401, "authentication_invalid", AuthError.Code.sessionRevoked), (401, "signed_out", .sessionRevoked),
        (404, "resource_not_found", .sessionRevoked), (403, "user_banned", .userDisabled),
        (429, "too_many_requests", .tooManyRequests), (500, "internal_clerk_error", .serverUnavailable),
    ])
    func refreshVerdictsAreMapped(_ status: Int, _ code: String, _ expected: AuthError.Code) async throws {
        let api = try Clerk.adapter(Playback(Clerk.refusal(status, code), .json(["response": nil, "client": nil]))).api
        #expect(try await refusal { try await ClerkSessions(api: api).refresh(try Clerk.session()) }.code == expected)
    }

    /// One rejected request says nothing about the session, so the client object decides.
    @Test(arguments: clients)
    func clientObjectDecidesAboutTheSession(_ client: HTTPResponse, _ expected: AuthError.Code) async throws {
        let session = try Clerk.session()
        for refused in [(401, "authentication_invalid"), (401, "signed_out"), (404, "resource_not_found")] {
            for isReload in [false, true] {
                let playback = Playback(Clerk.refusal(refused.0, refused.1), client)
                let sessions = ClerkSessions(api: try Clerk.adapter(playback).api)
                let error = try await refusal { try await isReload ? sessions.reload(session) : sessions.refresh(session) }
                #expect(error.code == expected, "\(refused.1)")
                #expect(playback.requests.map(\.path).last == "/v1/client" && playback.requests.count == 2)
                #expect(playback.requests.allSatisfy { $0.headers["Authorization"] == session.refreshToken.reveal() })
            }
        }
    }

    /// Responses of `GET /client`, each with the code of the call that asked.
    private static let clients: [(HTTPResponse, AuthError.Code)] = [
        (listing("active"), .serverUnavailable), (listing("pending"), .serverUnavailable), (listing("ended"), .sessionRevoked),
        (listing("removed"), .sessionRevoked), (listing("revoked"), .sessionRevoked),
        (listing("active", id: "sess_other"), .sessionRevoked), (.json(["response": nil, "client": nil]), .sessionRevoked),
        (Clerk.refusal(401, "signed_out"), .sessionRevoked), (Clerk.refusal(400, "client_not_found"), .sessionRevoked),
        (HTTPResponse(status: 401, body: Array("<html>".utf8)), .invalidResponse), (.json(["status": "ok"]), .invalidResponse),
        (.json(["response": [:], "client": nil]), .invalidResponse), (Clerk.refusal(429, "too_many_requests"), .tooManyRequests),
        (HTTPResponse(status: 503, body: Array("<html>".utf8)), .serverUnavailable),
    ]

    private static func listing(_ status: String, id: String = "SESSION_ID") -> HTTPResponse {
        let session: JSON = ["id": .string(id), "status": .string(status)]
        return .json(["response": ["object": "client", "sessions": [session]], "client": nil])
    }

    @Test(arguments: [
        (HTTPFailure.Code.nameNotResolved, AuthError.Code.network), (.cannotConnect, .network), (.tls, .network),
        (.timedOut, .timedOut), (.cancelled, .cancelled), (.connectionLost, .network), (.truncated, .invalidResponse),
        (.tooLarge, .invalidResponse), (.malformedResponse, .invalidResponse), (.closed, .network),
        (.invalidRequest, .invalidConfiguration), (.notLoopback, .invalidConfiguration), (.other, .network),
    ])
    func transportFailuresAreMapped(_ failure: HTTPFailure.Code, _ expected: AuthError.Code) async throws {
        let api = try Clerk.adapter(Playback(failing: HTTPFailure(failure, .neverSent, "Words."))).api
        #expect(try await refusal { try await ClerkSessions(api: api).refresh(try Clerk.session()) }.code == expected)
    }

    @Test func bodiesAreRedacted() {
        let body: JSON = ["errors": [["code": "x_y", "message": "m"]], "meta": ["client": ["token": "canary"]]]
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
