internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Maps errors of Clerk and of the transport to portable codes.
enum ErrorMapping {
    /// The error for a refusal.
    static func error(for response: HTTPResponse) -> AuthError {
        let body = try? response.json()
        let report = ErrorReport(body)
        let wait = response.retryAfter ?? report.wait
        let detail = ProviderDetail(code: report.code, message: report.message, of: response, body: body)

        func error(_ code: AuthError.Code, _ sentence: String, _ retry: RetryAdvice, _ remedies: [Remedy] = []) -> AuthError {
            AuthError(code, sentence, retry: retry, remedies: remedies, reasons: report.reasons, provider: detail)
        }
        if let meaning = report.meaning {
            let retry: RetryAdvice = meaning.code == .tooManyRequests ? .after(wait ?? defaultWait) : meaning.retry
            return error(meaning.code, meaning.sentence, retry, meaning.remedies)
        }
        switch response.status {
        case 429: return error(.tooManyRequests, "Too many requests. Try again later.", .after(wait ?? defaultWait))
        case 500...: return error(.serverUnavailable, "The backend is in trouble. Try again later.", .after(wait ?? .seconds(1)))
        default: break
        }
        guard report.code != nil else { return notClerk(response, "an error of Clerk's form was expected") }
        return error(.unknown, "Clerk refused for a reason that this version does not know; see the provider's own code.", .never)
    }

    /// An answer that does not come from Clerk.
    static func notClerk(_ response: HTTPResponse, _ expectation: String) -> AuthError {
        AuthError(
            .invalidResponse,
            "The answer is not Clerk's: \(expectation). A proxy may have answered, or the address is not that of the front-end API.",
            retry: .now, provider: ProviderDetail(status: response.status))
    }

    /// An answer in Clerk's form that lacks a required part.
    static func incomplete(_ what: String) -> AuthError {
        .incomplete(what, of: "Clerk")
    }

    /// The wait after a refusal where the server names none: the shortest of Clerk's own intervals.
    private static let defaultWait: Duration = .seconds(30)
}
