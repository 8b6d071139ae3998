internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Maps errors of GoTrue, of a gateway in front of it, and of the transport to portable codes.
///
/// The same code can have several statuses. So the code decides first, and then the status. The text decides only if a
/// server returns no code: older servers never return one, and no server does for ID tokens.
enum ErrorMapping: ErrorTable {
    static let provider = "GoTrue"
    static let mistake = "the address is not the address of the API"
    static let defaultWait = Duration.seconds(60)

    static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofCodes[code] != nil }

    /// Reads the format of 2024-01-01 (`code` is a word), the older format (`code` is the status, `error_code` the
    /// word), that of OAuth (`error`, `error_description`), and those of gateways (only `message`).
    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard let body = body?.object else { return nil }
        let code =
            body["error_code"]?.string ?? response.headers["x-sb-error-code"] ?? body["code"]?.string ?? body["error"]?.string
        let message =
            body["message"]?.string ?? body["msg"]?.string ?? body["error_description"]?.string ?? body["error"]?.string
        guard code != nil || message != nil else { return nil }
        return ErrorReport(
            code: code, message: message, reasons: reasons(in: body, message),
            meaning: meaning(of: code, message, response.status), wait: message.flatMap(wait(in:)))
    }

    /// GoTrue's words for a weak password are the portable reasons.
    ///
    /// A password that is too long or missing has only a sentence, and so does every weak password on servers without
    /// these words.
    private static func reasons(in body: JSONObject, _ message: String?) -> [String] {
        let told = (body["weak_password"]?["reasons"]?.array ?? []).compactMap(\.string)
        if !told.isEmpty { return told.filter(AuthError.passwordReasons.contains) }
        return ErrorMeaning.ofPasswordTexts.filter { message?.firstRange(of: $0.key) != nil }.map(\.value)
    }

    private static func meaning(of code: String?, _ message: String?, _ status: Int) -> ErrorMeaning? {
        func first(_ rows: [(key: String, value: ErrorMeaning)]) -> ErrorMeaning? {
            message.flatMap { message in rows.first { message.hasPrefix($0.key) }?.value }
        }
        if code == "unexpected_failure", let meaning = first(ErrorMeaning.ofFailureTexts) { return meaning }
        if code == "validation_failed", let meaning = first(ErrorMeaning.ofValidationTexts) { return meaning }
        if let code, let meaning = ErrorMeaning.ofStatuses[code]?[status] ?? ErrorMeaning.ofCodes[code] { return meaning }
        return first(ErrorMeaning.ofTexts)
    }

    /// GoTrue sends no `Retry-After`: the time is in the text, as in "request this after 42 seconds".
    private static func wait(in message: String) -> Duration? {
        guard let start = message.firstRange(of: "after ")?.upperBound,
            let wait = Duration(toldSeconds: message[start...].prefix { $0.isASCII && $0.isNumber })
        else { return nil }
        return max(wait, .seconds(1))
    }

    /// The server's error for an expired access token, created without a request.
    static var deadToken: AuthError {
        AuthError(.accessTokenRefused, ErrorMeaning.deadToken.sentence, remedies: ErrorMeaning.deadToken.remedies)
    }
}

/// The errors of the app's own function that deletes accounts, which responds in GoTrue's format.
enum FunctionErrors: AppFunctionErrors {
    static let provider = "the function that deletes accounts"
    static let mistake = "the function's address belongs to another server"
    static let defaultWait = ErrorMapping.defaultWait

    static func isKnown(_ code: String) -> Bool { ErrorMapping.isKnown(code) }

