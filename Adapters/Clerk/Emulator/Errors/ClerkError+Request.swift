/// Refusals of a request before its handler runs.
extension ClerkError {
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

    static func apiVersion(_ reason: String) -> ClerkError {
        ClerkError(400, "api_version_invalid", "invalid API version", "Invalid Clerk API version: \(reason)")
    }

    static func contentType(_ actual: String, expected: String) -> ClerkError {
        ClerkError(
            415, "unsupported_content_type", "Content-Type is unsupported",
            "Content-Type \(actual) is unsupported. You should use \(expected) instead.")
    }

    static func malformedBody(_ sentence: String) -> ClerkError {
        ClerkError(400, "request_body_invalid", "Request body invalid", sentence)
    }

    static let devBrowser = ClerkError(
        401, "dev_browser_unauthenticated", "Browser unauthenticated",
        "Unable to authenticate this browser for your development instance. Check your Clerk cookies and try again. "
            + "If the issue persists reach out to support@clerk.com.")

    static let secretKey = ClerkError(
        401, "clerk_key_invalid",
        "The provided Clerk Secret Key is invalid. Make sure that your Clerk Secret Key is correct.")

    static let authorizationFormat = ClerkError(
        401, "authorization_header_format_invalid", "Invalid Authorization header format",
        "Invalid Authorization header format. Must be 'Bearer <YOUR_API_KEY>'")

    static let handshake = ClerkError(
        400, "invalid_handshake", "invalid handshake", "The handshake request is invalid: redirect_url")

    /// Clerk's catalogue has no code for a wrong method; to it the path does not exist.
    static func wrongMethod(_ methods: [String]) -> ClerkError {
        ClerkError(
            405, "resource_not_found", "Resource not found",
            "This path takes \(methods.joined(separator: ", ")) only. Check the method.")
    }

    /// An operation of Clerk's documents that the emulator does not have; the code is the emulator's own.
    static func notBuilt(_ operation: ClerkOperation) -> ClerkError {
        var sentence = "The operation \(operation.id) (\(operation.method) \(operation.path)) is not built here."
        if case .refused(let reason?) = operation.standing { sentence += " It is left out: \(reason)." }
        return ClerkError(
            501, "lockstep_operation_not_built", "Not built here", sentence + " See docs/clerk-emulator.md.",
            meta: ["operation_id": .string(operation.id)])
    }

    static let internalError = ClerkError(
        500, "internal_clerk_error", "Oops, an unexpected error occurred",
        "There was an internal error on our servers. We've been notified and are working on fixing it.")

    static func tooManyRequests(retryAfter seconds: Int) -> ClerkError {
        var refusal = ClerkError(429, "too_many_requests", "Too many requests", "Too many requests, retry later")
        refusal.retryAfter = seconds
        return refusal
    }
}

/// Refusals around identity providers; those inside a verification of a 200 are the same objects.
extension ClerkError {
    static let nothingToTransfer = ClerkError(
        400, "account_transfer_invalid", "Invalid account transfer", "There is no account to transfer")

    static let externalAccountNotFound = ClerkError(
        404, "external_account_not_found", "Invalid external account", "The External Account was not found.")

    static let externalAccountExists = ClerkError(
        400, "external_account_exists", "External account exists", "The External Account already exists.")

    static func providerDisabled(_ name: String) -> ClerkError {
        ClerkError(
            400, "oauth_provider_not_enabled", "OAuth provider not enabled",
            "Single-sign on with \(name) OAuth provider is not enabled in the instance settings.")
    }

    static func accessDenied(_ name: String) -> ClerkError {
        ClerkError(403, "oauth_access_denied", "Access denied", "You did not grant access to your \(name) account")
    }

    static let accessTokenMissing = ClerkError(
        422, "oauth_missing_access_token", "Missing OAuth access token", "OAuth access token is missing")

    static let tokenProviderDisabled = ClerkError(
        404, "oauth_token_provider_not_enabled", "OAuth provider not enabled",
        "Single-sign on for this OAuth provider is not enabled in the instance settings.")

    static let tokenExchange = ClerkError(400, "oauth_token_exchange_error", "Token exchange error")

    static func badProviderToken(_ reason: String) -> ClerkError {
        ClerkError(
            422, "form_param_value_invalid", "is invalid", "The identity token is not one of a trusted provider: \(reason).",
            parameter: "token")
    }

    static let badCallback = ClerkError(
        400, "oauth_callback_invalid", "Invalid OAuth callback", "invalid form for oauth_callback")

    static let badOneTapToken = ClerkError(
        400, "google_one_tap_token_invalid", "Google One Tap token is invalid",
        "The provided Google One Tap token is invalid. Make sure you're using a valid token generated by Google.")
}
