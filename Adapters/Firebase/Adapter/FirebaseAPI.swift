internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Sends Firebase's requests: returns a JSON object, or throws an error of the adapter's table.
struct FirebaseAPI: Sendable {
    let configuration: FirebaseConfiguration
    let transport: any HTTPTransport
    let clock: any DeviceClock

    /// Calls a method of the account service, such as `accounts:signUp`.
    func call(_ method: String, version: String = "v1", _ body: JSONObject) async throws(AuthError) -> FirebaseAnswer {
        try await send(
            "\(configuration.identityToolkit)/\(version)/\(method)", .json(.object(body)), own: ErrorMeaning.ofAccountService)
    }

    /// Calls the token service.
    func exchange(_ form: HTTPForm) async throws(AuthError) -> FirebaseAnswer {
        try await send("\(configuration.secureToken)/v1/token", .form(form))
    }

    /// The key is sent in a header and not in the URL, so that it does not reach URL logs.
    ///
    /// No user's token ever goes into `Authorization`: that would be an administrator's call.
    private func send(
        _ url: String, _ body: HTTPBody, own: [String: ErrorMeaning] = [:]
    ) async throws(AuthError) -> FirebaseAnswer {
        var headers: HTTPHeaders = ["Accept": "application/json", "X-Goog-Api-Key": configuration.apiKey.reveal()]
        headers["X-Firebase-Locale"] = configuration.locale
        let request = HTTPRequest(.post, url, headers: headers, body: body, deadline: configuration.deadline)
        let response = try await transport.exchange(
            request, with: "Firebase", knownCode: { ErrorMeaning.ofCodes[$0] != nil || own[$0] != nil },
            refusal: { ErrorMapping.error(for: $0, own: own) })
        guard let object = (try? response.json())?.object else {
            throw ErrorMapping.notFirebase(response, "a JSON object was expected")
        }
        return FirebaseAnswer(
            object: object, date: response.headers["Date"].flatMap { Instant(httpDate: $0) }, request: request)
    }
}

/// A successful answer.
struct FirebaseAnswer: Sendable {
    var object: JSONObject
    /// The server's date.
    var date: Instant?
    /// The request, whose secrets are withheld from errors that quote the answer.
    var request: HTTPRequest
}

extension JSON {
    /// The text; `nil` where it is missing or empty.
    var filled: String? {
        guard let string, !string.isEmpty else { return nil }
        return string
    }
}
