import LockstepPrimitives

/// The error table: the status, code, message and sentence of each error in Clerk's catalogue
/// (https://clerk.com/docs/guides/development/errors/frontend-api).
///
/// A ``Row`` has a place for a value, `{}`. Rows with several values are in `ErrorTable+Values`.
extension ClerkError {
    // Errors of a form's values.
    static let missing: Row<String> = row(422, "form_param_missing", "is missing", "{} must be included.", parameter: "{}")
    static let unknown: Row<String> = row(
        422, "form_param_unknown", "is unknown", "{} is not a valid parameter for this request.", parameter: "{}")
    static let duplicate: Row<String> = row(
        422, "form_param_duplicate", "is duplicate", "{} included multiple times. There should only be one.", parameter: "{}")
    static let disabledStrategy: Row<String> = row(
        400, "form_param_value_disabled", "is disabled",
        "{} is disabled. Please verify you're using the correct instance, or see our docs to learn how to enable this value.",
        parameter: "strategy")
    /// A password hasher that Clerk supports and the emulator does not; the code is the emulator's own.
    static let hasherNotBuilt: Row<String> = row(
        501, "lockstep_hasher_not_built", "Not built here",
        "The password hasher \"{}\" needs another service and is not built here. See docs/clerk-emulator.md.",
        parameter: "password_hasher")
    static let unknownIdentifier = ClerkError(
        422, "form_identifier_not_found", "Couldn't find your account.", parameter: "identifier")
    static let invalidRedirect = ClerkError(
        422, "invalid_redirect_url", "Redirect url invalid", "The provided redirect url is not in a valid format",
        parameter: "redirect_url")
    static let prohibitedRedirect = ClerkError(
        422, "prohibited_redirect_url", "Invalid URL scheme", "The provided redirect url has a prohibited URL scheme",
        parameter: "redirect_url")

    // Errors of a request before its handler runs.
    static let conflictingHeaders = ClerkError(
        400, "origin_authorization_headers_conflict", "Setting both the 'Origin' and 'Authorization' headers is forbidden",
        "For security purposes, only one of the 'Origin' and 'Authorization' headers should be provided, but not both. "
            + "In browser contexts, the 'Origin' header is set automatically by the browser. "
            + "In native application contexts (e.g. mobile apps), set the 'Authorization' header.")
    static let nativeDisabled = ClerkError(
        400, "native_api_disabled", "Native API disabled",
        "The Native API is disabled for this instance. Visit the Clerk Dashboard to enable it.")
    static let captchaMissing = ClerkError(
        400, "captcha_missing_token", "Authentication unsuccessful due to failed security validations.",
        "Authentication unsuccessful due to failed security validations. Please refresh the page to try again or reach out to support "
            + "for more assistance.")
    static let captchaInvalid = ClerkError(
        400, "captcha_invalid", "Unusual activity was detected",
        "Unusual activity was detected. Please try again later or contact our support if you continue to experience issues.")
    static let apiVersion: Row<String> = row(400, "api_version_invalid", "invalid API version", "Invalid Clerk API version: {}")
    static let malformedBody: Row<String> = row(400, "request_body_invalid", "Request body invalid", "{}")
    static let devBrowser = ClerkError(
        401, "dev_browser_unauthenticated", "Browser unauthenticated",
        "Unable to authenticate this browser for your development instance. Check your Clerk cookies and try again. "
            + "If the issue persists reach out to support@clerk.com.")
    static let secretKey = ClerkError(
        401, "clerk_key_invalid", "The provided Clerk Secret Key is invalid. Make sure that your Clerk Secret Key is correct.")
    static let authorizationFormat = ClerkError(
        401, "authorization_header_format_invalid", "Invalid Authorization header format",
        "Invalid Authorization header format. Must be 'Bearer <YOUR_API_KEY>'")
    static let handshake = ClerkError(
        400, "invalid_handshake", "invalid handshake", "The handshake request is invalid: redirect_url")
    static let internalError = ClerkError(
        500, "internal_clerk_error", "Oops, an unexpected error occurred",
        "There was an internal error on our servers. We've been notified and are working on fixing it.")

