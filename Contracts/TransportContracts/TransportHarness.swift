@_exported public import LockstepHTTP

/// A transport for the contracts: how to create one, and which contracts it cannot keep.
public struct TransportHarness: Sendable {
    /// Its name.
    public let name: String
    /// The contracts that it cannot keep, by id, each with the reason.
    ///
    /// A part of a contract has its own id: `transport.deadline.connect`, `transport.cancel-closes.http2`,
    /// `transport.size-limit.header`.
    public let cannotPromise: [String: String]
    /// A command that sends one GET request through such a transport in a separate process.
    ///
    /// Its further arguments are the address and, for TLS, the path of the issuer's file; `nil` if there is none.
    public let sender: [String]?
    /// Creates a transport without connections.
    public let make: @Sendable (TransportSettings) throws -> any HTTPTransport

    /// Creates a harness.
    public init(
        _ name: String, cannotPromise: [String: String] = [:], sender: [String]? = nil,
        make: @escaping @Sendable (TransportSettings) throws -> any HTTPTransport
    ) {
        self.name = name
        self.cannotPromise = cannotPromise
        self.sender = sender
        self.make = make
    }
}
