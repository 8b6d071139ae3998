public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// A provider's errors: how its refusals are read, and the portable meaning of each code.
///
/// The table itself, its codes and its sentences, is each adapter's own; what every adapter does with it is here: `Retry-After`, statuses
/// of trouble, answers of proxies, codes that this version does not know.
///
/// ```swift
/// enum ErrorMapping: ErrorTable {
///     static let provider = "Acme"
///     static let mistake = "the address is not that of the API"
///     static let defaultWait = Duration.seconds(60)
///     static let meanings = ["no_account": ErrorMeaning(.userNotFound, "No account has this address.")]
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
    /// What a developer may have configured wrongly where another server answers, as in "the address is not that of the API".
    static var mistake: String { get }
    /// The wait after too many requests where the server names none.
    static var defaultWait: Duration { get }

    /// Names of members whose values are secrets in this provider's answers, beside those that `Redaction` knows: `Redaction.isSecret`
    /// tells which. None unless stated.
    static var secretNames: Set<String> { get }

    /// Names of the members of a body that carry the access token of the session. Default: none, the token is in `Authorization`.
    static var tokenNames: Set<String> { get }

    /// Whether a code is one of the table, which is no quotation of a request.
    static func isKnown(_ code: String) -> Bool

    /// Reads a refusal; `nil` where the answer is not in the provider's form.
    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport?
}

/// What a refusal says.
public struct ErrorReport: Sendable {
    /// The provider's code.
    public var code: String?
    /// The provider's sentence.
    public var message: String?
    /// Why a password was refused, in the words of ``Lockstep/AuthError/passwordReasons``.
    public var reasons: [String]
    /// The portable meaning; `nil` where the code is unknown.
    public var meaning: ErrorMeaning?
    /// How long to wait, where the body and not a header says so.
    public var wait: Duration?
    /// Whether the body may quote tokens of the request, so that none of it is kept.
    public var isQuoting: Bool

    /// A refusal that was read.
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

/// The portable meaning of a provider's code: a row of an adapter's error table.
public struct ErrorMeaning: Sendable {
    /// The portable code.
    public let code: AuthError.Code
    /// One or two sentences for a developer: what was wrong and what to do.
    public let sentence: String
    /// Whether trying the same call again can help.
    public let retry: RetryAdvice
    /// What can be done about it, the most direct way first.
    public let remedies: [Remedy]

    /// A row.
    public init(_ code: AuthError.Code, _ sentence: String, retry: RetryAdvice = .never, _ remedies: [Remedy] = []) {
        self.code = code
        self.sentence = sentence
        self.retry = retry
        self.remedies = remedies
    }
}

extension ErrorTable {
    /// None beside those that are known.
    public static var secretNames: Set<String> { [] }

    /// None: the token is in `Authorization`.
    public static var tokenNames: Set<String> { [] }

    /// The provider's name at the beginning of a sentence.
    static var subject: String { provider.prefix(1).uppercased() + provider.dropFirst() }