    // Errors of identity providers; the same objects are in a verification inside a response with status 200.
    static let nothingToTransfer = ClerkError(
        400, "account_transfer_invalid", "Invalid account transfer", "There is no account to transfer")
    static let externalAccountNotFound = ClerkError(
        404, "external_account_not_found", "Invalid external account", "The External Account was not found.")
    static let externalAccountExists = ClerkError(
        400, "external_account_exists", "External account exists", "The External Account already exists.")
    static let providerDisabled: Row<String> = row(
        400, "oauth_provider_not_enabled", "OAuth provider not enabled",
        "Single-sign on with {} OAuth provider is not enabled in the instance settings.")
    static let accessDenied: Row<String> = row(
        403, "oauth_access_denied", "Access denied", "You did not grant access to your {} account")
    static let accessTokenMissing = ClerkError(
        422, "oauth_missing_access_token", "Missing OAuth access token", "OAuth access token is missing")
    static let tokenProviderDisabled = ClerkError(
        404, "oauth_token_provider_not_enabled", "OAuth provider not enabled",
        "Single-sign on for this OAuth provider is not enabled in the instance settings.")
    static let tokenExchange = ClerkError(400, "oauth_token_exchange_error", "Token exchange error")
    static let badProviderToken: Row<String> = row(
        422, "form_param_value_invalid", "is invalid", "The identity token is not one of a trusted provider: {}.",
        parameter: "token")
    static let badCallback = ClerkError(
        400, "oauth_callback_invalid", "Invalid OAuth callback", "invalid form for oauth_callback")
    static let badOneTapToken = ClerkError(
        400, "google_one_tap_token_invalid", "Google One Tap token is invalid",
        "The provided Google One Tap token is invalid. Make sure you're using a valid token generated by Google.")

    // Errors for the state of a user, a session or the instance.
    static let bannedUser = ClerkError(
        403, "user_banned", "User banned", "You have been banned. If you think this was by mistake, please contact support.")
    static let notFound: Row<String> = row(404, "resource_not_found", "Resource not found", "No resource was found with id {}")
    static let routeNotFound = ClerkError(
        404, "resource_not_found", "Resource not found", "The URL was not found on this server. Check the path and the method.")
    static let olderSignIn = ClerkError(
        403, "resource_forbidden", "Update operations are not allowed on older sign ins",
        "Update operations are not allowed on older sign ins")
    static let signInIdentificationGone = ClerkError(
        400, "sign_in_identification_or_user_deleted", "identification or user deleted",
        "Either the user or the selected identification were deleted. Please start over.")
    static let unauthenticated = ClerkError(
        401, "authentication_invalid", "Invalid authentication",
        "Unable to authenticate the request, you need to supply an active session")
    static let signedOut = ClerkError(401, "signed_out", "Signed out", "You are signed out")
    static let reverificationRequired = ClerkError(
        403, "session_reverification_required", "Reverification required",
        "You need to provide additional verification to perform this operation")
    static let reverificationMissing = ClerkError(
        400, "session_reverification_missing", "is missing", "You need to start a new session verification flow first")
    static let sessionExists = ClerkError(400, "session_exists", "Session already exists", "You're already signed in.")
    static let deleteSelfDisabled = ClerkError(
        403, "user_delete_self_not_enabled", "delete self not enabled", "Self deletion is not enabled for this user")
    static let lastIdentification = ClerkError(
        400, "identification_deletion_failed", "Deletion failed", "You cannot delete your last identification.")
    static let lastRequiredIdentification: Row<String> = row(
        400, "last_required_identification_deletion_failed", "Deletion failed",
        "You are required to maintain at least one {} in your account at all times")
    static let linkedIdentification = ClerkError(
        400, "delete_linked_identification_disallowed", "Deleting a linked email address is not allowed",
        "This email address is linked to one or more Connected Accounts. "
            + "Remove the Connected Account before deleting this email address.")
    static let identificationUpdate = ClerkError(
        400, "identification_update_failed", "Update failed", "You cannot set your last identification as second factor.")
    static let signUpRestricted = ClerkError(
        403, "sign_up_mode_restricted", "Sign-ups restricted", "New sign-ups are currently restricted.")
    static let signUpWaitlisted = ClerkError(
        403, "sign_up_restricted_waitlist", "Sign-ups restricted with waitlist",
        "Sign-ups are currently unavailable. Join the waitlist, and you will be notified when access becomes available.")
    static let duplicateIdentifier: Row<String> = row(
        400, "duplicate_record", "duplicate identifier", "the identifier {} already exists")
    static let svixAppExists = ClerkError(400, "svix_app_exists", "Only one Svix app is allowed per instance.")
    static let svixAppMissing = ClerkError(400, "svix_app_missing", "No Svix apps are associated with the current instance.")
    static let productionOnly = ClerkError(
        400, "request_invalid_for_environment", "Invalid request for environment", "Request only valid for production instances.")
    static let productionDomains = ClerkError(
        400, "domain_update_forbidden", "Domain update was forbidden", "Domain can be only updated for production instances")
    static let primaryDomain = ClerkError(
        403, "operation_not_allowed_on_primary_domain", "operation not allowed",
        "This operation is not allowed on a primary domain. Try again with a satellite domain of the instance.")
    static let primaryDomainExists = ClerkError(
        422, "primary_domain_already_exists", "primary domain already exists",
        "Currently, only a single primary domain is supported and the current instance already has one.",
        parameter: "is_satellite")
    static let waitlistClosed = ClerkError(
        403, "waitlist_not_accepting_entries", "Waitlist not accepting entries",
        "The waitlist is not accepting new entries at this time. Please try again later.")
    static let featureNotEnabled = ClerkError(
        403, "feature_not_enabled", "not enabled", "This feature is not enabled on this instance")
    static let imageNotFound = ClerkError(404, "image_not_found", "Image not found")
    static let quota: Row<Int> = row(
        403, "user_quota_exceeded", "user quota exceeded", "You have reached your limit of {} users.")

