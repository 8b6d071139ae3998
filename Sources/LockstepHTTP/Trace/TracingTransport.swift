public import LockstepPrimitives

/// A transport that reports each request and its response.
///
/// The transport masks secrets in the reports. It does not change the requests and responses.
///
/// ```swift
/// let transport = TracingTransport(CurlTransport(), clock: SystemClock()) { exchange in
///     print(exchange.method.rawValue, exchange.url, exchange.duration)
/// }
/// _ = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// ```
public struct TracingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let clock: any DeviceClock
    private let sink: @Sendable (HTTPExchange) -> Void

    /// Creates a transport that reports every exchange when it ends.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - clock: The clock that measures how long an exchange takes.
    ///   - sink: A closure that is called with every exchange, on the thread on which the exchange ended.
    public init(_ base: any HTTPTransport, clock: any DeviceClock, sink: @escaping @Sendable (HTTPExchange) -> Void) {
        self.base = base
        self.clock = clock
        self.sink = sink
    }

    /// Creates a transport that adds every exchange to a trace.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - clock: The clock that measures how long an exchange takes.
    public init(_ base: any HTTPTransport, clock: any DeviceClock, trace: HTTPTrace) {
        self.init(base, clock: clock) { trace.record($0) }
    }

    /// The executor of the base transport.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends a request with the base transport, and reports the exchange when it ends.
    ///
    /// - Returns: The response.
    /// - Throws: The failure of the base transport.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let began = clock.now
        let start = clock.uptime
        let result: Result<HTTPResponse, HTTPFailure>
        do throws(HTTPFailure) {
            result = .success(try await base.send(request))
        } catch {
            result = .failure(error)
        }
        sink(HTTPExchange(request, result, began: began, duration: clock.uptime - start))
        return try result.get()
    }
}
