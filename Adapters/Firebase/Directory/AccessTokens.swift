public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives
internal import LockstepWire

/// The access token of a service account, which is requested when it is needed, cached until it expires, and shared by
/// all calls.
actor AccessTokens {
    private struct Token {
        let text: Secret
        /// On the clock's uptime, which never jumps.
        let end: Duration
        let bootID: String
    }

    private let account: FirebaseServiceAccount
    private let wire: JSONWire<TokenErrors>
    private let clock: any DeviceClock
    private let deadline: Duration
    private var current: Token?
    private var running: Task<Result<Token, AuthError>, Never>?

    init(_ account: FirebaseServiceAccount, transport: some HTTPTransport, clock: any DeviceClock, deadline: Duration) {
        self.account = account
        self.clock = clock
        self.deadline = deadline
        wire = JSONWire(transport)
    }

    /// The time before its expiry at which a token is no longer used, because the call with it takes time, too.
    private static let margin = Duration.seconds(60)
    /// The maximum lifetime of a token; Google's tokens are valid for an hour, and a wrong number from a server must
    /// not keep one longer.
    private static let longestLife = Duration.seconds(24 * 3600)

    /// Returns a token that has not expired; calls that need one at the same time share one request.
    func token() async throws(AuthError) -> Secret {
        if let current, current.bootID == clock.bootID, clock.uptime < current.end { return current.text }
        let task = running ?? Task { await request() }
        running = task
        let result = await task.value
        if running == task { running = nil }
        return try result.get().text
    }

    /// Removes a token that was rejected; a newer token stays.
    func forget(_ token: Secret) {
        if current?.text == token { current = nil }
    }

    private func request() async -> Result<Token, AuthError> {
        do throws(AuthError) {
            var form: HTTPForm = ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer"]
            form.append("assertion", try account.grant(at: clock.now))
            let began = clock.uptime
            let response = try await wire.call(
                HTTPRequest(
                    .post, account.tokenURL, headers: ["Accept": "application/json"], body: .form(form), deadline: deadline))
            guard let text = response.object["access_token"]?.filled, TokenType.isBearer(response.object["token_type"]),
                let life = TokenLife.told(response.object["expires_in"])?.clamped(to: .zero...Self.longestLife)
            else { throw TokenErrors.incomplete("a bearer token with its lifetime") }
            let token = Token(
                text: Secret(text), end: began + max(life - Self.margin, life / 2), bootID: clock.bootID)
            current = token
            return .success(token)
        } catch {
            return .failure(error)
        }
    }
}

extension FirebaseServiceAccount {
    /// The URL of the server that issues the account's access tokens.
    public var tokenAddress: String { tokenURL }

    /// Requests an access token for a tool that calls Google's services directly.
    ///
    /// A ``FirebaseDirectory`` does not need this method, because it requests its own tokens.
    ///
    /// ```swift
    /// let account = try FirebaseServiceAccount(contents: Secret(keyFile))
    /// let token = try await account.accessToken(transport: CurlTransport())
    /// print(token)                                 // prints no secret
    /// ```
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the request.
    ///   - clock: The clock of this machine.
    ///   - deadline: The time limit of the request. Default: 30 seconds.
    /// - Returns: The token, which is valid for an hour at most.
    /// - Throws: `invalidKey` if Google rejects the account's key.
    public func accessToken(
        transport: some HTTPTransport, clock: any DeviceClock = SystemClock(), deadline: Duration = .seconds(30)
    ) async throws(AuthError) -> Secret {
        try await AccessTokens(self, transport: transport, clock: clock, deadline: deadline).token()
    }
}

/// The errors of Google's token endpoint (RFC 6749, section 5.2).
enum TokenErrors: ErrorTable {
    static let provider = "Google's token endpoint"
    static let mistake = "`token_uri` in the service account's key file belongs to another server"
    static let defaultWait = Duration.seconds(60)

    static func isKnown(_ code: String) -> Bool { meanings[code] != nil }

    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard let code = body?["error"]?.filled else { return nil }
        // The sentences may quote the signed claim.
        return ErrorReport(
            code: code, message: body?["error_description"]?.filled, meaning: meanings[code], isQuoting: true)
    }

    private static let refused = ErrorMeaning(
        .invalidKey,
        "Google rejected the service account. Check that it is enabled, that its key exists, and that this machine's clock is right."
    )
    private static let meanings: [String: ErrorMeaning] = [
        "invalid_grant": refused, "invalid_client": refused, "unauthorized_client": refused, "access_denied": refused,
        "invalid_scope": ErrorMeaning(
            .invalidConfiguration,
            "Google does not grant the service account the requested scopes. Check the account in the Google Cloud console."),
        "invalid_request": ErrorMeaning(
            .invalidInput,
            "The token request lacks a value, or a value has the wrong format. Check the service account's key file."),
    ]
}
