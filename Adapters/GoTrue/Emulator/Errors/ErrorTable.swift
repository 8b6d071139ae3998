internal import LockstepPrimitives

/// The errors of the server: the status, code and message of each.
///
/// The real server sometimes uses one code with two statuses. Each row is one response of one of its handlers.
extension GoTrueError {
    // Rows whose message is the handler's own
    static func invalid(_ message: String) -> GoTrueError { GoTrueError(400, "validation_failed", message) }
    static func failure(_ message: String) -> GoTrueError { GoTrueError(500, unexpected, message) }
    static func oauth(_ error: String, _ description: String) -> GoTrueError {
        GoTrueError(status: 400, form: .oauth(error: error), message: description)
    }
    /// An error that the server does not handle.
    static let unhandled = GoTrueError(
        status: 500, form: .unhandled, message: "Unexpected failure, please check server logs for more information")
    /// The real server's response after a panic.
    static let panic = GoTrueError(status: 500, form: .unhandled, message: "Internal Server Error")
    /// PostgreSQL's error for a row that breaks a constraint.
    static func duplicate(_ constraint: String, _ column: String, _ value: String, _ message: String) -> GoTrueError {
        let broken = Constraint(
            message: "duplicate key value violates unique constraint \"\(constraint)\"",
            detail: "Key (\(column))=(\(value)) already exists.")
        return GoTrueError(status: 500, form: .constraint(broken), message: message)
    }
    static let unexpected = "unexpected_failure"

