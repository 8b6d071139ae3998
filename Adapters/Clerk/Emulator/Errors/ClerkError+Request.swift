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

    static func wrongMethod(_ methods: [String]) -> ClerkError {
        ClerkError(
            405, "method_not_allowed", "Method not allowed",
            "This path takes \(methods.joined(separator: ", ")) only. Check the method.")
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
