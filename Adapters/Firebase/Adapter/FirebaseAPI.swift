internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The dependencies of every part of the adapter: the wire, the clock, the randomness.
struct FirebaseAPI: Sendable {
    let configuration: FirebaseConfiguration
    let accounts: JSONWire<AccountErrors>
    let tokens: JSONWire<ErrorMapping>
    let clock: any DeviceClock
    /// For values that a flow makes on this device, as in the other adapters; Firebase's have none so far.
    let randomness: any Randomness

    init(
        configuration: FirebaseConfiguration, transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) {
        self.configuration = configuration
        self.clock = clock
        self.randomness = randomness
        accounts = JSONWire(transport)
        tokens = JSONWire(transport)
    }

    /// Calls a method of the account service, such as `accounts:signUp`.
    func call(_ method: String, version: String = "v1", _ body: JSONObject) async throws(AuthError) -> JSONResponse {
        try await accounts.call(request("\(configuration.identityToolkit)/\(version)/\(method)", .json(.object(body))))
    }

    /// Calls the token service.
    func exchange(_ form: HTTPForm) async throws(AuthError) -> JSONResponse {
        try await tokens.call(request("\(configuration.secureToken)/v1/token", .form(form)))
    }

    /// The key is sent in a header and not in the URL, so that it does not reach URL logs.
    ///
    /// No user's token ever goes into `Authorization`: that would be an administrator's call.
    private func request(_ url: String, _ body: HTTPBody) -> HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "application/json", "X-Goog-Api-Key": configuration.apiKey.reveal()]
        headers["X-Firebase-Locale"] = configuration.locale
        return HTTPRequest(.post, url, headers: headers, body: body, deadline: configuration.deadline)
    }
}