    static func ownReport(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? { ErrorMapping.report(of: response, body) }
}

/// Maps GoTrue's error codes to portable codes.
extension ErrorMeaning {
    private static let wrongCredentials = ErrorMeaning(.invalidCredentials, "Incorrect e-mail address or password.")
    private static let disabled = ErrorMeaning(.userDisabled, "An administrator has disabled this account.")
    private static let emailTaken = ErrorMeaning(.emailAlreadyInUse, "Another account uses this address.", [.signIn])
    private static let phoneTaken = ErrorMeaning(.phoneAlreadyInUse, "Another account uses this number.", [.signIn])
    private static let off = ErrorMeaning(.notEnabled, "This method is turned off in the project's settings.")
    private static let weak = ErrorMeaning(.weakPassword, "The password does not meet the project's policy.", [.choosePassword])
    private static let refusedKey = ErrorMeaning(
        .invalidKey, "The gateway rejects the project's key. Check it in the project's settings.")
    private static let tooMany = ErrorMeaning(.tooManyRequests, "Too many requests. Wait before the next request.")
    static let deadToken = ErrorMeaning(
        .accessTokenRefused, "The access token was rejected: it is missing, has expired, or was signed with another key.",
        [.signIn])
    private static let revoked = ErrorMeaning(.sessionRevoked, "The session has ended on the backend.", [.signIn])
    private static let badProof = ErrorMeaning(
        .invalidCode, "The code is wrong, was already used, or has expired.", [.resend, .startAgain])
    private static let notSent = ErrorMeaning(
        .messageNotSent, "The backend could not send the message. Request it again.", retry: .now, [.resend])
    private static let badIDToken = ErrorMeaning(
        .invalidIDToken, "The ID token is not genuine, is not for this project, or has expired.")
    private static let badNonce = ErrorMeaning(
        .invalidIDToken,
        "The nonces of the ID token and of the call differ, or one of them is missing. Pass the nonce whose SHA-256 is in the token."
    )
    private static let callbackLost = ErrorMeaning(
        .linkInvalid, "The redirect to the identity provider no longer exists on the backend. Start again.", [.startAgain])
    private static let noFactor = ErrorMeaning(
        .invalidInput, "The user does not have this second factor, or no challenge is pending for it.", [.startAgain])
    private static let badPasskey = ErrorMeaning(.invalidCredentials, "The passkey was not accepted.")
    private static let unknownToken = ErrorMeaning(
        .refreshTokenUnknown, "The refresh token is unknown to the backend.", [.signIn])

