internal import Lockstep
package import LockstepHTTP
package import LockstepPrimitives
package import LockstepWire

/// Maps errors of Clerk and of the transport to portable codes.
///
/// If a response contains several errors, the first error with a known meaning is used, because Clerk adds warnings to
/// errors.
package enum ErrorMapping: ErrorTable {
    package static let provider = "Clerk"
    package static let mistake = "the address is not the address of the front-end API"
    /// The shortest of Clerk's own intervals.
    package static let defaultWait = Duration.seconds(30)

    package static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofCodes[code] != nil }

    /// Reads Clerk's envelope of errors.
    package static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        let errors = body?["errors"]?.array ?? []
        guard let first = errors.first(where: { meaning(of: $0) != nil }) ?? errors.first, let code = first["code"]?.string else {
            return nil
        }
        let known = meaning(of: first)
        var reasons: [String] = []
        for reason in errors.compactMap({ passwordReasons[$0["code"]?.string ?? ""] }) where !reasons.contains(reason) {
            reasons.append(reason)
        }
        return ErrorReport(
            code: code, message: first["long_message"]?.string ?? first["message"]?.string,
            reasons: known?.code == .weakPassword ? reasons : [],
            meaning: known, wait: (first["meta"]?["lockout_expires_in_seconds"]?.int).map { .seconds($0) })
    }

    /// The portable reasons.
    ///
    /// A password that is easy to guess for another reason has none of them.
    private static let passwordReasons = [
        "form_password_pwned": "pwned", "form_password_length_too_short": "length", "form_password_length_too_long": "tooLong",
        "form_password_size_in_bytes_exceeded": "tooLong", "form_password_no_lowercase": "characters",
        "form_password_no_uppercase": "characters", "form_password_no_number": "characters",
        "form_password_no_special_char": "characters",
    ]

    private static func meaning(of error: JSON) -> ErrorMeaning? {
        guard let code = error["code"]?.string else { return nil }
        if let field = error["meta"]?["param_name"]?.string, let meaning = ErrorMeaning.ofFields["\(code) \(field)"] {
            return meaning
        }
        return ErrorMeaning.ofCodes[code] ?? (code.hasPrefix("form_") ? .badInput : nil)
    }
}

extension AuthError {
    /// The error for an attempt whose client Clerk no longer accepts.
    ///
    /// No user is signed in yet, so no session has ended.
    var lostAttempt: AuthError {
        var error = self
        let lost = ErrorMeaning.lost
        (error.code, error.message, error.remedies) = (lost.code, lost.sentence, lost.remedies)
        return error
    }
}

/// Maps Clerk's error codes to portable codes.
extension ErrorMeaning {
    private static let wrongCredentials = ErrorMeaning(.invalidCredentials, "Incorrect e-mail address or password.")
    private static let weak = ErrorMeaning(.weakPassword, "The password does not meet the instance's policy.", [.choosePassword])
    private static let tooLong = ErrorMeaning(
        .weakPassword, "The password is longer than the instance accepts. Choose a shorter one.", [.choosePassword])
    private static let badCode = ErrorMeaning(.invalidCode, "The code is wrong.")
    private static let oldCode = ErrorMeaning(.codeExpired, "The code has expired, or a newer code was sent.", [.resend])
    private static let ended = ErrorMeaning(.sessionRevoked, "The session has ended on the backend.", [.signIn])
    private static let off = ErrorMeaning(.notEnabled, "The instance's settings do not allow this call.")
    private static let closed = ErrorMeaning(.signUpDisabled, "The instance does not allow this sign-up.")
    private static let tooMany = ErrorMeaning(.tooManyRequests, "Too many requests. Wait before the next request.")
    private static let notSent = ErrorMeaning(
        .messageNotSent, "The backend could not send the message. Request it again.", retry: .now, [.resend])
    private static let badTicket = ErrorMeaning(.invalidCredentials, "The ticket is wrong, was already used, or has expired.")
    private static let badIDToken = ErrorMeaning(
        .invalidIDToken, "The ID token is not genuine, is not for this instance, or has expired.")
    private static let notAMember = ErrorMeaning(.invalidInput, "The organization does not exist, or the user is not a member.")
    private static let badPasskey = ErrorMeaning(
        .invalidCredentials, "The passkey does not belong to this instance, or did not sign the challenge.")
    private static let replaced = ErrorMeaning(
        .credentialChanged, "The user must reset the password before signing in again. Start a password reset.", [.choosePassword]
    )
    private static let elsewhere = ErrorMeaning(
        .flowStartedElsewhere, "This device did not start the flow of this link.", [.startAgain])
    private static let human = ErrorMeaning(.captchaRequired, "The backend requires a captcha.")
    private static let captcha = ErrorMeaning(
        .captchaRequired, "The instance requires a captcha, or rejected the captcha.", [.captcha])
    private static let trouble = ErrorMeaning(
        .serverUnavailable, "The backend has a problem. Try again later.", retry: .now)
    static let badInput = ErrorMeaning(.invalidInput, "A value is missing, or has the wrong format.")
    fileprivate static let lost = ErrorMeaning(
        .flowNotFound, "The attempt no longer exists on the backend. Start again.", [.startAgain])
    private static let lastIdentity = ErrorMeaning(.lastIdentity, "The last sign-in method cannot be removed.")

