internal import Lockstep
package import LockstepHTTP
package import LockstepPrimitives
package import LockstepWire

/// Maps errors of Firebase, of a proxy before it, and of the transport to portable codes.
package enum ErrorMapping: ErrorTable {
    package static let provider = "Firebase"
    package static let mistake = "the emulator's address belongs to another server"
    /// Firebase specifies no wait.
    ///
    /// Its own SDKs start with this time.
    package static let defaultWait = Duration.seconds(60)

    package static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofCodes[code] != nil }

    package static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? { report(body) }

    /// Reads Google's error format.
    ///
    /// - `own`: The codes that have a different meaning in the service that responded.
    package static func report(_ body: JSON?, own: [String: ErrorMeaning] = [:]) -> ErrorReport? {
        guard let error = body?["error"], let message = error["message"]?.filled else { return nil }
        let details = error["details"]?.array ?? []
        let reason = error["errors"]?[0]?["reason"]?.string ?? details.lazy.compactMap { $0["reason"]?.string }.first
        return report(message: message, reason: reason, status: error["status"]?.string, own: own)
    }

    /// Reads a message: `CODE`, or `CODE : a sentence`, sometimes without the spaces, or `CODE ((a remark of the
    /// emulator))`.
    ///
    /// - `reason`: Google's own word for the kind of error, if the response contains one.
    /// - `status`: The status that all of Google's services share. It is used if the message is a sentence
    ///   and not a code.
    static func report(
        message: String, reason: String? = nil, status: String? = nil, own: [String: ErrorMeaning] = [:]
    ) -> ErrorReport {
        let colon = message.unicodeScalars.firstIndex(of: ":")
        let remark = message.firstRange(of: "((")?.lowerBound
        let code = message[..<([colon, remark].compactMap { $0 }.min() ?? message.endIndex)].trimmed
        let detail = quoting.contains(code) ? nil : colon.map { message[message.unicodeScalars.index(after: $0)...].trimmed }
        let isSentence = !code.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        let reasons = reasons(code, detail)
        return ErrorReport(
            code: code, message: detail, reasons: reasons,
            meaning: reasons == ["tooLong"]
                ? .tooLong
                : own[code] ?? ErrorMeaning.ofCodes[code] ?? ErrorMeaning.ofReasons[reason ?? ""]
                    ?? (isSentence ? ErrorMeaning.ofStatuses[status ?? ""] : nil),
            isQuoting: quoting.contains(code))
    }

    /// Codes whose sentence may contain tokens of the request.
    private static let quoting: Set<String> = [
        "INVALID_IDP_RESPONSE", "INVALID_CREDENTIAL_OR_PROVIDER_ID", "INVALID_CUSTOM_TOKEN", "INVALID_PENDING_TOKEN",
    ]

    /// Returns the portable reasons for a rejected password: Firebase lists sentences in brackets, for lengths and
    /// kinds of characters.
    private static func reasons(_ code: String, _ detail: String?) -> [String] {
        guard code == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS" else { return code == "WEAK_PASSWORD" ? ["length"] : [] }
        let list = (detail ?? "").drop { $0 != "[" }.dropFirst().cut(at: "]").head
        return list.pieces(at: ",").compactMap { requirement(of: $0.lowercased()) }.reduce(into: []) { found, reason in
            if !found.contains(reason) { found.append(reason) }
        }
    }

    private static func requirement(of sentence: String) -> String? {
        func has(_ words: String...) -> Bool { words.contains { sentence.firstRange(of: $0) != nil } }
        if has("at most", "maximum_password_length") { return "tooLong" }
        if has("at least", "minimum_password_length") { return "length" }
        return has("character", "case", "numeric", "digit") ? "characters" : nil
    }
}

/// The errors of the account service.
///
/// Some of its codes have a different meaning for an ID token than those of the token service.
enum AccountErrors: ErrorTable {
    static let provider = ErrorMapping.provider
    static let mistake = ErrorMapping.mistake
    static let defaultWait = ErrorMapping.defaultWait
    static let tokenNames: Set<String> = ["idToken"]

    static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofAccountService[code] != nil || ErrorMapping.isKnown(code) }

    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        ErrorMapping.report(body, own: ErrorMeaning.ofAccountService)
    }
}

/// The errors of the app's own function that ends sessions.
///
/// It has no table, so only its rejection of the token has a meaning.
enum FunctionErrors: AppFunctionErrors {
    static let provider = "the function that ends sessions"
    static let mistake = "the function's address belongs to another server"
    static let defaultWait = ErrorMapping.defaultWait

    static func isKnown(_ code: String) -> Bool { code == "UNAUTHENTICATED" }

