public import LockstepPrimitives

/// A transport that reports its exchanges; the report is redacted, the messages are unchanged.
public struct TracingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let clock: any DeviceClock
    private let sink: @Sendable (HTTPExchange) -> Void

    /// Reports every exchange of `base` to `sink`, once it has ended, on the thread it ended on.
    public init(_ base: any HTTPTransport, clock: any DeviceClock, sink: @escaping @Sendable (HTTPExchange) -> Void) {
        self.base = base
        self.clock = clock
        self.sink = sink
    }

    /// Writes every exchange of `base` into `trace`.
    public init(_ base: any HTTPTransport, clock: any DeviceClock, trace: HTTPTrace) {
        self.init(base, clock: clock) { trace.record($0) }
    }

    /// The thread of the transport underneath.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends with the transport underneath.
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
