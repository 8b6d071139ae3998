internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Maps errors of Firebase, of a proxy before it, and of the transport to portable codes.
enum ErrorMapping {
    /// The error for a refusal.
    ///
    /// - Parameter own: the codes that mean something else in the service that answered.
    static func error(for response: HTTPResponse, own: [String: ErrorMeaning] = [:]) -> AuthError {
        let body = (try? response.json())?.object
        let wait = response.retryAfter
        if let body, let report = ErrorReport(body) {
            var error = error(for: report, wait: wait, own: own)
            error.provider = ProviderDetail(
                code: report.code, message: report.detail, of: response, body: report.isQuoting ? nil : .object(body))
            if error.code == .unknown, let trouble = trouble(response.status, wait) {
                error.code = trouble.code
                error.message = trouble.message
                error.retry = trouble.retry
            }
            return error
        }
        var error = trouble(response.status, wait) ?? notFirebase(response, "an error of Firebase's form was expected")
        error.provider = ProviderDetail(status: response.status)
        return error
    }

    /// A refusal by its code; some come in answers of status 200.
    static func error(for report: ErrorReport, wait: Duration? = nil, own: [String: ErrorMeaning] = [:]) -> AuthError {
        let meaning =
            own[report.code] ?? ErrorMeaning.ofCodes[report.code] ?? ErrorMeaning.ofReasons[report.reason ?? ""]
            ?? ErrorMeaning.ofStatuses[report.status ?? ""]
        guard let meaning else {
            return AuthError(
                .unknown, "Firebase refused for a reason that this version does not know; see the provider's own code.",
                provider: ProviderDetail(code: report.code, message: report.detail))
        }
        return AuthError(
            meaning.code, meaning.sentence, retry: meaning.code == .tooManyRequests ? .after(wait ?? defaultWait) : meaning.retry,
            remedies: meaning.remedies, reasons: report.reasons,
            provider: ProviderDetail(code: report.code, message: report.detail))
    }

    /// An answer that does not come from Firebase: a captive portal, a proxy, a truncated body, another server.
    static func notFirebase(_ response: HTTPResponse, _ expectation: String) -> AuthError {
        AuthError(
            .invalidResponse,
            "The answer is not Firebase's: \(expectation). A proxy may have answered, or the emulator's address is another server's.",
            retry: .now, provider: ProviderDetail(status: response.status))
    }

    /// An answer in Firebase's form that lacks a required part.
    static func incomplete(_ what: String) -> AuthError {
        .incomplete(what, of: "Firebase")
    }

    private static func trouble(_ status: Int, _ wait: Duration?) -> AuthError? {
        switch status {
        case 429: AuthError(.tooManyRequests, "Too many requests. Try again later.", retry: .after(wait ?? defaultWait))
        case 500...:
            AuthError(.serverUnavailable, "The backend is in trouble. Try again later.", retry: .after(wait ?? .seconds(1)))
        default: nil
        }
    }

    /// Firebase names no wait; its own SDKs begin with this one.
    private static let defaultWait: Duration = .seconds(60)
}
