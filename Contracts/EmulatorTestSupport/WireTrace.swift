public import LockstepContracts
public import LockstepEmulation
public import LockstepHTTP
internal import LockstepPrimitives

/// The requests between an adapter and its emulator.
///
/// The trace counts the requests at the adapter, and records them on both sides.
public struct WireTrace: RequestTrace {
    /// The trace that contains the requests of the adapter's transport.
    public let trace = HTTPTrace(limit: 1024)
    private let panel: ControlPanel

    /// Creates a trace for an emulator.
    ///
    /// - Parameter panel: The control panel of the emulator. The trace includes the requests that this panel has recorded.
    public init(_ panel: ControlPanel) { self.panel = panel }

    /// The totals since the environment was set up.
    public var totals: RequestTotals {
        let totals = trace.totals
        return RequestTotals(
            requests: totals.requests, bytesUp: totals.bytesUp, bytesDown: totals.bytesDown, duration: totals.duration)
    }

    /// The requests that the trace has recorded.
    public var requests: [TracedRequest]? { trace.exchanges.map(TracedRequest.init) }

    /// The requests that both sides have recorded, without secrets.
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
    /// Creates the record of a request from an exchange.
    public init(_ exchange: HTTPExchange) {
        self.init(
            name: "\(exchange.method.rawValue) \(exchange.url)", address: exchange.address, identity: String(exchange.digest),
            isSafe: [.get, .head].contains(exchange.method),
            call: exchange.headers["traceparent"].flatMap { try? TraceContext(traceparent: $0) }?.traceID)
    }
}