    // Errors of a verification: codes, links, second factors, tickets.
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
    static let strategyInvalidForUser = ClerkError(
        400, "strategy_for_user_invalid", "Invalid verification strategy",
        "The verification strategy is not valid for this account")
    static let noSecondFactors: Row<String> = row(
        400, "no_second_factors", "no second factors", "No second factors were found for strategy {}.")
    static let passkeyQuota: Row<Int> = row(
        403, "passkey_quota_exceeded", "passkey quota exceeded", "You have reached your limit of {} passkeys per account.")
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
    /// The instance can send no more emails; this and ``textLimitExceeded`` are the only such errors in Clerk's catalogue.
    static let mailLimitExceeded = ClerkError(
        400, "dev_monthly_email_limit_exceeded", "Development monthly email limit exceeded",
        "The monthly limit for email messages in development (100) has been reached.")
    static let textLimitExceeded = ClerkError(
        400, "dev_monthly_sms_limit_exceeded", "Development monthly SMS limit exceeded",
        "The monthly limit for SMS messages in development (20) has been reached.")
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
    static let ticketExpired = ClerkError(
        400, "ticket_expired_code", "ticket has expired", "This ticket has expired and cannot be used anymore.")

    // Errors of a password: a new password that breaks the policy, or a wrong password.
    static let wrongPassword = ClerkError(
        422, "form_password_incorrect", "Password is incorrect. Try again, or use another method.", parameter: "password")
    static let wrongPasswordOrIdentifier = ClerkError(
        422, "form_password_or_identifier_incorrect", "Password or identifier is incorrect. Try again, or use another method.")
    static let wrongCurrentPassword: Row<String> = row(
        422, "form_password_validation_failed", "Incorrect password. Please try again.", parameter: "{}")
    static let samePassword = ClerkError(
        422, "form_new_password_matches_current", "is invalid", "New password cannot be the same as the current password.",
        parameter: "new_password")
    static let compromisedPassword = ClerkError(
        422, "form_password_compromised", "Password compromised",
        "Your password may be compromised. To protect your account, please continue with an alternative sign-in method. "
            + "You will be required to reset your password after signing in.", parameter: "password")
    static let noPassword = ClerkError(
        400, "no_password_set", "no password set", "This user does not have a password set for their account")
    static let passwordRequired = ClerkError(
        400, "password_required", "password required",
        "Settings for this instance require a password to be set. Cannot remove the user's password.")
    static let incorrectPassword = ClerkError(
        422, "incorrect_password", "incorrect password", "The provided password is not the one the user has set")
    static let unreadableDigest = ClerkError(
        422, "form_password_digest_invalid_code", "is invalid", "The password digest does not match the given hasher.",
        parameter: "password_digest")
    static let bigPassword: Row<String> = row(
        422, "form_password_size_in_bytes_exceeded", "Your password is too long. Please use a shorter one.", parameter: "{}")
    static let knownPassword: Row<String> = row(
        422, "form_password_pwned",
        "Password has been found in an online data breach. For account safety, please use a different password.", parameter: "{}")
    static let passwordIsIdentifier: Row<String> = row(
        422, "form_password_matches_identifier",
        "Password cannot match your email address, phone number or username. For account safety, please use a different password.",
        parameter: "{}")

