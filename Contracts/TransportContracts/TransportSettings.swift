/// The settings that a check uses to create the transport.
public struct TransportSettings: Sendable {
    /// The path of a PEM file with a trusted certificate issuer; `nil` for the issuers of the system.
    ///
    /// The transport may also trust the issuers of the system.
    public var issuers: String?
    /// The URL of a proxy for every request; `nil` for none.
    public var proxy: String?
    /// Whether the transport may connect only to this machine.
    public var isLoopbackOnly = false

    /// Creates the default settings.
    public init() {}
}
