import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepURLSession

/// `lockstep-lab bench transport KIND URL COUNT`: sends COUNT requests and prints nanoseconds a request,
/// of the wall clock and of the processor.
///
/// Kinds: `inside` one after another, the task on the transport's thread; `outside` the same from a task elsewhere;
/// `wide` 64 in flight; `wide-outside` the same from tasks elsewhere; `url-session` 64 in flight over URLSession.
struct TransportBenchmark {
    static func run(_ words: [String]) async throws {
        guard words.count == 3, let count = Int(words[2]) else {
            try StandardStream.error.write(
                "usage: lockstep-lab bench transport inside|outside|wide|wide-outside|url-session URL COUNT\n")
            CurrentProcess.exit(2)
        }
        let request = request(to: words[1])
        let spent =
            switch words[0] {
            case "inside": try await onItsThread(CurlTransport()) { try await sequence(request, count, $0) }
            case "outside": try await sequence(request, count, CurlTransport())
            case "wide": try await onItsThread(CurlTransport()) { try await wide(request, count, $0) }
            case "wide-outside": try await wide(request, count, CurlTransport())
            default: try await wide(request, count, URLSessionTransport())
            }
        try StandardStream.output.write("\(spent.wall) \(spent.processor)\n")
    }

    private static func request(to url: String) -> HTTPRequest {
        HTTPRequest(
            .post, url,
            headers: [
                "apikey": "0123456789abcdef0123456789abcdef", "Authorization": "Bearer 0123456789abcdef0123456789abcdef",
                "Content-Type": "application/json",
            ],
            body: HTTPBody(
                Array(
                    #"{"email":"ada@example.com","password":"correct horse battery staple","returnSecureToken":true,"pad":"0123456789"}"#
                        .utf8), type: nil))
    }

    private static func onItsThread(
        _ transport: CurlTransport, _ body: @Sendable (CurlTransport) async throws -> Spent
    ) async throws -> Spent {
        try await withTaskExecutorPreference(transport.executor) { try await body(transport) }
    }

    private static func sequence(_ request: HTTPRequest, _ count: Int, _ transport: some HTTPTransport) async throws -> Spent {
        try await send(200, request, transport)
        return try await time(count) { try await send(count, request, transport) }
    }

    private static func wide(_ request: HTTPRequest, _ count: Int, _ transport: some HTTPTransport) async throws -> Spent {
        try await spread(64 * 20, request, transport)
        return try await time(count) { try await spread(count, request, transport) }
    }

    private static func spread(_ count: Int, _ request: HTTPRequest, _ transport: some HTTPTransport) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { try await send(count / 64, request, transport) } }
            try await group.waitForAll()
        }
    }

    private static func send(_ count: Int, _ request: HTTPRequest, _ transport: some HTTPTransport) async throws {
        for _ in 0..<count {
            let response = try await transport.send(request)
            guard response.status == 200, response.body.count > 700 else { throw UnexpectedResponse() }
        }
    }

    private static func time(_ count: Int, _ body: () async throws -> Void) async throws -> Spent {
        let clock = SystemClock()
        let start = (wall: clock.uptime, processor: CurrentProcess.processorTime)
        try await body()
        return Spent(
            wall: (clock.uptime - start.wall).nanoseconds / Int64(count),
            processor: (CurrentProcess.processorTime - start.processor).nanoseconds / Int64(count))
    }
}

/// Nanoseconds a request.
struct Spent {
    let wall: Int64
    let processor: Int64
}

private struct UnexpectedResponse: Error {}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
