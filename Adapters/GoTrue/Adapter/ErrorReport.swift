internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The parts of an error body, in any of GoTrue's formats.
struct ErrorReport {
    /// The error code, where there is one.
    var code: String?
    /// The sentence.
    var message: String?
    /// Why a password was refused.
    var reasons: [String] = []

    /// Nothing is said.
    init() {}

    /// Reads the format of 2024-01-01 (`code` is a word), the older one (`code` is the status, `error_code` the word), that of
    /// OAuth (`error`, `error_description`) and those of gateways (`message` alone).
    init(_ body: JSONObject, headers: HTTPHeaders) {
        code = body["error_code"]?.string ?? headers["x-sb-error-code"] ?? body["code"]?.string ?? body["error"]?.string
        message =
            body["message"]?.string ?? body["msg"]?.string ?? body["error_description"]?.string
            ?? body["error"]?.string
        reasons = body["weak_password"]?["reasons"]?.array?.compactMap(\.string) ?? []
    }

    /// Its portable meaning with a status; `nil` where it is unknown.
    func meaning(_ status: Int) -> ErrorMeaning? {
        if code == "unexpected_failure", let message, let meaning = ErrorMeaning.ofFailureTexts.first(where: message.hasPrefix) {
            return meaning.value
        }
        if code == "validation_failed", let message, let meaning = ErrorMeaning.ofValidationTexts.first(where: message.hasPrefix)
        {
            return meaning.value
        }
        if let code, let meaning = ErrorMeaning.ofStatuses[code]?[status] ?? ErrorMeaning.ofCodes[code] { return meaning }
        guard let message else { return nil }
        return ErrorMeaning.ofTexts.first(where: message.hasPrefix)?.value
    }
}

extension [(key: String, value: ErrorMeaning)] {
    fileprivate func first(where isPrefix: (String) -> Bool) -> (key: String, value: ErrorMeaning)? {
        first { isPrefix($0.key) }
    }
}
