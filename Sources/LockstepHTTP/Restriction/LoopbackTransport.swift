/// A transport that reaches this machine only: for tests and development, where a real account must not be touched by accident.
public struct LoopbackTransport: HTTPTransport {
    private let base: any HTTPTransport

    /// Sends requests to this machine with `base`.
    public init(_ base: any HTTPTransport) {
        self.base = base
    }

    /// The thread of the transport underneath.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends a request to a loopback address.
    ///
    /// - Throws: ``HTTPFailure/Code/notLoopback`` for any other host, before a name is looked up or a connection made.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        try request.validate()
        guard request.isLoopback else {
            throw HTTPFailure(
                .notLoopback, .neverSent,
                "This transport may only reach 127.0.0.0/8, ::1 and localhost; take another transport for other hosts.")
        }
        return try await base.send(request)
    }
}

extension HTTPTransport {
    /// The same transport, kept on this machine.
    public var loopbackOnly: LoopbackTransport { LoopbackTransport(self) }
}
