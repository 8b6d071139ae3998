import Synchronization

/// The part of swift-distributed-tracing's module that the bridge uses, in the same shape.
enum Tracing {
    protocol Span: Sendable {
        var context: ServiceContext { get }
        var attributes: [String: SpanAttribute] { get nonmutating set }
        func setStatus(_ status: SpanStatus)
        func addEvent(_ event: SpanEvent)
        func end()
    }
}

struct ServiceContext: Sendable {
    var span: String?
    static let topLevel = ServiceContext()
}

enum SpanAttribute: Sendable { case string(String) }

enum SpanKind: Sendable { case `internal`, client }

struct SpanStatus: Sendable {
    enum Code: Sendable { case ok, error }
    let code: Code
    let message: String?
}

struct SpanEvent: Sendable {
    let name: String
}

func startSpan(_ name: String, context: ServiceContext = .topLevel, ofKind kind: SpanKind = .internal) -> any Tracing.Span {
    SpanDouble(name, context, kind)
}

/// A span that records its start and end.
final class SpanDouble: Tracing.Span {
    private static let state = Mutex<[String]>([])
    static var lines: [String] { state.withLock { $0 } }

    private let name: String
    private let values = Mutex<[String: SpanAttribute]>([:])
    var context: ServiceContext { ServiceContext(span: name) }
    var attributes: [String: SpanAttribute] {
        get { values.withLock { $0 } }
        set { values.withLock { $0 = newValue } }
    }

    init(_ name: String, _ context: ServiceContext, _ kind: SpanKind) {
        self.name = name
        note("began in \(context.span ?? "nothing") as \(kind)")
    }

    func setStatus(_ status: SpanStatus) { note("is \(status.code): \(status.message ?? "")") }
    func addEvent(_ event: SpanEvent) { note("event \(event.name)") }
    func end() { note("ended with \(attributes.keys.sorted().joined(separator: " "))") }

    private func note(_ line: String) { Self.state.withLock { $0.append("\(name) \(line)") } }
}