    /// The error for an answer that is no success.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request, whose size the error names if the server found it too large.
    /// - Returns: the table's error; `tooManyRequests`, `serverUnavailable` or `invalidResponse` if the table does not know the answer.
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
                .serverUnavailable, "\(subject) is in trouble (status \(response.status)). Try again later.", retry: .after(wait ?? .seconds(1)),
                provider: detail)
        default:
            guard let report else { return refusal(by: response, of: request) }
            return error(for: report, detail, wait: wait)
        }
    }

    /// The error for a refusal that was read, also where it came with a status of success.
    public static func error(for report: ErrorReport, _ detail: ProviderDetail? = nil, wait: Duration? = nil) -> AuthError {
        let detail = detail ?? ProviderDetail(code: report.code, message: report.message)
        guard let meaning = report.meaning else {
            return AuthError(
                .unknown, "\(subject) refused for a reason that this version does not know; see the provider's own code.",
                reasons: report.reasons, provider: detail)
        }
        return AuthError(
            meaning.code, meaning.sentence, retry: meaning.code == .tooManyRequests ? .after(wait ?? defaultWait) : meaning.retry,
            remedies: meaning.remedies, reasons: report.reasons, provider: detail)
    }

    /// The error for a 4xx that is not in the provider's form: a proxy, a gateway or a firewall rejected the request.
    ///
    /// The same request is rejected again, except where the status is about the moment (RFC 9110, sections 15.5.9 and 15.5.20; RFC 8470).
    private static func refusal(by response: HTTPResponse, of request: HTTPRequest?) -> AuthError {
        let retry: RetryAdvice =
            [408, 421, 425].contains(response.status) || !(400..<500).contains(response.status) ? .now : .never
        let sentence =
            switch response.status {
            case 413, 414, 431:
                "The request is too large for a server on the way to \(provider) (status \(response.status))."
                    + sizes(of: request)
            default:
                "The answer is not \(provider)'s: an error of \(provider)'s form was expected (status \(response.status)). "
                    + "A proxy or a firewall may have rejected the request, or \(mistake)."
            }
        return AuthError(.invalidResponse, sentence, retry: retry, provider: ProviderDetail(status: response.status))
    }

    /// The sizes of a request's parts, in bytes: the access token is the part that grows with a user's metadata.
    private static func sizes(of request: HTTPRequest?) -> String {
        guard let request else { return "" }
        let address = "Its address has \(request.url.utf8.count) bytes, its body \(request.body.bytes.count)"
        guard let token = token(of: request) else { return " \(address)." }
        return " \(address), its access token \(token.utf8.count). "
            + "If the token is the large part, keep less metadata with the user."
    }

    /// The access token that a request carries, in its header without the scheme, or in its body.
    private static func token(of request: HTTPRequest) -> String? {
        if let value = request.headers["Authorization"] {
            let parts = value.pieces(at: " ", maxSplits: 1)
            return String(parts.last ?? "")
        }
        guard !tokenNames.isEmpty, let body = (try? JSON.parse(request.body.bytes, rules: .answer))?.object else { return nil }
        return body.first { tokenNames.contains($0.name) && $0.value.string != nil }?.value.string
    }

    /// An answer that does not come from the provider: a captive portal, a proxy, a truncated body, another server.
    public static func foreign(_ response: HTTPResponse, _ expectation: String) -> AuthError {
        AuthError(
            .invalidResponse, "The answer is not \(provider)'s: \(expectation). A proxy may have answered, or \(mistake).",
            retry: .now, provider: ProviderDetail(status: response.status))
    }

    /// An answer in the provider's form that lacks a required part.
    public static func incomplete(_ what: String) -> AuthError {
        AuthError(.invalidResponse, "\(subject)'s answer lacks \(what), or has it in another type.", retry: .now)
    }

    /// A request that got no answer: that says nothing about a session.
    static func error(for failure: HTTPFailure) -> AuthError {
        switch failure.code {
        case .cancelled: .cancelled
        case .timedOut: AuthError(.timedOut, "\(subject) gave no answer in time.", retry: .now, underlying: failure)
        case .truncated, .tooLarge, .malformedResponse:
            AuthError(
                .invalidResponse, "\(subject)'s answer came in pieces or was none. \(failure.message)", retry: .now,
                underlying: failure)
        case .invalidRequest, .invalidConfiguration, .notLoopback:
            AuthError(.invalidConfiguration, "The request may not be sent. \(failure.message)", underlying: failure)
        default: AuthError(.network, "\(subject) cannot be reached. \(failure.message)", retry: .now, underlying: failure)
        }
    }
}

extension HTTPResponse {
    /// How long the answer asks to wait (`Retry-After`, RFC 9110, section 10.2.3): seconds, or a date, read by the `Date` of the
    /// same answer and by no clock of this device.
    ///
    /// `nil` where there is none, and for what is neither; a time beyond any bound is the longest there is, and
    /// ``Lockstep/AuthError`` limits it to a day for the app.
    public var retryAfter: Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if let seconds = Duration(toldSeconds: value) { return seconds }
        guard let date = headers["Date"].flatMap({ Instant(httpDate: $0) }), let end = Instant(httpDate: value) else {
            return nil
        }
        return max(end - date, .zero)
    }
}