    static func ownReport(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard response.status == 401 || body?["error"]?["status"]?.string == "UNAUTHENTICATED" else { return nil }
        return ErrorReport(
            code: "UNAUTHENTICATED", message: nil,
            meaning: ErrorMeaning(
                .accessTokenRefused,
                "The function that ends sessions does not accept the access token. It must verify the ID tokens of this project.",
                [.signIn]))
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// Maps Firebase's error codes to portable codes.
extension ErrorMeaning {
    private static let wrongCredentials = ErrorMeaning(.invalidCredentials, "Incorrect e-mail address or password.")
    private static let off = ErrorMeaning(.notEnabled, "This method is turned off in the project's settings.")
    private static let badEmail = ErrorMeaning(.invalidEmail, "Firebase does not accept this e-mail address.")
    private static let missing = ErrorMeaning(.invalidInput, "A value is missing, or has the wrong format.")
    private static let weak = ErrorMeaning(.weakPassword, "The password does not meet the project's policy.", [.choosePassword])
    fileprivate static let tooLong = ErrorMeaning(
        .weakPassword, "The password is longer than the project's policy allows. Choose a shorter one.", [.choosePassword])
    private static let badIDToken = ErrorMeaning(
        .invalidIDToken,
        "The identity provider's token is not genuine, is not for this project, has expired, or has another nonce than the call.")
    private static let badNonce = ErrorMeaning(
        .invalidIDToken,
        "The nonces of the identity provider's token and of the call differ, or one of them is missing. Pass the nonce whose SHA-256 is in the token."
    )
    private static let taken = ErrorMeaning(.identityAlreadyInUse, "The identity belongs to another account.", [.signIn])
    private static let deadToken = ErrorMeaning(
        .accessTokenRefused, "The access token was rejected: it has expired, or belongs to another project.", [.signIn])
    private static let tooMany = ErrorMeaning(.tooManyRequests, "Too many attempts. Wait before the next attempt.")
    private static let badCode = ErrorMeaning(.invalidCode, "The code is wrong.")
    private static let badTicket = ErrorMeaning(
        .invalidCredentials,
        "The ticket is wrong, has expired, or belongs to another project. Request a new ticket from your server.", [.startAgain]
    )
    private static let stepLost = ErrorMeaning(.codeExpired, "The second step has expired. Sign in again.", [.startAgain])
    private static let badAddress = ErrorMeaning(
        .invalidConfiguration,
        "The project does not accept this callback address. Add its domain to the project's authorized domains.")
    private static let noTenant = ErrorMeaning(
        .invalidConfiguration, "The project has no such tenant. Create it, or correct the tenant id.")
    private static let badKey = ErrorMeaning(.invalidKey, "Firebase rejects the API key. Check it in the project's settings.")
    private static let unknownToken = ErrorMeaning(.refreshTokenUnknown, "The refresh token is unknown to Firebase.", [.signIn])
    private static let captcha = ErrorMeaning(
        .captchaRequired, "The project requires a reCAPTCHA Enterprise token, or rejected the token.",
        [.captcha])
    private static let unknownPasskey = ErrorMeaning(.invalidCredentials, "No account has this passkey.")
    private static let appUnknown = ErrorMeaning(
        .captchaRequired, "Firebase requires a captcha, or a verification of the app.")

    /// Every code of Firebase's error tables that has a portable meaning.
    static let ofCodes: [String: ErrorMeaning] = [
        // What the user typed
        "INVALID_LOGIN_CREDENTIALS": wrongCredentials,
        "INVALID_PASSWORD": wrongCredentials,
        "EMAIL_NOT_FOUND": ErrorMeaning(.userNotFound, "No account uses this address."),
        "INVALID_EMAIL": badEmail,
        "INVALID_IDENTIFIER": badEmail,
        "MISSING_EMAIL": badEmail,
        "INVALID_RECIPIENT_EMAIL": badEmail,
        "MISSING_NEW_EMAIL": badEmail,
        "MISSING_PASSWORD": missing,
        "MISSING_IDENTIFIER": missing,
        "MISSING_REQ_TYPE": missing,
        "INVALID_REQ_TYPE": missing,
        "MISSING_OOB_CODE": missing,
        "MISSING_CODE": missing,
        "MISSING_SESSION_INFO": missing,
        "UNEXPECTED_PARAMETER": missing,
        "MISSING_REQUEST_URI": missing,
        "INVALID_REQUEST_URI": missing,
        "MISSING_GRANT_TYPE": missing,
        // A proxy has dropped the body: the session's own token was not judged.
        "MISSING_REFRESH_TOKEN": missing,
        "INVALID_GRANT_TYPE": missing,
        "INVALID_ARGUMENT": missing,
        "Invalid content-type": missing,
        "MISSING_AUTHENTICATOR_RESPONSE": missing,
        "INVALID_CREDENTIAL_ID": missing,
        "PASSKEY_CREDENTIAL_NOT_FOUND": unknownPasskey,
        "PASSKEY_ENROLLMENT_NOT_FOUND": unknownPasskey,
        "INVALID_AUTHENTICATOR_RESPONSE": ErrorMeaning(
            .invalidCredentials, "Firebase rejects the passkey's signature: it is wrong, was already used, or has expired.",
            [.startAgain]),
        "WEAK_PASSWORD": weak,
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": weak,
        "INVALID_PHONE_NUMBER": ErrorMeaning(.invalidPhone, "The number is not in E.164 format."),
        "MISSING_PHONE_NUMBER": ErrorMeaning(.invalidPhone, "The number is missing."),
        "INVALID_CODE": badCode,
        "INVALID_TEMPORARY_PROOF": badCode,
        "SESSION_EXPIRED": ErrorMeaning(.codeExpired, "The code has expired. Request a new code.", [.resend]),
        "INVALID_SESSION_INFO": ErrorMeaning(
            .codeExpired, "The code was already used, or is not from a message of this project. Request a new code.",
            [.resend, .startAgain]),

        // Accounts
        "USER_DISABLED": ErrorMeaning(.userDisabled, "An administrator has disabled this account."),
        "USER_NOT_FOUND": ErrorMeaning(.userDeleted, "The account no longer exists."),
        "EMAIL_EXISTS": ErrorMeaning(.emailAlreadyInUse, "Another account uses this address.", [.signIn]),
        "PHONE_NUMBER_EXISTS": ErrorMeaning(.phoneAlreadyInUse, "Another account uses this number.", [.signIn]),
        "FEDERATED_USER_ID_ALREADY_LINKED": taken,
        "CREDENTIAL_ALREADY_IN_USE": taken,
        "EMAIL_CHANGE_NEEDS_VERIFICATION": ErrorMeaning(.verificationRequired, "The new address must be verified first."),
        "UNVERIFIED_EMAIL": ErrorMeaning(.verificationRequired, "The address must be verified first."),

        // Links and identity providers
        "EXPIRED_OOB_CODE": ErrorMeaning(.linkExpired, "The link has expired. Request a new link.", [.resend, .startAgain]),
        "INVALID_OOB_CODE": ErrorMeaning(
            .linkInvalid, "The link was already used, or was never issued. Request a new link.", [.resend, .startAgain]),
        "INVALID_IDP_RESPONSE": badIDToken,
        "INVALID_PENDING_TOKEN": badIDToken,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID": badIDToken,
        "MISSING_OR_INVALID_NONCE": badNonce,
        "REJECTED_CREDENTIAL": badIDToken,
        "USER_CANCELLED": ErrorMeaning(.providerRefused, "The user declined on the identity provider's page.", [.startAgain]),
        "INVALID_CUSTOM_TOKEN": badTicket,
        "FORBIDDEN_CLAIM": badTicket,
        "INVALID_CLAIMS": badTicket,
        "CREDENTIAL_MISMATCH": badTicket,
        "MISSING_CUSTOM_TOKEN": badTicket,
        "INVALID_PROVIDER_ID": off,

        // What the project allows
        "OPERATION_NOT_ALLOWED": off,
        "PASSWORD_LOGIN_DISABLED": off,
        "ADMIN_ONLY_OPERATION": ErrorMeaning(.signUpDisabled, "Only administrators can create accounts in this project."),
        "PROJECT_DISABLED": off,
        "UNSUPPORTED_TENANT_OPERATION": off,
        "UNSUPPORTED_FIRST_FACTOR": ErrorMeaning(
            .notEnabled,
            "Firebase does not support a second factor for users who sign in anonymously, with a phone number or with a ticket."
        ),
        "TENANT_NOT_FOUND": noTenant,
        "INVALID_TENANT_ID": noTenant,
        "CONFIGURATION_NOT_FOUND": off,
        "BILLING_NOT_ENABLED": ErrorMeaning(
            .notEnabled, "The project's plan does not include messages of this kind. Turn on billing for the project."),
        "INVALID_OAUTH_CLIENT_ID": ErrorMeaning(
            .notEnabled, "The identity provider's client id in the project's settings is not valid. Correct it there."),
        "RECAPTCHA_NOT_ENABLED": ErrorMeaning(
            .notEnabled, "The project has not turned on reCAPTCHA Enterprise. Use another verification of the app."),
        "BLOCKING_FUNCTION_ERROR_RESPONSE": ErrorMeaning(
            .providerRefused, "A blocking function of the project rejected the request."),
        "UNAUTHORIZED_DOMAIN": badAddress,
        "INVALID_CONTINUE_URI": badAddress,
        "MISSING_CONTINUE_URI": badAddress,
        "INVALID_HOSTING_LINK_DOMAIN": badAddress,
        "MISSING_IOS_BUNDLE_ID": badAddress,
        "MISSING_ANDROID_PACKAGE_NAME": badAddress,
        "INVALID_SENDER": ErrorMeaning(.messageNotSent, "Firebase rejects the sender of the project's messages."),
        "INVALID_MESSAGE_PAYLOAD": ErrorMeaning(.messageNotSent, "The project's message template cannot be sent."),
        "EMAIL_NOT_SENT": ErrorMeaning(
            .messageNotSent, "Firebase could not send the message. Request it again.", retry: .now, [.resend]),
        "CAPTCHA_CHECK_FAILED": appUnknown,
        "MISSING_RECAPTCHA_TOKEN": captcha,
        "INVALID_RECAPTCHA_TOKEN": captcha,
        "APP_NOT_VERIFIED": appUnknown,
        "MISSING_APP_CREDENTIAL": appUnknown,
        "INVALID_APP_CREDENTIAL": appUnknown,
        "MISSING_CLIENT_IDENTIFIER": appUnknown,
        "INVALID_APP_ID": appUnknown,
        "INVALID_CERT_HASH": appUnknown,
        "INVALID_RECAPTCHA_ACTION": appUnknown,
        "MISSING_CLIENT_TYPE": appUnknown,
        "MISSING_RECAPTCHA_VERSION": appUnknown,
        "INVALID_RECAPTCHA_VERSION": appUnknown,
        "Firebase App Check token is invalid.": appUnknown,

        // Sessions
        "TOKEN_EXPIRED": ErrorMeaning(
            .sessionRevoked, "The session was ended by an administrator, or by a change of the password or the address.",
            [.signIn]),
        "INVALID_REFRESH_TOKEN": unknownToken,
        // The key decides the project, so the app has the wrong key.
        "PROJECT_NUMBER_MISMATCH": ErrorMeaning(
            .invalidKey, "The API key belongs to another project than the session. Check it in the project's settings."),
        "INVALID_ID_TOKEN": deadToken,
        "MISSING_ID_TOKEN": deadToken,
        "TENANT_ID_MISMATCH": deadToken,
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": ErrorMeaning(
            .reauthenticationRequired, "This call requires a recent sign-in."),

        // Second factors
        "INVALID_MFA_PENDING_CREDENTIAL": stepLost,
        "MISSING_MFA_PENDING_CREDENTIAL": stepLost,
        "MISSING_CREDENTIAL": stepLost,
        "MISSING_MFA_ENROLLMENT_ID": missing,
        "MFA_ENROLLMENT_NOT_FOUND": ErrorMeaning(.invalidInput, "The user does not have this second factor."),
        "SECOND_FACTOR_EXISTS": ErrorMeaning(.invalidInput, "The user already has this second factor."),
        "SECOND_FACTOR_LIMIT_EXCEEDED": ErrorMeaning(
            .invalidInput, "The user has the maximum number of second factors that Firebase allows."),

        // Limits
        "TOO_MANY_ATTEMPTS_TRY_LATER": tooMany,
        "RESET_PASSWORD_EXCEED_LIMIT": tooMany,
        "QUOTA_EXCEEDED": tooMany,
        "EXCEEDED_QUOTA": tooMany,
    ]

    /// Codes with a different meaning for an ID token: its session may still be active, which the token service
    /// decides.
    static let ofAccountService: [String: ErrorMeaning] = ["TOKEN_EXPIRED": deadToken]

    /// Google's reasons for rejected keys; the message is then a sentence.
    static let ofReasons: [String: ErrorMeaning] = [
        "keyInvalid": badKey, "API_KEY_INVALID": badKey, "keyExpired": badKey, "forbidden": badKey, "ipRefererBlocked": badKey,
        "API_KEY_HTTP_REFERRER_BLOCKED": badKey, "API_KEY_IOS_APP_BLOCKED": badKey, "API_KEY_ANDROID_APP_BLOCKED": badKey,
        "rateLimitExceeded": tooMany, "RATE_LIMIT_EXCEEDED": tooMany,
    ]
    /// The statuses that all of Google's services share (google.rpc.Code); the message is then a sentence.
    static let ofStatuses: [String: ErrorMeaning] = [
        "INVALID_ARGUMENT": missing, "UNAUTHENTICATED": badKey, "PERMISSION_DENIED": badKey, "RESOURCE_EXHAUSTED": tooMany,
        "NOT_FOUND": ErrorMeaning(.invalidConfiguration, "The server does not have this route. Check the emulator's address."),
    ]
}
