internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Maps errors of GoTrue, of a gateway before it, and of the transport to portable codes.
///
/// The same code comes with several statuses, so the code decides first, the status second, and the text only where servers give
/// no code: older ones, and everything about ID tokens.
enum ErrorMapping {
    /// The error for a refusal.
    static func error(for response: HTTPResponse) -> AuthError {
        let body = (try? response.json())?.object
        let report = body.map { ErrorReport($0, headers: response.headers) } ?? ErrorReport()
        let wait = response.retryAfter ?? report.message.flatMap(wait(in:))
        let detail = ProviderDetail(
            code: report.code, message: report.message, of: response, body: body.map { .object($0) })

        func error(_ code: AuthError.Code, _ sentence: String, _ retry: RetryAdvice, _ remedies: [Remedy] = []) -> AuthError {
            AuthError(code, sentence, retry: retry, remedies: remedies, reasons: report.reasons, provider: detail)
        }
        if let meaning = report.meaning(response.status) {
            let retry: RetryAdvice = meaning.code == .tooManyRequests ? .after(wait ?? defaultWait) : meaning.retry
            return error(meaning.code, meaning.sentence, retry, meaning.remedies)
        }
        switch response.status {
        case 429: return error(.tooManyRequests, "Too many requests. Try again later.", .after(wait ?? defaultWait))
        case 500...: return error(.serverUnavailable, "The backend is in trouble. Try again later.", .after(wait ?? .seconds(1)))
        default: break
        }
        guard report.code != nil || report.message != nil else {
            return notGoTrue(response, "an error of GoTrue's form was expected")
        }
        return error(
            .unknown, "GoTrue refused for a reason that this version does not know; see the provider's own code.", .never)
    }

    /// The server's error for an expired access token, made without a request.
    static var deadToken: AuthError {
        AuthError(.accessTokenRefused, ErrorMeaning.deadToken.sentence, remedies: ErrorMeaning.deadToken.remedies)
    }

    /// An answer that does not come from GoTrue: a captive portal, a proxy, a truncated body, another server.
    static func notGoTrue(_ response: HTTPResponse, _ expectation: String) -> AuthError {
        AuthError(
            .invalidResponse,
            "The answer is not GoTrue's: \(expectation). A proxy may have answered, or the address is not that of the API.",
            retry: .now, provider: ProviderDetail(status: response.status))
    }

    /// An answer in GoTrue's form that lacks a required part.
    static func incomplete(_ what: String) -> AuthError {
        .incomplete(what, of: "GoTrue")
    }

    /// The wait after a refusal where the server names none.
    private static let defaultWait: Duration = .seconds(60)

    /// GoTrue has no `Retry-After`: the time is in the text, as in "request this after 42 seconds".
    private static func wait(in message: String) -> Duration? {
        guard let start = message.firstRange(of: "after ")?.upperBound,
            let wait = Duration(toldSeconds: message[start...].prefix { $0.isASCII && $0.isNumber })
        else { return nil }
        return max(wait, .seconds(1))
    }
}
