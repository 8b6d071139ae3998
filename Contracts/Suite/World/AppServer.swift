internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// A server of the app's own, which answers with one status after another and then goes on with the last.
final class AppServer: Sendable {
    private let statuses: [Int]
    private let state = Mutex<[AppRequest]>([])

    init(_ statuses: Int...) { self.statuses = statuses }

    /// The requests so far, oldest first.
    var requests: [AppRequest] { state.withLock { $0 } }

    /// The tokens that came with them.
    var tokens: [Secret] {
        requests.map { Secret(String(($0.header("Authorization") ?? "").dropFirst("Bearer ".count))) }
    }

    func answer(_ request: AppRequest) -> AppAnswer<[UInt8]> {
        let place = state.withLock { requests in
            requests.append(request)
            return min(requests.count, statuses.count) - 1
        }
        return AppAnswer(status: statuses[place], content: request.body)
    }
}

extension World {
    /// Has a server refuse the client's token once, so that the client renews it.
    ///
    /// Time passes on the way: a token of the same second may be the same one.
    ///
    /// - Returns: the token that the server took.
    @discardableResult
    func renew(_ client: any PortableClient, line: Int = #line) async throws -> Secret {
        try await advance(by: .seconds(2))
        let server = AppServer(401, 200)
        let answer = try await client.authorized(AppRequest(url: "https://app.example.com/orders")) { server.answer($0) }
        expect(answer.status == 200, "a refused token was not renewed", line: line)
        return try require(server.tokens.last, "no token was sent", line: line)
    }

    /// Looks every ten milliseconds of real time whether something is so; the device's clock goes on by `step` after each look.
    func comes(
        within looks: Int = 500, each step: Duration = .zero, _ holds: @Sendable () async throws -> Bool
    ) async throws -> Bool {
        for _ in 0..<looks {
            if try await holds() { return true }
            if step > .zero { clock.advance(by: step) }
            try await SystemClock().sleep(for: .milliseconds(10))
        }
        return false
    }
}
