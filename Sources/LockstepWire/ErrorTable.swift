public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// A reader of a provider's error responses, which gives each error code a portable meaning.
///
/// Each adapter has its own table of codes and sentences. This protocol handles everything else: `Retry-After`, server
/// errors, responses from proxies, and unknown codes.
///
/// ```swift
/// enum ErrorMapping: ErrorTable {
///
///     static let provider = "Acme"
///     static let mistake = "the address is not the address of the API"
///     static let defaultWait = Duration.seconds(60)
///     static let meanings = ["no_account": ErrorMeaning(.userNotFound, "No account uses this address.")]
///     static func isKnown(_ code: String) -> Bool { meanings[code] != nil }
///     static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
///         guard let code = body?["error"]?.string else { return nil }
///         return ErrorReport(code: code, message: body?["message"]?.string, meaning: meanings[code])
///     }
/// }
/// ```
public protocol ErrorTable: Sendable {
    /// The provider's name, as in "Clerk cannot be reached".
    static var provider: String { get }
    /// The most likely mistake in the configuration if another server responds.
    ///
    /// An example is "the address is not the address of the API".
    static var mistake: String { get }
    /// The time to wait after too many requests, if the response does not name a time.
    static var defaultWait: Duration { get }

    /// The names of members in this provider's responses whose values are secrets.
    ///
    /// They are added to the names in `Redaction.isSecret`. Default: none.
    static var secretNames: Set<String> { get }

    /// The names of members in a request body that contain the access token of the session.
    ///
    /// Default: none, because the token is in the header `Authorization`.
    static var tokenNames: Set<String> { get }

    /// Returns whether a code is in the table.
    ///
    /// A code in the table is the provider's own, so it cannot repeat a secret of the request.
    ///
    /// - Parameter code: The code from a response.
    /// - Returns: Whether the table contains the code.
    static func isKnown(_ code: String) -> Bool

    /// Reads an error response.
    ///
    /// - Returns: The error; `nil` if the response does not have the provider's format.
    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport?
}

/// The contents of an error response.
public struct ErrorReport: Sendable {
    /// The provider's code.
    public var code: String?
    /// The provider's message.
    public var message: String?
    /// The reasons why the backend rejected a password, as in ``Lockstep/AuthError/passwordReasons``.
    public var reasons: [String]
    /// The portable meaning of the code; `nil` if the code is unknown.
    public var meaning: ErrorMeaning?
    /// The time to wait, if the body contains it instead of a header.
    public var wait: Duration?
    /// Whether the body may repeat tokens of the request.
    ///
    /// If so, the error contains no part of the body.
    public var isQuoting: Bool

    /// Creates a report of an error response.
    ///
    /// - Parameters:
    ///   - code: The provider's code.
    ///   - message: The provider's message.
    ///   - reasons: The reasons why the backend rejected a password. Default: none.
    ///   - meaning: The portable meaning of the code; `nil` if the code is unknown.
    ///   - wait: The time to wait, if the body contains it.
    ///   - isQuoting: Whether the body may repeat tokens of the request. Default: `false`.
    public init(
        code: String?, message: String?, reasons: [String] = [], meaning: ErrorMeaning?, wait: Duration? = nil,
        isQuoting: Bool = false
    ) {
        self.code = code
        self.message = message
        self.reasons = reasons
        self.meaning = meaning
        self.wait = wait
        self.isQuoting = isQuoting
    }
}

/// The portable meaning of one code of a provider.
///
/// An adapter's error table consists of such meanings.
public struct ErrorMeaning: Sendable {
    /// The portable error code.
    public let code: AuthError.Code
    /// One or two sentences for a developer, about the problem and what to do.
    public let sentence: String
    /// Whether the same call can succeed if the app makes it again.
    public let retry: RetryAdvice
    /// The remedies that the app can offer, the most direct remedy first.
    public let remedies: [Remedy]

    /// Creates a meaning.
    ///
    /// - Parameters:
    ///   - code: The portable error code.
    ///   - sentence: One or two sentences for a developer, about the problem and what to do.
    ///   - retry: Whether the same call can succeed if the app makes it again. Default: `never`.
    ///   - remedies: The remedies that the app can offer, the most direct remedy first.
    public init(_ code: AuthError.Code, _ sentence: String, retry: RetryAdvice = .never, _ remedies: [Remedy] = []) {
        self.code = code
        self.sentence = sentence
        self.retry = retry
        self.remedies = remedies
    }
}

extension ErrorTable {
    /// Default: no further names.
    public static var secretNames: Set<String> { [] }

    /// Default: none, because the token is in the header `Authorization`.
    public static var tokenNames: Set<String> { [] }

    /// The provider's name at the beginning of a sentence.
    static var subject: String { provider.prefix(1).uppercased() + provider.dropFirst() }

    /// Returns the error for a response that is not a success.
    ///
    /// - Parameters:
    ///   - request: The request. If the server rejected the request as too large, the error contains the request's size.
    /// - Returns: The error from the table. If the table does not know the response, the error is `tooManyRequests`,
    ///   `serverUnavailable` or `invalidResponse`.
    public static func error(for response: HTTPResponse, to request: HTTPRequest? = nil) -> AuthError {
        let body = try? response.json()
        let report = report(of: response, body)
        let detail = ProviderDetail(
            code: report?.code, message: report?.message, of: response,
            body: report?.isQuoting == true ? nil : body.map { Redaction.json($0, hiding: secretNames) })
        let wait = response.retryAfter ?? report?.wait
        if let report, report.meaning != nil { return error(for: report, detail, wait: wait) }
        switch response.status {
        case 429:
            return AuthError(
                .tooManyRequests, "Too many requests. Try again later.", retry: .after(wait ?? defaultWait), provider: detail)
        case 500...:
            return AuthError(
                .serverUnavailable, "\(subject) has a problem (status \(response.status)). Try again later.",
                retry: .after(wait ?? .seconds(1)),
                provider: detail)
        default:
            guard let report else { return refusal(by: response, of: request) }
            return error(for: report, detail, wait: wait)
        }
    }

