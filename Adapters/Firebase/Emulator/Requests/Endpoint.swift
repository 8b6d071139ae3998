internal import LockstepEmulation
internal import LockstepPrimitives

/// One run of an endpoint in its transaction.
typealias RequestContext = LockstepEmulation.RequestContext<ServerState>

/// The handler of one route: the shape of its body, and its answer.
protocol Endpoint: Sendable {
    /// The shape of the body.
    var shape: Shape { get }

    /// Whether it only reads and needs no transaction.
    var isReading: Bool { get }

    /// Answers a request; runs again after each deferred work.
    ///
    /// - Throws: ``APIError`` for a refusal; any other error is an internal failure.
    func answer(_ request: AuthorizedRequest) throws -> JSON
}

extension Endpoint {
    var isReading: Bool { false }
}
