@_exported public import LockstepHTTP

/// A transport as the contracts meet it: how to make one, and what it cannot promise.
public struct TransportHarness: Sendable {
    /// Its name.
    public let name: String
    /// The promises that it does not make, by id, each with the reason.
    ///
    /// A part of a promise has an id of its own below the promise's: `transport.deadline.connect`,
    /// `transport.cancel-closes.http2`, `transport.size-limit.header`.
    public let cannotPromise: [String: String]
    /// A command that sends one GET request through such a transport in a process of its own: it is given the address and, for
    /// TLS, the path of the issuer's file as further arguments; `nil` if there is none.
    public let sender: [String]?
    /// Makes a transport without connections.
    public let make: @Sendable (TransportSettings) throws -> any HTTPTransport

    /// A harness of that name.
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
