public import LockstepContracts
public import LockstepEmulation
public import LockstepHTTP
internal import LockstepPrimitives

/// The requests between an adapter and its emulator, counted at the adapter, and recorded on both sides.
public struct WireTrace: RequestTrace {
    /// The trace to which the adapter's transport writes.
    public let trace = HTTPTrace(limit: 1024)
    private let panel: ControlPanel

    /// Creates a trace that includes the transcript of this panel.
    public init(_ panel: ControlPanel) { self.panel = panel }

    /// The sums since the environment was set up.
    public var totals: RequestTotals {
        let totals = trace.totals
        return RequestTotals(
            requests: totals.requests, bytesUp: totals.bytesUp, bytesDown: totals.bytesDown, duration: totals.duration)
    }

    /// The exchanges that the trace has recorded.
    public var requests: [TracedRequest]? { trace.exchanges.map(TracedRequest.init) }

    /// The view of both sides, redacted.
    public var transcript: String {
        let seen = trace.exchanges.map { exchange in
            var lines = ["\(exchange.method.rawValue) \(exchange.url)"]
            lines += exchange.headers.map { "\($0.name): \($0.value)" }
            lines.append(exchange.body)
            switch exchange.outcome {
            case .answered(let status, let headers, let body):
                lines += ["\(status)"] + headers.map { "\($0.name): \($0.value)" } + [body]
            case .failed(let failure): lines.append("\(failure)")
            }
            return lines.joined(separator: "\n")
        }
        return (seen + panel.shownTranscript.map { $0.text() }).joined(separator: "\n\n")
    }
}

extension TracedRequest {
    /// Creates the request of an exchange.
    public init(_ exchange: HTTPExchange) {
        self.init(
            name: "\(exchange.method.rawValue) \(exchange.url)", address: exchange.address, identity: String(exchange.digest),
            isSafe: [.get, .head].contains(exchange.method),
            call: exchange.headers["traceparent"].flatMap { try? TraceContext(traceparent: $0) }?.traceID)
    }
}
