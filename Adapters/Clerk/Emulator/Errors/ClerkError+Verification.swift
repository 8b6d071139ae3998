import LockstepPrimitives

/// Refusals of a proof: codes, links, second factors, tickets.
extension ClerkError {
    static let wrongCode = ClerkError(422, "form_code_incorrect", "is incorrect", "Incorrect code", parameter: "code")

    static let verificationMissing = ClerkError(
        400, "verification_missing", "is missing",
        "This strategy requires verification preparation before attempting to validate it.")

    static let verificationStrategyInvalid = ClerkError(
        400, "verification_strategy_invalid", "has invalid strategy", "The strategy is not valid for the current verification.")

    static let verificationExpired = ClerkError(
        400, "verification_expired", "expired", "This verification has expired. You must create a new one.")

    static let verificationFailed = ClerkError(
        400, "verification_failed", "failed", "Too many failed attempts. You have to try again with the same or another method.")

    static let alreadyVerified = ClerkError(
        400, "verification_already_verified", "already verified", "This verification has already been verified.")

    static func resentTooSoon(retryAfter seconds: Int) -> ClerkError {
        var refusal = ClerkError(
            429, "verification_code_too_many_requests", "Too many verification code requests",
            "Too many verification code requests. Please wait at least 30 seconds to receive your code before trying again.")
        refusal.retryAfter = seconds
        return refusal
    }

    static let strategyInvalidForUser = ClerkError(
        400, "strategy_for_user_invalid", "Invalid verification strategy",
        "The verification strategy is not valid for this account")

    static func noSecondFactors(_ strategy: String) -> ClerkError {
        ClerkError(400, "no_second_factors", "no second factors", "No second factors were found for strategy \(strategy).")
    }

    static func passkeyQuota(_ limit: Int) -> ClerkError {
        ClerkError(
            403, "passkey_quota_exceeded", "passkey quota exceeded",
            "You have reached your limit of \(limit) passkeys per account.")
    }

    static let badPasskeyCredential = ClerkError(
        422, "passkey_invalid_public_key_credential", "is invalid", "Invalid passkey public key credential",
        parameter: "public_key_credential")

    static let badPasskeyNonce = ClerkError(
        400, "passkey_invalid_verification", "invalid verification", "Passkey verification contains invalid nonce")

    static let passkeyNotRegistered = ClerkError(404, "passkey_not_registered", "not registered", "Passkey is not registered.")

    static let passkeyFailed = ClerkError(
        400, "passkey_authentication_failure", "authentication failed", "Passkey authentication failed")

    static let wrongTOTP = ClerkError(
        422, "totp_incorrect_code", "incorrect TOTP", "The provided TOTP code is incorrect", parameter: "code")

    static let totpLength = ClerkError(
        422, "totp_invalid_length", "invalid length", "The provided TOTP code must be 6 characters long.", parameter: "code")

    static let totpAlreadyEnabled = ClerkError(
        400, "totp_already_enabled", "TOTP already enabled", "TOTP is already enabled on your account")

    static let backupCodesNotAvailable = ClerkError(
        400, "backup_codes_not_available", "Backup codes not available",
        "In order to use backup codes, you have to enable any other Multi-factor method")

    /// The instance can send no more mails; this and ``textLimitExceeded`` are the only such errors in Clerk's catalogue.
    static let mailLimitExceeded = ClerkError(
        400, "dev_monthly_email_limit_exceeded", "Development monthly email limit exceeded",
        "The monthly limit for email messages in development (100) has been reached.")

    static let textLimitExceeded = ClerkError(
        400, "dev_monthly_sms_limit_exceeded", "Development monthly SMS limit exceeded",
        "The monthly limit for SMS messages in development (20) has been reached.")

    static func linkToken(_ problem: String) -> ClerkError {
        let sentences = [
            "expired": "Verification link token has expired",
            "invalid": "Verification link token is invalid",
            "stale": "Verification link token is no longer valid. Please request a new one.",
        ]
        return ClerkError(
            400, "verification_link_token_\(problem)", "\(problem) link token",
            sentences[problem] ?? "Verification link token is invalid")
    }

    static let approvalConsumed = ClerkError(
        422, "approval_token_consumed", "approval token consumed", "The approval token has already been used.")

    static let approvalExpired = ClerkError(
        422, "approval_token_expired", "approval token expired",
        "The approval token has expired. Please request a new email link.")

    static let approvalInvalid = ClerkError(
        422, "approval_token_invalid", "approval token invalid", "The approval token is invalid.")

    static let wrongVerifier = ClerkError(
        422, "pkce_verification_failed", "PKCE verification failed",
        "The provided code verifier does not match the prepared code challenge.")

    static let ticketInvalid = ClerkError(
        400, "ticket_invalid_code", "ticket is invalid",
        "This ticket is invalid. Make sure you're using a valid ticket generated by Clerk.")

    static func ticket(_ kind: TicketRecord.Kind, is status: String) -> ClerkError {
        switch (kind, status) {
        case (.invitation, "accepted"):
            ClerkError(400, "invitation_already_accepted", "Invitation is already accepted, try signing in instead.")
        case (.invitation, _): ClerkError(400, "revoked_invitation", "The invitation was revoked.")
        case (.organizationInvitation, "accepted"):
            ClerkError(
                400, "organization_invitation_already_accepted", "invitation has already been accepted",
                "This invitation has already been accepted. Sign in instead.")
        case (.organizationInvitation, _):
            ClerkError(
                400, "organization_invitation_revoked_code", "invitation has been revoked",
                "This invitation has been revoked and cannot be used anymore.")
        case (.actorToken, "accepted"):
            ClerkError(
                400, "actor_token_already_used_code", "actor token has already been used",
                "This actor token has already been used. Each token can only be used once.")
        case (.actorToken, _):
            ClerkError(
                400, "actor_token_revoked_code", "actor token has been revoked",
                "This actor token has been revoked and cannot be used anymore.")
        case (.signInToken, "accepted"), (.approvedLink, "accepted"): signInToken("already_used")
        case (.signInToken, _), (.approvedLink, _): signInToken("revoked")
        }
    }

    static let ticketExpired = ClerkError(
        400, "ticket_expired_code", "ticket has expired", "This ticket has expired and cannot be used anymore.")

    static func signInToken(_ problem: String) -> ClerkError {
        let sentences = [
            "already_used": "This sign in token has already been used. Each token can only be used once.",
            "revoked": "This sign in token has been revoked and cannot be used anymore.",
            "cannot_be_used": "This sign in token cannot be used anymore. Please request a new one.",
            "not_in_sign_in": "Sign in tokens can only be used during sign in.",
        ]
        let message = problem == "not_in_sign_in" ? "not in sign in" : "sign in token cannot be used"
        return ClerkError(400, "sign_in_token_\(problem)_code", message, sentences[problem] ?? message)
    }
}