    /// Codes that have a different meaning for one field (`code param_name`).
    static let ofFields: [String: ErrorMeaning] = [
        "form_param_format_invalid email_address": ErrorMeaning(
            .invalidEmail, "The backend does not accept this e-mail address."),
        "form_param_format_invalid identifier": ErrorMeaning(.invalidEmail, "The backend does not accept this e-mail address."),
        "form_param_format_invalid phone_number": ErrorMeaning(.invalidPhone, "The backend does not accept this phone number."),
        "form_identifier_exists phone_number": ErrorMeaning(.phoneAlreadyInUse, "Another account uses this number.", [.signIn]),
        "form_password_validation_failed current_password": ErrorMeaning(
            .invalidCredentials, "The current password is wrong. Ask the user to type it again."),
        "form_param_value_invalid strategy": off,
        "form_param_value_invalid token": badIDToken,
        "form_param_format_invalid token": badIDToken,
    ]

    /// Every code of the error catalogue (specs/clerk-error-codes.json) that has a portable meaning.
    static let ofCodes: [String: ErrorMeaning] = [
        // What the user typed
        "form_password_incorrect": wrongCredentials, "form_password_or_identifier_incorrect": wrongCredentials,
        "incorrect_password": wrongCredentials,
        "form_identifier_not_found": ErrorMeaning(.userNotFound, "No account uses this address."),
        "external_account_not_found": ErrorMeaning(.userNotFound, "No account has this identity."),
        "form_password_pwned": weak, "form_password_length_too_short": weak, "form_password_length_too_long": tooLong,
        "form_password_no_lowercase": weak, "form_password_no_uppercase": weak, "form_password_no_number": weak,
        "form_password_no_special_char": weak, "form_password_not_strong_enough": weak, "form_password_matches_identifier": weak,
        "form_password_size_in_bytes_exceeded": tooLong, "form_password_validation_failed": weak,
        "form_new_password_matches_current": ErrorMeaning(
            .samePassword, "The new password is the same as the old password.", [.choosePassword]),
        "form_code_incorrect": badCode, "totp_incorrect_code": badCode, "totp_invalid_length": badCode,
        "verification_expired": oldCode, "verification_missing": oldCode, "verification_not_sent": oldCode,
        "sign_up_outdated_verification": oldCode, "verification_strategy_invalid": oldCode,
        "verification_already_verified": ErrorMeaning(.codeUsed, "The code was already used."),
        "verification_failed": ErrorMeaning(.codeExpired, "Too many wrong codes. This code is no longer valid.", [.resend]),
        "password_required": badInput, "no_password_set": badInput,
        "totp_already_enabled": ErrorMeaning(
            .invalidInput, "The user already has an authenticator app. Remove it before you add another app."),
        "oauth_account_already_connected": ErrorMeaning(
            .invalidInput, "The user already has an identity of this provider. Remove it before you add another identity."),
        "image_too_large": ErrorMeaning(.invalidInput, "The photo is too large: Clerk accepts at most 10 MB."),
        "identification_update_failed": badInput, "delete_linked_identification_disallowed": badInput,
        "unsupported_country_code": ErrorMeaning(.invalidPhone, "The instance does not accept phone numbers from this country."),

        // Accounts
        "user_banned": ErrorMeaning(.userDisabled, "An administrator has disabled this account."),
        "user_deactivated": ErrorMeaning(.userDisabled, "This account is deactivated."),
        "user_locked": ErrorMeaning(
            .tooManyRequests, "Too many wrong attempts: the account is locked for some time. Try again later."),
        "form_identifier_exists": ErrorMeaning(.emailAlreadyInUse, "Another account uses this address.", [.signIn]),
        "identification_claimed": ErrorMeaning(.emailAlreadyInUse, "Another account uses this address.", [.signIn]),
        "external_account_exists": ErrorMeaning(.identityAlreadyInUse, "The identity belongs to another account.", [.signIn]),
        "identification_deletion_failed": lastIdentity, "last_required_identification_deletion_failed": lastIdentity,
        "password_reset_required": replaced, "form_password_compromised": replaced,
        "deprovisioned": ErrorMeaning(.userDisabled, "The organization's directory has disabled this account."),
        "sign_up_mode_restricted": closed, "sign_up_restricted_waitlist": closed, "user_quota_exceeded": closed,
        "waitlist_not_accepting_entries": closed,
        "user_delete_self_not_enabled": off,
        "session_reverification_required": ErrorMeaning(
            .reauthenticationRequired, "This call requires a recent verification. Ask the user to sign in again."),
        "immutable_attribute_modification_not_allowed": off,

        // Links, tickets, identity providers
        "approval_token_expired": ErrorMeaning(.linkExpired, "The link has expired.", [.resend]),
        "approval_token_consumed": ErrorMeaning(.linkUsed, "The link was already used.", [.startAgain]),
        "approval_token_invalid": ErrorMeaning(.linkInvalid, "The link is damaged, or was never issued.", [.startAgain]),
        "pkce_verification_failed": elsewhere, "sign_in_email_link_not_same_client": elsewhere,
        "sign_up_email_link_not_same_client": elsewhere,
        "verification_link_token_expired": ErrorMeaning(.linkExpired, "The link has expired.", [.resend]),
        "verification_link_token_invalid": ErrorMeaning(
            .linkInvalid, "The link is damaged, or was never issued.", [.startAgain]),
        "ticket_expired_code": badTicket, "ticket_invalid_code": badTicket, "sign_in_token_already_used_code": badTicket,
        "sign_in_token_revoked_code": badTicket, "sign_in_token_cannot_be_used_code": badTicket,
        "google_one_tap_token_invalid": badIDToken, "oauth_token_exchange_error": badIDToken,
        "oauth_access_denied": ErrorMeaning(.providerRefused, "The identity provider or the user declined the sign-in."),
        "not_allowed_access": ErrorMeaning(.providerRefused, "The instance does not allow this identity."),

        // Passkeys
        "passkey_not_registered": badPasskey, "passkey_authentication_failure": badPasskey,
        "passkey_invalid_public_key_credential": badPasskey, "passkey_invalid_verification": badPasskey,
        "passkey_quota_exceeded": ErrorMeaning(
            .invalidInput,
            "The user has the maximum number of passkeys that Clerk allows. Remove a passkey before you add another."),

        // Sessions
        "authentication_invalid": ended, "signed_out": ended, "client_not_found": ended,
        "authorization_header_format_invalid": ended,
        "resource_not_found": lost, "resource_forbidden": lost, "client_state_invalid": lost, "account_transfer_invalid": lost,
        "sign_up_cannot_be_updated": lost, "session_reverification_missing": lost,
        "invalid_action_for_session_reverification": lost, "sign_in_identification_or_user_deleted": lost,

        // The instance
        "form_param_value_disabled": off, "oauth_provider_not_enabled": off, "feature_not_enabled": off,
        "native_api_disabled": off, "oauth_token_provider_not_enabled": off, "password_disabled": off,
        "sign_in_no_identification_for_user": off, "no_second_factors": off,
        "backup_codes_not_available": ErrorMeaning(
            .secondFactorRequired, "Backup codes require a second factor. Add a second factor first."),
        "organization_not_enabled_in_instance": off,
        "not_a_member_in_organization": notAMember, "organization_not_found_or_unauthorized": notAMember,
        "second_factor_deletion_not_allowed": off,
        "strategy_for_user_invalid": wrongCredentials,
        "too_many_requests": tooMany, "rate_limit_exceeded": tooMany, "verification_code_too_many_requests": tooMany,
        "signup_rate_limit_exceeded": tooMany,
        "dev_monthly_email_limit_exceeded": notSent, "dev_monthly_sms_limit_exceeded": notSent,
        "captcha_invalid": captcha, "captcha_missing_token": captcha,
        "requires_captcha": human, "requires_protect_check": human,
        "requires_device_attestation": ErrorMeaning(.captchaRequired, "The backend must verify the app first."),
        "api_version_invalid": ErrorMeaning(.invalidConfiguration, "The backend does not support this version of the API."),
        "internal_clerk_error": trouble, "gateway_timeout": trouble, "service_unavailable": trouble,
        "resource_locked": trouble, "conflict": trouble,
    ]
}