    /// Every code of the server's error table that has a portable meaning.
    static let ofCodes: [String: ErrorMeaning] = [
        // What the user typed
        "invalid_credentials": wrongCredentials,
        "current_password_invalid": ErrorMeaning(
            .invalidCredentials, "The current password is wrong. Ask the user to type it again."),
        "current_password_required": ErrorMeaning(
            .reauthenticationRequired, "The project requires the current password to set a new password."),
        "weak_password": weak,
        "same_password": ErrorMeaning(.samePassword, "The new password is the same as the old password.", [.choosePassword]),
        "validation_failed": ErrorMeaning(.invalidInput, "A value is missing, or has the wrong format."),
        "bad_json": ErrorMeaning(.invalidInput, "A value has a type that the server does not accept."),
        "request_entity_too_large": ErrorMeaning(.invalidInput, "The request is larger than the server accepts."),
        "email_address_invalid": ErrorMeaning(.invalidEmail, "The server does not accept this e-mail address."),
        "email_address_not_authorized": ErrorMeaning(
            .messageNotSent, "The project's mail server is not allowed to send to this address."),
        "otp_expired": badProof,
        "mfa_verification_failed": ErrorMeaning(.invalidCode, "The code of the second factor is wrong."),
        "reauthentication_not_valid": ErrorMeaning(.invalidCode, "The code is wrong, or has expired.", [.resend]),

        // Accounts
        "email_not_confirmed": ErrorMeaning(.verificationRequired, "The address must be verified first."),
        "phone_not_confirmed": ErrorMeaning(.verificationRequired, "The number must be verified first."),
        "provider_email_needs_verification": ErrorMeaning(
            .verificationRequired, "The identity provider has not verified the address. A message was sent to the address."),
        "user_banned": disabled,
        "user_not_found": ErrorMeaning(.userDeleted, "The account no longer exists."),
        "otp_disabled": ErrorMeaning(.userNotFound, "No account uses this address, and the call does not create accounts."),
        "user_already_exists": emailTaken,
        "email_exists": emailTaken,
        "phone_exists": phoneTaken,
        "identity_already_exists": ErrorMeaning(.identityAlreadyInUse, "The identity already belongs to an account."),
        "identity_not_found": ErrorMeaning(.invalidInput, "The user does not have this identity."),
        "single_identity_not_deletable": ErrorMeaning(.lastIdentity, "The last sign-in method cannot be removed."),
        "email_conflict_identity_not_deletable": ErrorMeaning(
            .emailAlreadyInUse, "Without this identity, the account would get an address that another account uses."),
        "user_sso_managed": ErrorMeaning(.notEnabled, "The user's organization manages this account."),

        // Links and flows
        "flow_state_not_found": ErrorMeaning(
            .linkInvalid, "The link belongs to another flow, or was already used.", [.startAgain]),
        "flow_state_already_used": ErrorMeaning(.linkUsed, "The link was already used.", [.startAgain]),
        "flow_state_expired": ErrorMeaning(
            .linkExpired, "The link was opened too late for this sign-in, but the address is verified. Sign in.",
            [.signIn, .startAgain]),
        "bad_code_verifier": ErrorMeaning(
            .flowStartedElsewhere, "The link belongs to a flow that was started on another device.",
            [.enterCode, .signIn, .startAgain]),
        "invite_not_found": ErrorMeaning(.linkExpired, "The invitation has expired, or was already used.", [.startAgain]),
        "bad_oauth_state": callbackLost,
        "bad_oauth_callback": callbackLost,

        // What the project allows
        "signup_disabled": ErrorMeaning(.signUpDisabled, "The project does not allow sign-ups."),
        "email_provider_disabled": off,
        "phone_provider_disabled": off,
        "anonymous_provider_disabled": off,
        "provider_disabled": off,
        "oauth_provider_not_supported": off,
        "manual_linking_disabled": off,
        "mfa_totp_enroll_not_enabled": off,
        "mfa_totp_verify_not_enabled": off,
        "mfa_phone_enroll_not_enabled": off,
        "mfa_phone_verify_not_enabled": off,
        "mfa_webauthn_enroll_not_enabled": off,
        "mfa_webauthn_verify_not_enabled": off,
        "passkey_disabled": off,
        "web3_provider_disabled": off,
        "web3_unsupported_chain": off,
        "saml_provider_disabled": off,
        "sso_provider_not_found": off,
        "feature_disabled": off,
        "captcha_failed": ErrorMeaning(.captchaRequired, "The project requires a captcha.", [.captcha]),

        // Sessions
        "no_authorization": deadToken,
        "bad_jwt": deadToken,
        "unexpected_audience": deadToken,
        "not_admin": ErrorMeaning(.invalidKey, "This call is for administrators only."),
        "session_not_found": revoked,
        "session_expired": ErrorMeaning(.sessionExpired, "The session has expired.", [.signIn]),
        "refresh_token_not_found": unknownToken,
        "refresh_token_already_used": ErrorMeaning(.refreshTokenReused, "The refresh token was already used.", [.signIn]),
        "reauthentication_needed": ErrorMeaning(.reauthenticationRequired, "This call requires a recent sign-in."),
        "insufficient_aal": ErrorMeaning(.secondFactorRequired, "This call requires a second factor.", [.secondFactor]),

        // Second factors and passkeys
        "mfa_factor_not_found": noFactor,
        "mfa_ip_address_mismatch": noFactor,
        "mfa_challenge_expired": ErrorMeaning(.codeExpired, "The challenge has expired. Start it again.", [.startAgain]),
        "mfa_verification_rejected": ErrorMeaning(.providerRefused, "A hook of the project rejected the second factor."),
        "mfa_factor_name_conflict": ErrorMeaning(.invalidInput, "The user already has a second factor with this name."),
        "mfa_verified_factor_exists": ErrorMeaning(.invalidInput, "The user already has this second factor."),
        "too_many_enrolled_mfa_factors": ErrorMeaning(
            .invalidInput, "The user has the maximum number of second factors that the project allows."),
        "too_many_passkeys": ErrorMeaning(.invalidInput, "The user has the maximum number of passkeys that the project allows."),
        "webauthn_credential_exists": ErrorMeaning(.identityAlreadyInUse, "The passkey is already registered."),
        "webauthn_challenge_not_found": ErrorMeaning(
            .codeUsed, "The passkey's challenge was already used. Start it again.", [.startAgain]),
        "webauthn_challenge_expired": ErrorMeaning(
            .codeExpired, "The passkey's challenge has expired. Start it again.", [.startAgain]),
        "webauthn_verification_failed": badPasskey,

        // Limits and trouble
        "over_request_rate_limit": tooMany,
        "over_email_send_rate_limit": tooMany,
        "over_sms_send_rate_limit": tooMany,
        "conflict": ErrorMeaning(
            .serverUnavailable, "Another request of the same session is in progress.", retry: .after(.seconds(1))),
        "request_timeout": ErrorMeaning(.serverUnavailable, "The backend did not respond in time.", retry: .after(.seconds(1))),
        "hook_timeout": ErrorMeaning(.serverUnavailable, "A hook of the project did not respond.", retry: .after(.seconds(1))),
        "hook_timeout_after_retry": ErrorMeaning(
            .serverUnavailable, "A hook of the project did not respond.", retry: .after(.seconds(1))),
        "hook_payload_over_size_limit": ErrorMeaning(
            .serverUnavailable, "A hook of the project returned a response that is too large for GoTrue."),
        "hook_payload_invalid_content_type": ErrorMeaning(
            .serverUnavailable, "A hook of the project returned a response in a format that GoTrue does not accept."),
        "sms_send_failed": notSent,

        // Error codes of identity providers and of OAuth endpoints
        "access_denied": ErrorMeaning(.providerRefused, "The identity provider or the user declined the sign-in.", [.startAgain]),
        "invalid nonce": badNonce,
        "server_error": ErrorMeaning(.serverUnavailable, "The backend has a problem.", retry: .after(.seconds(1))),
        "temporarily_unavailable": ErrorMeaning(.serverUnavailable, "The backend has a problem.", retry: .after(.seconds(1))),
    ]

