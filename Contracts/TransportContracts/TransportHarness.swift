@_exported public import LockstepHTTP

/// A factory for the transport on which the contracts are checked.
///
/// The factory also lists the contracts that the transport does not meet.
public struct TransportHarness: Sendable {
    /// The name of the transport in reports.
    public let name: String
    /// The contracts that the transport does not meet, by id, each with the reason.
    ///
    /// A part of a contract can have its own id: `transport.deadline.connect`, `transport.cancel-closes.http2`,
    /// `transport.size-limit.header`.
    public let cannotPromise: [String: String]
    /// A command that sends one GET request with this transport in a separate process, or `nil`.
    ///
    /// The check adds the URL to the command. For TLS, it also adds the path of the file that contains the issuer.
    public let sender: [String]?
    /// Creates a transport that has no open connections.
    public let make: @Sendable (TransportSettings) throws -> any HTTPTransport

    /// Creates a harness.
    ///
    /// - Parameters:
    ///   - name: The name of the transport in reports.
    ///   - cannotPromise: The contracts that the transport does not meet, by id, each with the reason. Default: none.
    ///   - sender: A command that sends one GET request with this transport in a separate process, or `nil`.
    ///   - make: Creates a transport that has no open connections.
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
