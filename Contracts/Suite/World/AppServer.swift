internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// A server of the app.
///
/// It returns one status after another, and then repeats the last one.
final class AppServer: Sendable {
    /// The origins of the server.
    ///
    /// Clients of a check may send tokens to these origins.
    static let origins = Set<WebOrigin>(["https://app.example.com", "http://127.0.0.1:8080"])

    private let statuses: [Int]
    private let state = Mutex<[AppRequest]>([])

    init(_ statuses: Int...) { self.statuses = statuses }

    /// The requests so far, oldest first.
    var requests: [AppRequest] { state.withLock { $0 } }

    /// The tokens in the requests.
    var tokens: [Secret] {
        requests.map { Secret(String(($0.header("Authorization") ?? "").dropFirst("Bearer ".count))) }
    }

    func answer(_ request: AppRequest) -> AppResponse<[UInt8]> {
        let place = state.withLock { requests in
            requests.append(request)
            return min(requests.count, statuses.count) - 1
        }
        return AppResponse(status: statuses[place], content: request.body)
    }
}

extension World {
    /// Has a server reject the client's token once, so that the client refreshes the token.
    ///
    /// The clock moves first, because two tokens from the same second can be identical.
    ///
    /// - Returns: The token that the server accepted.
    @discardableResult
    func renew(_ client: any PortableClient, line: Int = #line) async throws -> Secret {
        try await advance(by: .seconds(2))
        let server = AppServer(401, 200)
        let response = try await client.authorized(AppRequest(url: "https://app.example.com/orders")) { server.answer($0) }
        expect(response.status == 200, "the client did not renew a rejected token", line: line)
        return try require(server.tokens.last, "the client sent no token", line: line)
    }

    /// Waits until a condition is true.
    ///
    /// Checks it every ten milliseconds of real time, and then moves the device's clock by `step`.
    ///
    /// - Parameters:
    ///   - looks: The maximum number of checks. Default: enough for a busy machine, or fewer if the run only tests that the check
    ///     notices a mutant.
    ///   - step: How far to move the device's clock after each check.
    ///   - holds: Returns whether the condition is true.
    /// - Returns: Whether the condition became true.
    /// - Throws: An error of the backend's controls; it ends the check.
    func comes(
        within looks: Int? = nil, each step: Duration = .zero, _ holds: @Sendable () async throws -> Bool
    ) async throws -> Bool {
        for _ in 0..<(looks ?? (mutation.isNothing ? 1500 : 400)) {
            if try await holds() { return true }
            if step > .zero { clock.advance(by: step) }
            try await SystemClock().sleep(for: .milliseconds(10))
        }
        return false
    }
}

extension AppRequest {
    /// Addresses in ``AppServer/origins``.
    static let listed = [
        "https://app.example.com/", "HTTPS://App.Example.Com:443/orders?next=https://evil.example#x", "https://app.example.com",
        "http://127.0.0.1:8080/orders",
    ]

    /// Addresses outside these origins.
    ///
    /// Most of them look similar to these origins.
    static let unlisted = [
        "http://app.example.com/", "https://app.example.com:8443/", "https://app.example.com./", "https://evil.example/",
        "https://app.example.com@evil.example/", "https://user:pw@app.example.com/", "https://app.example.com\\@evil.example/",
        "https://evil.example\\.app.example.com/", "https://app.example.com.evil.example/", "https://evilapp.example.com/",
        "https://evil.example/https://app.example.com/", "https://evil.example#@app.example.com/",
        "https://evil.example?@app.example.com/", "//app.example.com/", "https:app.example.com/", "https:///app.example.com/",
        "https://аpp.example.com/", "https://app%2eexample.com/", "https://app.example.com%00.evil.example/",
        "https://app.example.com:/", "https://app.example.com:443@evil.example/", "https://app.example.com :443/",
        "\thttps://app.example.com/", "https://app.example.com\n.evil.example/", "ftp://app.example.com/", "file:///etc/passwd",
        "http://127.0.0.1:8081/", "http://127.0.0.1/", "http://localhost:8080/", "http://127.1:8080/",
        "http://127.0.0.1.evil.example:8080/", "http://[::1]:8080/", "http://2130706433:8080/", "https://127.0.0.1:8080/", "",
    ]
}