    /// Codes with a different meaning for another status.
    ///
    /// The error for an access token of a deleted user is a 403. The error for an unknown user that an administrator
    /// requests is a 404.
    static let ofStatuses: [String: [Int: ErrorMeaning]] = [
        "user_not_found": [404: ErrorMeaning(.userNotFound, "The user does not exist.")]
    ]

    /// Texts of `unexpected_failure`, the code of every internal error; some can be distinguished by the text.
    static let ofFailureTexts: [(key: String, value: ErrorMeaning)] = [
        ("Error sending", notSent), ("Unable to get SMS provider", notSent),
        // A passkey as second factor that does not belong to the user, or has signed something else.
        ("Failed to validate WebAuthn MFA response", badPasskey),
    ]

    /// Texts of `validation_failed`, the code of every malformed value; some have their own portable code.
    static let ofValidationTexts: [(key: String, value: ErrorMeaning)] = [
        ("Unable to validate email address", ErrorMeaning(.invalidEmail, "The server does not accept this e-mail address.")),
        ("An email address is too long", ErrorMeaning(.invalidEmail, "The e-mail address is too long.")),
        ("Invalid email format", ErrorMeaning(.invalidEmail, "The server does not accept this e-mail address.")),
        ("Invalid phone number format", ErrorMeaning(.invalidPhone, "The number is not in E.164 format.")),
        (
            "Password cannot be longer",
            ErrorMeaning(
                .weakPassword, "The password is longer than the server accepts. Choose a shorter one.", [.choosePassword])
        ),
        ("Signup requires a valid password", weak),
        ("Unsupported provider", off),
        ("Refresh token is not valid", unknownToken),
        ("Invalid Refresh Token", unknownToken),
    ]