    // Errors of organizations.
    static let organizationsDisabled = ClerkError(
        403, "organization_not_enabled_in_instance", "access denied",
        "The organizations feature is not enabled for this instance. Set ORGANIZATIONS to true.")
    static let noSuchOrganization = ClerkError(
        404, "organization_not_found_or_unauthorized", "not found or unauthorized",
        "Given organization not found, or you don't have permission to access the organization")
    static let notAMember = ClerkError(
        403, "not_a_member_in_organization", "not a member",
        "Current user is not a member of the organization. Only organization members can perform this action.")
    static let alreadyMember: Row<String> = row(
        400, "already_a_member_in_organization", "already a member", "{} is already a member of the organization.")
    static let lastManager = ClerkError(
        400, "organization_minimum_permissions_needed", "minimum organization permissions needed",
        "There has to be at least one organization member with the minimum required permissions")
    static let cannotCreateOrganizations = ClerkError(
        403, "user_create_organization_not_enabled", "create organization not enabled",
        "Organization creation is not enabled for this user")
    static let organizationQuota: Row<Int> = row(
        403, "organization_quota_exceeded", "organization quota exceeded", "You have reached your limit of {} organizations.")
    static let membershipQuota: Row<Int> = row(
        403, "organization_membership_quota_exceeded", "organization membership quota exceeded",
        "You have reached your limit of {} organization memberships, including outstanding invitations.")
    static let adminDeleteDisabled = ClerkError(
        403, "organization_admin_delete_not_enabled", "admin delete not enabled",
        "Deletion by admin is not enabled for this organization.")
    static let slugsDisabled = ClerkError(
        403, "organization_slugs_disabled", "organization slugs not enabled",
        "This instance does not have slugs enabled for organizations.")
    static let creatorMissing: Row<String> = row(
        400, "organization_creator_not_found", "creator not found", "No users found with id {}.")
    /// A parameter with the name of an object that does not exist.
    static let resourceMissing: Row<String> = row(
        422, "form_resource_not_found", "is missing", "The resource associated with the supplied {} was not found.",
        parameter: "{}")
    static let exists: Row<String> = row(422, "form_already_exists", "already exists", "This {} already exists.", parameter: "{}")