    // Bearers
    static let noBearer = GoTrueError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    static let noSubject = GoTrueError(403, "bad_jwt", "invalid claim: missing sub claim")
    static let malformedSubject = GoTrueError(400, "bad_jwt", "invalid claim: sub claim must be a UUID")
    static let malformedSessionID = GoTrueError(403, "bad_jwt", "invalid claim: session_id claim must be a UUID")
    static func invalidToken(_ reason: String) -> GoTrueError {
        GoTrueError(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, \(reason)")
    }
    static let unknownSubject = GoTrueError(403, "user_not_found", "User from sub claim in JWT does not exist")
    static let unknownSession = GoTrueError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    static let notAdministrator = GoTrueError(403, "not_admin", "User not allowed")
    static let anonymousUser = GoTrueError(403, "no_authorization", "Anonymous user not allowed to perform these actions")
    static let wrongAudience = GoTrueError(403, "unexpected_audience", "Token audience doesn't match request audience")

    // Users and their identities
    static let userNotFound = GoTrueError(404, "user_not_found", "User not found")
    static let linkUserNotFound = GoTrueError(404, "user_not_found", "User with this email not found")
    static let invitedUserNotFound = GoTrueError(404, "user_not_found", "User identified by token not found")
    static let linkingUserNotFound = GoTrueError(422, "user_not_found", "Linking target user not found")
    static let userExists = GoTrueError(422, "user_already_exists", "User already registered")
    static let emailTaken = GoTrueError(422, "email_exists", "A user with this email address has already been registered")
    static let emailTakenAtLink = GoTrueError(400, "email_exists", emailTaken.message)
    static let phoneTaken = GoTrueError(422, "phone_exists", "A user with this phone number has already been registered")
    static let phoneRegistered = GoTrueError(422, "phone_exists", "Phone number already registered by another user")
    static let metadataOfAdministrators = GoTrueError(403, "not_admin", "Updating app_metadata requires admin privileges")
    static let managedBySSO = GoTrueError(
        422, "user_sso_managed", "Updating email, phone, password of a SSO account only possible via SSO")
    static let passwordOfGuest = GoTrueError(
        422, "validation_failed", "Updating password of an anonymous user without an email or phone is not allowed")
    static let singleIdentity = GoTrueError(
        422, "single_identity_not_deletable", "User must have at least 1 identity after unlinking")
    static let identityNotFound = GoTrueError(422, "identity_not_found", "Identity doesn't exist")
    static let identityEmailConflict = GoTrueError(
        422, "email_conflict_identity_not_deletable", "Unable to unlink identity due to email conflict")
    static func identityLinked(isOwn: Bool) -> GoTrueError {
        GoTrueError(
            422, "identity_already_exists", isOwn ? "Identity is already linked" : "Identity is already linked to another user")
    }
    static let manualLinkingDisabled = GoTrueError(404, "manual_linking_disabled", "Manual linking is disabled")

    // Sign-ups and sign-ins
    static let emailSignUpDisabled = GoTrueError(400, "email_provider_disabled", "Email signups are disabled")
    static let phoneSignUpDisabled = GoTrueError(400, "phone_provider_disabled", "Phone signups are disabled")
    static let signUpDisabled = GoTrueError(422, "signup_disabled", "Signups not allowed for this instance")
    static let guestsDisabled = GoTrueError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    static let emailSignInDisabled = GoTrueError(422, "email_provider_disabled", "Email logins are disabled")
    static let phoneSignInDisabled = GoTrueError(422, "phone_provider_disabled", "Phone logins are disabled")
    static let magicLinkDisabled = GoTrueError(422, "email_provider_disabled", "Login with magic link is disabled")
    static let emailMessagesDisabled = GoTrueError(400, "email_provider_disabled", "Email logins are disabled")
    static let phoneMessagesDisabled = GoTrueError(400, "phone_provider_disabled", "Phone logins are disabled")
    static let phoneCodesDisabled = GoTrueError(400, "phone_provider_disabled", "Unsupported phone provider")
    static let codeSignUpDisabled = GoTrueError(422, "otp_disabled", "Signups not allowed for otp")
    static let web3Disabled = GoTrueError(422, "web3_provider_disabled", "Web3 provider is disabled")
    static let unknownGrant = GoTrueError(400, "invalid_credentials", "unsupported_grant_type")
    static let wrongCredentials = GoTrueError(400, "invalid_credentials", "Invalid login credentials")
    static func passwordRejected(_ message: String) -> GoTrueError { GoTrueError(400, "invalid_credentials", message) }
    static let banned = GoTrueError(403, "user_banned", "User is banned")
    static let bannedAtSignIn = GoTrueError(400, "user_banned", "User is banned")
    static let emailUnconfirmed = GoTrueError(400, "email_not_confirmed", "Email not confirmed")
    static let phoneUnconfirmed = GoTrueError(400, "phone_not_confirmed", "Phone not confirmed")
    static let emailUnconfirmedForPasskey = GoTrueError(403, "email_not_confirmed", "Email not confirmed")
    static let phoneUnconfirmedForPasskey = GoTrueError(403, "phone_not_confirmed", "Phone not confirmed")
    static let emailUnconfirmedForNonce = GoTrueError(422, "email_not_confirmed", "Please verify your email first.")
    static let phoneUnconfirmedForNonce = GoTrueError(422, "phone_not_confirmed", "Please verify your phone first.")
    static func captchaFailed(_ reason: String) -> GoTrueError {
        GoTrueError(400, "captcha_failed", "captcha protection: request disallowed (\(reason))")
    }

    // Passwords
    static let samePassword = GoTrueError(422, "same_password", "New password should be different from the old password.")
    static let reauthenticationNeeded = GoTrueError(400, "reauthentication_needed", "Password update requires reauthentication")
    static let badNonce = GoTrueError(422, "reauthentication_not_valid", "Nonce has expired or is invalid")
    static let noCurrentPassword = GoTrueError(
        400, "current_password_required", "Current password required when setting new password.")
    static let wrongCurrentPassword = GoTrueError(
        400, "current_password_invalid", "Current password required when setting new password.")
    static let secondFactorForUpdate = GoTrueError(
        401, "insufficient_aal", "AAL2 session is required to update email or password when MFA is enabled.")
    static func weakPassword(_ message: String, _ reasons: [String]) -> GoTrueError {
        GoTrueError(status: 422, form: .weakPassword(reasons: reasons), message: message)
    }

    // Sessions and refresh tokens
    static let refreshTokenNotFound = GoTrueError(
        400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
    static let refreshTokenUsed = GoTrueError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    static let bannedAtRefresh = GoTrueError(400, "user_banned", "Invalid Refresh Token: User Banned")
    static let sessionNotFound = GoTrueError(400, "session_not_found", "Invalid Refresh Token: No Valid Session Found")
    static func sessionExpired(_ reason: String) -> GoTrueError {
        GoTrueError(400, "session_expired", "Invalid Refresh Token: Session Expired\(reason)")
    }

    // Links, codes and flows
    static let badLink = GoTrueError(403, "otp_expired", "Email link is invalid or has expired")
    static let badCode = GoTrueError(403, "otp_expired", "Token has expired or is invalid")
    static let flowNotFound = GoTrueError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    static let flowOfLinkNotFound = GoTrueError(
        400, "flow_state_not_found", "No associated flow state found. 422: No valid flow state found for user.")
    static let flowExpired = GoTrueError(422, "flow_state_expired", "invalid flow state, flow state has expired")
    static let wrongVerifier = GoTrueError(
        400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
    static let recoveryWithoutEmail = GoTrueError(422, "validation_failed", "Password recovery requires an email")
    static let malformedEmail = GoTrueError(422, "validation_failed", "Invalid email format")

    // Identity providers
    static func providerDisabled(issuer: String) -> GoTrueError {
        GoTrueError(400, "provider_disabled", "Provider (issuer \(GoText.quoted(issuer))) is not enabled")
    }
    static let noState = GoTrueError(400, "bad_oauth_callback", "OAuth state parameter missing")
    static let malformedState = GoTrueError(400, "bad_oauth_state", "OAuth state parameter is invalid")
    static let unknownState = GoTrueError(400, "bad_oauth_state", "OAuth state not found or expired")
    static let expiredState = GoTrueError(400, "bad_oauth_state", "OAuth state has expired")
    static let usedState = GoTrueError(400, "flow_state_already_used", "State has already been used")
    static let noCode = GoTrueError(400, "bad_oauth_callback", "OAuth callback with missing authorization code missing")
    static func unverifiedEmail(at provider: String) -> GoTrueError {
        let message = "Unverified email with \(provider). Verify the email with \(provider) in order to sign in"
        return GoTrueError(422, "provider_email_needs_verification", message)
    }
    static func verificationSent(to provider: String) -> GoTrueError {
        let message = "Unverified email with \(provider). A confirmation email has been sent to your \(provider) email"
        return GoTrueError(422, "provider_email_needs_verification", message)
    }
    static func linkVerificationSent(to provider: String) -> GoTrueError {
        GoTrueError(422, "email_not_confirmed", verificationSent(to: provider).message)
    }
    static let inviteNotFound = GoTrueError(404, "invite_not_found", "Invite not found")
    static let customProviderNotFound = GoTrueError(404, "custom_provider_not_found", "Custom OAuth provider not found")

    // Second factors
    static let factorNotFound = GoTrueError(404, "mfa_factor_not_found", "Factor not found")
    static func enrollmentDisabled(_ kind: String, _ name: String) -> GoTrueError {
        GoTrueError(422, "mfa_\(kind)_enroll_not_enabled", "MFA enroll is disabled for \(name)")
    }
    static func verificationDisabled(_ kind: String, _ verb: String, _ name: String) -> GoTrueError {
        GoTrueError(422, "mfa_\(kind)_\(verb)_not_enabled", "MFA verification is disabled for \(name)")
    }
    static let challengeNotFound = GoTrueError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
    static let challengeAddressMismatch = GoTrueError(
        422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")
    static func challengeExpired(_ id: String) -> GoTrueError {
        GoTrueError(
            422, "mfa_challenge_expired",
            "MFA challenge \(id) has expired, verify against another challenge or create a new challenge.")
    }
    static func wrongFactorCode(_ name: String) -> GoTrueError {
        GoTrueError(422, "mfa_verification_failed", "Invalid \(name) code entered")
    }
    static func factorRejected(_ message: String) -> GoTrueError { GoTrueError(403, "mfa_verification_rejected", message) }
    static func factorNameTaken(_ name: String) -> GoTrueError {
        GoTrueError(
            422, "mfa_factor_name_conflict", "A factor with the friendly name \(GoText.quoted(name)) for this user already exists"
        )
    }
    static let phoneFactorExists = GoTrueError(
        422, "mfa_verified_factor_exists", "A verified phone factor already exists, unenroll the existing factor to continue")
    static let tooManyFactors = GoTrueError(
        422, "too_many_enrolled_mfa_factors", "Maximum number of verified factors reached, unenroll to continue")
    static let secondFactorToEnroll = GoTrueError(403, "insufficient_aal", "AAL2 required to enroll a new factor")
    static let secondFactorToUnenroll = GoTrueError(422, "insufficient_aal", "AAL2 required to unenroll verified factor")

    // Passkeys
    static let passkeysDisabled = GoTrueError(404, "passkey_disabled", "Passkeys are disabled")
    static let secondFactorForPasskeys = GoTrueError(
        403, "insufficient_aal", "AAL2 session is required to manage passkeys when MFA is enabled")
    static let passkeyChallengeNotFound = GoTrueError(400, "webauthn_challenge_not_found", "Challenge not found or already used")
    static let passkeyChallengeExpired = GoTrueError(400, "webauthn_challenge_expired", "Challenge has expired")
    static let tooManyPasskeys = GoTrueError(422, "too_many_passkeys", "Maximum number of passkeys reached")
    static let passkeyNotFound = GoTrueError(404, "validation_failed", "Passkey not found")
    static let refusedCredential = GoTrueError(400, "webauthn_verification_failed", "Credential verification failed")
    static let brokenCredential = GoTrueError(400, "webauthn_verification_failed", "Invalid credential response")

    // Limits, messages and hooks
    static let tooManyRequests = GoTrueError(429, "over_request_rate_limit", "Request rate limit reached")
    static let tooManyMails = GoTrueError(429, "over_email_send_rate_limit", "email rate limit exceeded")
    static let tooManyTexts = GoTrueError(429, "over_sms_send_rate_limit", "SMS rate limit exceeded")
    static func mailTooSoon(_ rest: Duration) -> GoTrueError { GoTrueError(429, "over_email_send_rate_limit", waiting(rest)) }
    static func textTooSoon(_ rest: Duration) -> GoTrueError { GoTrueError(429, "over_sms_send_rate_limit", waiting(rest)) }
    static func addressNotAuthorized(_ address: String) -> GoTrueError {
        GoTrueError(
            400, "email_address_not_authorized", "Email address \(GoText.quoted(address)) cannot be used as it is not authorized")
    }
    static func textNotSent(_ kind: String, by provider: String) -> GoTrueError {
        GoTrueError(422, "sms_send_failed", "Error sending \(kind) OTP to provider: \(provider) cannot be reached")
    }
    static let hookTimedOut = GoTrueError(422, "hook_timeout", "Failed to reach hook within maximum time of 5.000000 seconds")
    static let hookUnreachable = GoTrueError(422, "hook_timeout_after_retry", "Failed to reach hook after maximum retries")
    static let hookWithoutType = GoTrueError(
        400, "hook_payload_invalid_content_type", "Invalid Content-Type: Missing Content-Type header")
    static func hookOfWrongType(_ type: String) -> GoTrueError {
        GoTrueError(400, "hook_payload_invalid_content_type", "Invalid JSON response. Received content-type: \(type)")
    }
    static func hookTooLarge(limit: Int) -> GoTrueError {
        GoTrueError(422, "hook_payload_over_size_limit", "Payload size exceeded size limit of \(limit) bytes")
    }
    static func hook(_ status: Int, _ message: String) -> GoTrueError {
        GoTrueError(status: status, form: .hook, message: message)
    }

    // The wire, and features that are off
    static func badJSON(_ message: String) -> GoTrueError { GoTrueError(400, "bad_json", message) }
    static let bodyTooLarge = GoTrueError(413, "request_entity_too_large", "Request body too large (max 1048576 bytes)")
    static func malformedID(_ name: String) -> GoTrueError { GoTrueError(404, "validation_failed", "\(name) must be an UUID") }
    static let samlDisabled = GoTrueError(404, "saml_provider_disabled", "SAML 2.0 is disabled")
    static let oauthDisabled = GoTrueError(404, "feature_disabled", "OAuth server is disabled")
    static let scimDisabled = GoTrueError(404, "feature_disabled", "SCIM server is disabled")
    static let customProvidersDisabled = GoTrueError(404, "feature_disabled", "Custom OAuth providers are disabled")

    private static func waiting(_ rest: Duration) -> String {
        "For security purposes, you can only request this after \(rest.components.seconds) seconds."
    }
}