    /// Parts of sentences about passwords, each with its portable reason.
    fileprivate static let ofPasswordTexts: [(key: String, value: String)] = [
        ("Password should be at least", "length"), ("Signup requires a valid password", "length"),
        ("Password cannot be longer", "tooLong"), ("Password should contain at least one character", "characters"),
        ("Password is known to be weak", "pwned"),
    ]

    /// Messages without a code: of older servers, of invalid ID tokens, and of the gateway of hosted projects.
    static let ofTexts: [(key: String, value: ErrorMeaning)] = [
        ("Invalid login credentials", wrongCredentials),
        ("Email not confirmed", ErrorMeaning(.verificationRequired, "The address must be verified first.")),
        ("Phone not confirmed", ErrorMeaning(.verificationRequired, "The number must be verified first.")),
        ("User already registered", emailTaken),
        ("A user with this email address has already been registered", emailTaken),
        ("Password should", weak),
        (
            "New password should be different",
            ErrorMeaning(.samePassword, "The new password is the same as the old password.", [.choosePassword])
        ),
        ("Unable to validate email address", ErrorMeaning(.invalidEmail, "The server does not accept this e-mail address.")),
        (
            "Signups not allowed for otp",
            ErrorMeaning(.userNotFound, "No account uses this address, and the call does not create accounts.")
        ),
        ("Signups not allowed", ErrorMeaning(.signUpDisabled, "The project does not allow sign-ups.")),
        ("Email signups are disabled", off),
        ("Email logins are disabled", off),
        ("Anonymous sign-ins are disabled", off),
        ("Token has expired or is invalid", badProof),
        (
            "Email link is invalid or has expired",
            ErrorMeaning(.linkExpired, "The link has expired, or was already used.", [.resend, .startAgain])
        ),
        (
            "Invalid Refresh Token: Already Used",
            ErrorMeaning(.refreshTokenReused, "The refresh token was already used.", [.signIn])
        ),
        ("Invalid Refresh Token: User Banned", disabled),
        ("Invalid Refresh Token: Session Expired", ErrorMeaning(.sessionExpired, "The session has expired.", [.signIn])),
        ("Invalid Refresh Token", unknownToken),
        ("User from sub claim in JWT does not exist", ErrorMeaning(.userDeleted, "The account no longer exists.")),
        ("Session from session_id claim in JWT does not exist", revoked),
        ("User is banned", disabled),
        ("invalid JWT", deadToken),
        ("For security purposes, you can only request this", tooMany),
        ("email rate limit exceeded", tooMany),
        ("SMS rate limit exceeded", tooMany),
        ("Request rate limit reached", tooMany),
        ("Error sending", notSent),
        ("id_token required", badIDToken),
        ("Bad ID token", badIDToken),
        ("Missing sub claim in id_token", badIDToken),
        ("Unacceptable audience in id_token", badIDToken),
        ("Passed nonce and nonce in id_token", badNonce),
        ("Nonces mismatch", badNonce),
        ("Linking requires a valid user access token", deadToken),
        ("No API key found", ErrorMeaning(.invalidKey, "The gateway requires the project's key. Set it in the configuration.")),
        ("Invalid API key", refusedKey),
        ("Unregistered API key", refusedKey),
        ("Invalid authentication credentials", refusedKey),
        (
            "Legacy API keys are disabled",
            ErrorMeaning(
                .invalidKey, "The project has turned off its anon and service_role keys. Use its publishable or secret key.")
        ),
        (
            "Forbidden use of secret API key in browser",
            ErrorMeaning(
                .invalidKey,
                "The gateway rejects the secret key, because the User-Agent (Mozilla/…) is that of a browser. Use the secret key only on servers."
            )
        ),
    ]
}