    // Errors of roles and permissions.
    static let creatorRole = ClerkError(
        422, "organization_role_default_creator_role", "role is used as the creator role",
        "The organization role cannot be deleted as it is currently used as the creator role.")
    static let domainRole = ClerkError(
        422, "organization_role_domain_default_role", "role is used as the domain default role",
        "The organization role cannot be deleted as it is currently used as the default domain role.")
    static let assignedRole = ClerkError(
        422, "organization_role_assigned_members", "role is assigned to organization members",
        "The organization role is currently assigned to one or more organization members.")
    static let invitedRole = ClerkError(
        422, "organization_role_exists_in_invitations", "role exists in pending organization invitations",
        "The organization role exists in one or more pending organization invitations. Please revoke these invitations to proceed."
    )
    static let systemPermission = ClerkError(
        403, "organization_system_permission_not_modifiable", "organization system permission cannot be modified",
        "This organization permission cannot be modified because it is a system permission.")
    static let permissionAssigned = ClerkError(
        409, "organization_role_permission_association_exists", "permission already assigned to role",
        "This organization permission is already associated to this organization role.")
    static let permissionNotAssigned = ClerkError(
        404, "organization_role_permission_association_not_found", "permission not assigned to role",
        "This organization permission is not associated with the organization role.")

    // Errors of invitations, suggestions and domains of organizations.
    static let invitationNotUnique = ClerkError(
        400, "organization_invitation_not_unique", "organization invitation not unique",
        "Organizations cannot have duplicate pending invitations for an email address.")
    static let invitationNotPending = ClerkError(
        404, "organization_invitation_not_pending", "not pending", "The organization invitation is not in the 'pending' status.")
    static let invitationMissing: Row<String> = row(
        404, "organization_invitation_not_found", "not found", "No invitation found with id {}.")
    static let invitedUserMissing = ClerkError(
        400, "organization_invitation_identification_not_exist", "identification not found",
        "User not found. If you don't have an account, sign up first to accept this invitation.")
    static let invitedUserExists = ClerkError(
        400, "organization_invitation_identification_already_exists", "email address already exists",
        "The email address in this invitation already exists. If it belongs to you, try signing in instead.")
    static let suggestionAccepted = ClerkError(
        400, "organization_suggestion_already_accepted", "suggestion has already been accepted",
        "This organization suggestion has already been accepted.")
    static let domainsDisabled = ClerkError(
        403, "organization_domains_not_enabled", "organization domains not enabled",
        "This instance does not have domains enabled for organizations.")
    static let enrollmentModeDisabled: Row<String> = row(
        403, "organization_domain_enrollment_mode_not_enabled", "organization enrollment mode not enabled",
        "Enrollment mode {} is not enabled for this instances's organizations.")
    static let domainQuota: Row<Int> = row(
        403, "organization_domain_quota_exceeded", "organization domains quota exceeded",
        "You have reached your limit of {} domains per organization.")
    static let domainIsOwn = ClerkError(
        422, "organization_domain_already_exists_same_organization", "organization domain already exists",
        "This domain is already used by your organization.", parameter: "name")
    static let domainIsOthers = ClerkError(
        422, "organization_domain_already_exists", "organization domain already exists",
        "This domain is already used by another organization.", parameter: "name")
    static let commonDomain = ClerkError(
        422, "organization_domain_common", "common email domain",
        "This is a common email provider domain. Please use a different one.", parameter: "name")
    static let domainMismatch = ClerkError(
        422, "organization_domain_mismatch", "Organization domain mismatch",
        "The provided email address doesn't match the organization domain name.", parameter: "affiliation_email_address")
    static let domainNotVerified: Row<String> = row(
        422, "organization_domain_ownership_not_verified", "organization domain not verified",
        "The domain {} is not a verified domain of this organization. Verify ownership of the domain before using it here.",
        parameter: "enrollment_mode")
}

extension ClerkError {
    /// Creates the errors of one row of the table, each with a value.
    typealias Row<Value> = @Sendable (Value) -> ClerkError

    /// Creates a row with places for a value, `{}`.
    static func row<Value: Sendable & CustomStringConvertible>(
        _ status: Int, _ code: String, _ message: String, _ sentence: String? = nil, parameter: String? = nil
    ) -> Row<Value> {
        { value in
            func filled(_ template: String) -> String { template.replacing("{}", with: value.description) }
            return ClerkError(status, code, message, sentence.map(filled), parameter: parameter.map(filled))
        }
    }
}
