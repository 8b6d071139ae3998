/// A code at the beginning of `error.message`, with the rest of Google's envelope.
///
/// Firebase adds further codes from time to time.
struct ErrorCode: Sendable, Hashable {
    let rawValue: String
    let status: Int
    /// The member `error.status`, which only some errors have.
    let name: String?
    /// `error.errors[0].reason`.
    let reason: String

    init(_ rawValue: String, _ status: Int = 400, _ name: String? = nil, reason: String = "invalid") {
        (self.rawValue, self.status, self.name, self.reason) = (rawValue, status, name, reason)
    }
}

/// The table of codes.
extension ErrorCode {
    // Tokens
    static let invalidIDToken = ErrorCode("INVALID_ID_TOKEN")
    static let missingIDToken = ErrorCode("MISSING_ID_TOKEN")
    static let tokenExpired = ErrorCode("TOKEN_EXPIRED")
    static let tenantMismatch = ErrorCode("TENANT_ID_MISMATCH")
    static let invalidTenant = ErrorCode("INVALID_TENANT_ID")
    static let missingGrantType = ErrorCode("MISSING_GRANT_TYPE")
    static let invalidGrantType = ErrorCode("INVALID_GRANT_TYPE")
    static let missingRefreshToken = ErrorCode("MISSING_REFRESH_TOKEN")
    static let invalidRefreshToken = ErrorCode("INVALID_REFRESH_TOKEN")
    static let tooOld = ErrorCode("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    static let invalidDuration = ErrorCode("INVALID_DURATION")

    // Accounts
    static let userNotFound = ErrorCode("USER_NOT_FOUND")
    static let userDisabled = ErrorCode("USER_DISABLED")
    static let emailNotFound = ErrorCode("EMAIL_NOT_FOUND")
    static let emailExists = ErrorCode("EMAIL_EXISTS")
    static let missingCaptcha = ErrorCode("MISSING_RECAPTCHA_TOKEN")
    static let invalidCaptcha = ErrorCode("INVALID_RECAPTCHA_TOKEN")
    static let missingClientType = ErrorCode("MISSING_CLIENT_TYPE")
    static let missingCaptchaVersion = ErrorCode("MISSING_RECAPTCHA_VERSION")
    static let missingEmail = ErrorCode("MISSING_EMAIL")
    static let invalidEmail = ErrorCode("INVALID_EMAIL")
    static let missingPassword = ErrorCode("MISSING_PASSWORD")
    static let invalidPassword = ErrorCode("INVALID_PASSWORD")
    static let invalidLogin = ErrorCode("INVALID_LOGIN_CREDENTIALS")
    static let weakPassword = ErrorCode("WEAK_PASSWORD")
    static let policyNotMet = ErrorCode("PASSWORD_DOES_NOT_MEET_REQUIREMENTS")
    static let unexpectedParameter = ErrorCode("UNEXPECTED_PARAMETER")
    static let missingLocalID = ErrorCode("MISSING_LOCAL_ID")
    static let duplicateLocalID = ErrorCode("DUPLICATE_LOCAL_ID")
    static let invalidRequestType = ErrorCode("INVALID_REQ_TYPE")
    static let missingProviderID = ErrorCode("MISSING_PROVIDER_ID")
    static let missingRawID = ErrorCode("MISSING_RAW_ID")
    static let invalidClaims = ErrorCode("INVALID_CLAIMS")
    static let claimsTooLarge = ErrorCode("CLAIMS_TOO_LARGE")
    static let forbiddenClaim = ErrorCode("FORBIDDEN_CLAIM")
    static let tooManyAttempts = ErrorCode("TOO_MANY_ATTEMPTS_TRY_LATER")
    static let quotaExceeded = ErrorCode("QUOTA_EXCEEDED")

    // Methods that are switched off or restricted
    static let operationNotAllowed = ErrorCode("OPERATION_NOT_ALLOWED")
    static let passwordLoginDisabled = ErrorCode("PASSWORD_LOGIN_DISABLED")
    static let adminOnly = ErrorCode("ADMIN_ONLY_OPERATION")
    static let projectDisabled = ErrorCode("PROJECT_DISABLED")
    static let insufficientPermission = ErrorCode("INSUFFICIENT_PERMISSION")
    static let unsupportedTenantOperation = ErrorCode("UNSUPPORTED_TENANT_OPERATION")

    // Codes by mail
    static let missingRequestType = ErrorCode("MISSING_REQ_TYPE")
    static let missingOobCode = ErrorCode("MISSING_OOB_CODE")
    static let invalidOobCode = ErrorCode("INVALID_OOB_CODE")
    static let expiredOobCode = ErrorCode("EXPIRED_OOB_CODE")
    static let missingNewEmail = ErrorCode("MISSING_NEW_EMAIL")
    static let invalidContinueURI = ErrorCode("INVALID_CONTINUE_URI")
    static let missingContinueURI = ErrorCode("MISSING_CONTINUE_URI")
    static let unauthorizedDomain = ErrorCode("UNAUTHORIZED_DOMAIN")
    static let invalidHostingLinkDomain = ErrorCode("INVALID_HOSTING_LINK_DOMAIN")
    static let missingIdentifier = ErrorCode("MISSING_IDENTIFIER")
    static let invalidIdentifier = ErrorCode("INVALID_IDENTIFIER")

    // Phones
    static let invalidPhoneNumber = ErrorCode("INVALID_PHONE_NUMBER")
    static let missingPhoneNumber = ErrorCode("MISSING_PHONE_NUMBER")
    static let phoneNumberExists = ErrorCode("PHONE_NUMBER_EXISTS")
    static let missingSessionInfo = ErrorCode("MISSING_SESSION_INFO")
    static let invalidSessionInfo = ErrorCode("INVALID_SESSION_INFO")
    static let sessionExpired = ErrorCode("SESSION_EXPIRED")
    static let missingCode = ErrorCode("MISSING_CODE")
    static let invalidCode = ErrorCode("INVALID_CODE")
    static let invalidTemporaryProof = ErrorCode("INVALID_TEMPORARY_PROOF")
    static let unsupportedFirstFactor = ErrorCode("UNSUPPORTED_FIRST_FACTOR")

    // Second factors
    static let unverifiedEmail = ErrorCode("UNVERIFIED_EMAIL")
    static let secondFactorExists = ErrorCode("SECOND_FACTOR_EXISTS")
    static let secondFactorLimit = ErrorCode("SECOND_FACTOR_LIMIT_EXCEEDED")
    static let factorNotFound = ErrorCode("MFA_ENROLLMENT_NOT_FOUND")
    static let invalidFactorPhone = ErrorCode("INVALID_MFA_PHONE_NUMBER")
    static let invalidFactorID = ErrorCode("INVALID_MFA_ENROLLMENT_ID")
    static let duplicateFactorID = ErrorCode("DUPLICATE_MFA_ENROLLMENT_ID")
    static let missingFactorID = ErrorCode("MISSING_MFA_ENROLLMENT_ID")
    static let missingPendingCredential = ErrorCode("MISSING_MFA_PENDING_CREDENTIAL")
    static let invalidPendingCredential = ErrorCode("INVALID_MFA_PENDING_CREDENTIAL")
    static let missingCredential = ErrorCode("MISSING_CREDENTIAL")
    static let invalidArgument = ErrorCode("INVALID_ARGUMENT")
    static let invalidProjectID = ErrorCode("INVALID_PROJECT_ID")

    // Passkeys
    static let missingAuthenticatorResponse = ErrorCode("MISSING_AUTHENTICATOR_RESPONSE")
    /// The name of the code in the SDK for Android (`ERROR_INVALID_AUTHENTICATOR_RESPONSE`).
    static let invalidAuthenticatorResponse = ErrorCode("INVALID_AUTHENTICATOR_RESPONSE")
    static let invalidCredentialID = ErrorCode("INVALID_CREDENTIAL_ID")
    static let credentialInUse = ErrorCode("CREDENTIAL_ALREADY_IN_USE")
    static let passkeyNotFound = ErrorCode("PASSKEY_CREDENTIAL_NOT_FOUND")

    // Identity providers and custom tokens
    static let missingRequestURI = ErrorCode("MISSING_REQUEST_URI")
    static let invalidRequestURI = ErrorCode("INVALID_REQUEST_URI")
    static let invalidProvider = ErrorCode("INVALID_CREDENTIAL_OR_PROVIDER_ID")
    static let invalidResponse = ErrorCode("INVALID_IDP_RESPONSE")
    static let invalidNonce = ErrorCode("MISSING_OR_INVALID_NONCE")
    static let invalidConfig = ErrorCode("INVALID_CONFIG")
    static let missingConfigID = ErrorCode("MISSING_CONFIG_ID")
    static let invalidConfigID = ErrorCode("INVALID_CONFIG_ID")
    static let missingClientID = ErrorCode("MISSING_OAUTH_CLIENT_ID")
    static let missingIssuer = ErrorCode("MISSING_ISSUER")
    static let missingRelyingParty = ErrorCode("MISSING_SAML_RELYING_PARTY_CONFIG")
    static let alreadyLinked = ErrorCode("FEDERATED_USER_ID_ALREADY_LINKED")
    static let missingCustomToken = ErrorCode("MISSING_CUSTOM_TOKEN")
    static let invalidCustomToken = ErrorCode("INVALID_CUSTOM_TOKEN")
    static let credentialMismatch = ErrorCode("CREDENTIAL_MISMATCH")

    // Administration
    static let missingUserAccount = ErrorCode("MISSING_USER_ACCOUNT")
    static let missingHashAlgorithm = ErrorCode("MISSING_HASH_ALGORITHM")
    static let invalidHashAlgorithm = ErrorCode("INVALID_HASH_ALGORITHM")
    /// Production's code for too many rounds (https://github.com/firebase/firebase-tools/issues/1146).
    static let invalidHashRounds = ErrorCode("INVALID_HASH_ROUNDS")
    /// The codes for the other parameters of a hash, as the Admin SDKs name them (firebase-admin-node, `src/utils/error.ts`).
    private static let invalidHashParameters: [String: ErrorCode] = [
        "rounds": invalidHashRounds, "signerKey": ErrorCode("INVALID_HASH_KEY"),
        "saltSeparator": ErrorCode("INVALID_HASH_SALT_SEPARATOR"), "memoryCost": ErrorCode("INVALID_HASH_MEMORY_COST"),
        "cpuMemCost": ErrorCode("INVALID_HASH_MEMORY_COST"), "parallelization": ErrorCode("INVALID_HASH_PARALLELIZATION"),
        "blockSize": ErrorCode("INVALID_HASH_BLOCK_SIZE"), "dkLen": ErrorCode("INVALID_HASH_DERIVED_KEY_LENGTH"),
    ]

    /// Returns the code for a wrong parameter of a hash.
    static func invalidHash(_ parameter: String?) -> ErrorCode {
        parameter.flatMap { invalidHashParameters[$0] } ?? invalidHashAlgorithm
    }
    static let duplicateEmail = ErrorCode("DUPLICATE_EMAIL")
    static let duplicateRawID = ErrorCode("DUPLICATE_RAW_ID")
    static let listTooLong = ErrorCode("LOCAL_ID_LIST_EXCEEDS_LIMIT")
    static let invalidBlockingFunction = ErrorCode("INVALID_BLOCKING_FUNCTION")
    static let blockingFunctionFailed = ErrorCode("BLOCKING_FUNCTION_ERROR_RESPONSE")

    // What does not exist, or exists already
    static let configurationNotFound = ErrorCode("CONFIGURATION_NOT_FOUND", 404, "NOT_FOUND", reason: "notFound")
    /// In strict mode (https://firebase.google.com/docs/reference/admin/error-handling).
    static let tenantNotFound = ErrorCode("TENANT_NOT_FOUND", 404, "NOT_FOUND", reason: "notFound")
    static let configurationExists = ErrorCode("CONFIGURATION_EXISTS", 409, "ALREADY_EXISTS", reason: "alreadyExists")
}
