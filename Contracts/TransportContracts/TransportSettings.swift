/// The settings of a transport for a check.
public struct TransportSettings: Sendable {
    /// The path of a PEM file with a trusted issuer, in addition to or instead of the system's.
    public var issuers: String?
    /// The address of a proxy for every request.
    public var proxy: String?
    /// Whether it may connect only to this machine.
    public var isLoopbackOnly = false

    /// Creates the transport's default settings.
    public init() {}
}
