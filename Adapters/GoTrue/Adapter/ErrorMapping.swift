internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Maps errors of GoTrue, of a gateway before it, and of the transport to portable codes.
///
/// The same code comes with several statuses, so the code decides first, the status second, and the text only where servers give
/// no code: older ones, and everything about ID tokens.
enum ErrorMapping: ErrorTable {
    static let provider = "GoTrue"
    static let mistake = "the address is not that of the API"
    static let defaultWait = Duration.seconds(60)

    static func isKnown(_ code: String) -> Bool { ErrorMeaning.ofCodes[code] != nil }

    /// Reads the format of 2024-01-01 (`code` is a word), the older one (`code` is the status, `error_code` the word), that of
    /// OAuth (`error`, `error_description`) and those of gateways (`message` alone).
    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard let body = body?.object else { return nil }
        let code =
            body["error_code"]?.string ?? response.headers["x-sb-error-code"] ?? body["code"]?.string ?? body["error"]?.string
        let message =
            body["message"]?.string ?? body["msg"]?.string ?? body["error_description"]?.string ?? body["error"]?.string
        guard code != nil || message != nil else { return nil }
        return ErrorReport(
            code: code, message: message, reasons: body["weak_password"]?["reasons"]?.array?.compactMap(\.string) ?? [],
            meaning: meaning(of: code, message, response.status), wait: message.flatMap(wait(in:)))
    }

    private static func meaning(of code: String?, _ message: String?, _ status: Int) -> ErrorMeaning? {
        func first(_ rows: [(key: String, value: ErrorMeaning)]) -> ErrorMeaning? {
            message.flatMap { message in rows.first { message.hasPrefix($0.key) }?.value }
        }
        if code == "unexpected_failure", let meaning = first(ErrorMeaning.ofFailureTexts) { return meaning }
        if code == "validation_failed", let meaning = first(ErrorMeaning.ofValidationTexts) { return meaning }
        if let code, let meaning = ErrorMeaning.ofStatuses[code]?[status] ?? ErrorMeaning.ofCodes[code] { return meaning }
        return first(ErrorMeaning.ofTexts)
    }

    /// GoTrue has no `Retry-After`: the time is in the text, as in "request this after 42 seconds".
    private static func wait(in message: String) -> Duration? {
        guard let start = message.firstRange(of: "after ")?.upperBound,
            let wait = Duration(toldSeconds: message[start...].prefix { $0.isASCII && $0.isNumber })
        else { return nil }
        return max(wait, .seconds(1))
    }

    /// The server's error for an expired access token, made without a request.
    static var deadToken: AuthError {
        AuthError(.accessTokenRefused, ErrorMeaning.deadToken.sentence, remedies: ErrorMeaning.deadToken.remedies)
    }
}