    /// Returns the error for a report, even if the response had a status code for success.
    ///
    /// - Parameters:
    ///   - detail: The provider's part of the error.
    ///   - wait: The time to wait.
    public static func error(for report: ErrorReport, _ detail: ProviderDetail? = nil, wait: Duration? = nil) -> AuthError {
        let detail = detail ?? ProviderDetail(code: report.code, message: report.message)
        guard let meaning = report.meaning else {
            return AuthError(
                .unknown, "\(subject) returned an unknown error code; see `provider.code`.",
                reasons: report.reasons, provider: detail)
        }
        return AuthError(
            meaning.code, meaning.sentence, retry: meaning.code == .tooManyRequests ? .after(wait ?? defaultWait) : meaning.retry,
            remedies: meaning.remedies, reasons: report.reasons, provider: detail)
    }

    /// Returns the error for a status 4xx that is not in the provider's format: a proxy, a gateway or a firewall has rejected the
    /// request.
    ///
    /// A repeated request is rejected again, unless the status is temporary (RFC 9110, sections 15.5.9 and 15.5.20; RFC 8470).
    private static func refusal(by response: HTTPResponse, of request: HTTPRequest?) -> AuthError {
        let retry: RetryAdvice =
            [408, 421, 425].contains(response.status) || !(400..<500).contains(response.status) ? .now : .never
        let sentence =
            switch response.status {
            case 413, 414, 431:
                "The request is too large for a server on the way to \(provider) (status \(response.status))."
                    + sizes(of: request)
            default:
                "The response is not from \(provider): expected an error in the format of \(provider) (status \(response.status)). "
                    + "A proxy or a firewall may have rejected the request, or \(mistake)."
            }
        return AuthError(.invalidResponse, sentence, retry: retry, provider: ProviderDetail(status: response.status))
    }

    /// Returns the sizes of a request's parts in bytes.
    ///
    /// The access token grows with the metadata of a user.
    private static func sizes(of request: HTTPRequest?) -> String {
        guard let request else { return "" }
        let address = "Its URL has \(request.url.utf8.count) bytes, its body \(request.body.bytes.count)"
        guard let token = token(of: request) else { return " \(address)." }
        return " \(address), its access token \(token.utf8.count). "
            + "If the access token is large, store less metadata with the user."
    }

    /// Returns the access token in a request: in its header without the scheme, or in its body.
    private static func token(of request: HTTPRequest) -> String? {
        if let value = request.headers["Authorization"] {
            let parts = value.pieces(at: " ", maxSplits: 1)
            return String(parts.last ?? "")
        }
        guard !tokenNames.isEmpty, let body = (try? JSON.parse(request.body.bytes, rules: .answer))?.object else { return nil }
        return body.first { tokenNames.contains($0.name) && $0.value.string != nil }?.value.string
    }

    /// Returns the error for a response that does not come from the provider.
    ///
    /// Such a response comes from a captive portal, a proxy or another server, or its body is incomplete.
    ///
    /// - Parameters:
    ///   - expectation: A description of the expected response.
    public static func foreign(_ response: HTTPResponse, _ expectation: String) -> AuthError {
        AuthError(
            .invalidResponse, "The response is not from \(provider): \(expectation). A proxy may have responded, or \(mistake).",
            retry: .now, provider: ProviderDetail(status: response.status))
    }

    /// Returns the error for a response of the provider in which a required value is missing.
    ///
    /// - Parameter what: The missing part.
    public static func incomplete(_ what: String) -> AuthError {
        AuthError(.invalidResponse, "The response of \(provider) lacks \(what), or the value has the wrong type.", retry: .now)
    }

    /// Returns the error for a request without a response.
    ///
    /// It does not change what is known about a session.
    static func error(for failure: HTTPFailure) -> AuthError {
        switch failure.code {
        case .cancelled: .cancelled
        case .timedOut: AuthError(.timedOut, "\(subject) did not respond in time.", retry: .now, underlying: failure)
        case .truncated, .tooLarge, .malformedResponse:
            AuthError(
                .invalidResponse, "\(subject) returned an incomplete or malformed response. \(failure.message)", retry: .now,
                underlying: failure)
        case .invalidRequest, .invalidConfiguration, .notLoopback:
            AuthError(.invalidConfiguration, "The request cannot be sent. \(failure.message)", underlying: failure)
        default: AuthError(.network, "\(subject) cannot be reached. \(failure.message)", retry: .now, underlying: failure)
        }
    }
}

extension HTTPResponse {
    /// The time to wait before the next request, from the header `Retry-After` (RFC 9110, section 10.2.3).
    ///
    /// The header contains seconds or a date. The date is compared with the `Date` of the same response, not with the
    /// device's clock. The value is `nil` if the header is missing or cannot be read. A very large value becomes the
    /// longest possible duration. ``Lockstep/AuthError`` limits the duration to a day.
    public var retryAfter: Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if let seconds = Duration(toldSeconds: value) { return seconds }
        guard let date = headers["Date"].flatMap({ Instant(httpDate: $0) }), let end = Instant(httpDate: value) else {
            return nil
        }
        return max(end - date, .zero)
    }
}
