internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The dependencies of every part of the adapter: network, clock and randomness.
struct FirebaseAPI: Sendable {
    let configuration: FirebaseConfiguration
    let accounts: JSONWire<AccountErrors>
    let tokens: JSONWire<ErrorMapping>
    /// The app's own server.
    let functions: JSONWire<FunctionErrors>
    let clock: any DeviceClock
    /// The source of randomness for values that a flow creates on this device: the session of a redirect.
    let randomness: any Randomness

    init(
        configuration: FirebaseConfiguration, transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) {
        self.configuration = configuration
        self.clock = clock
        self.randomness = randomness
        accounts = JSONWire(transport)
        tokens = JSONWire(transport)
        functions = JSONWire(transport)
    }

    /// Calls a method of the account service, such as `accounts:signUp`.
    ///
    /// - `secrets`: The secrets in the body whose names do not show that they are secrets.
    func call(_ method: String, version: String = "v1", _ body: JSONObject, secrets: [Secret] = []) async throws(AuthError)
        -> JSONResponse
    {
        var body = body
        if let tenant = configuration.tenant { body["tenantId"] = .string(tenant) }
        var request = try await request("\(configuration.identityToolkit)/\(version)/\(method)", .json(.object(body)))
        request.secrets += secrets
        return try await accounts.call(request)
    }

    /// Calls the token service.
    func exchange(_ form: HTTPForm) async throws(AuthError) -> JSONResponse {
        try await tokens.call(try await request("\(configuration.secureToken)/v1/token", .form(form)))
    }

    /// Calls an HTTP function on the app's own server (`onRequest`) for a user.
    ///
    /// The request contains the user's ID token as the bearer token, and the header of App Check.
    ///
    /// - Throws: `accessTokenRefused` if the function does not accept the token, so that the call is repeated with a
    ///   new one.
    func callFunction(_ url: String, as token: Secret) async throws(AuthError) -> HTTPResponse {
        var request = try await request(url, .json([:]))
        request.headers["X-Goog-Api-Key"] = nil
        request.headers["Authorization"] = "Bearer " + token.reveal()
        return try await functions.send(request)
    }

    /// The key is sent in a header and not in the URL, so that it does not reach URL logs.
    ///
    /// A user's token never goes to Firebase in `Authorization`, because that would make the call an administrator's.
    private func request(_ url: String, _ body: HTTPBody) async throws(AuthError) -> HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "application/json", "X-Goog-Api-Key": configuration.key]
        headers["X-Firebase-Locale"] = configuration.locale
        if let appCheck = configuration.appCheck { headers.set("X-Firebase-AppCheck", secret: try await appCheck()) }
        return HTTPRequest(.post, url, headers: headers, body: body, deadline: configuration.deadline)
    }
}
