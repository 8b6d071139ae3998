/// Settings of a transport that a check has made for itself.
public struct TransportSettings: Sendable {
    /// A PEM file with the issuer to trust, beside or in place of the system's.
    public var issuers: String?
    /// The address of a proxy for every request.
    public var proxy: String?
    /// Whether it may reach this machine only.
    public var isLoopbackOnly = false

    /// The transport's defaults.
    public init() {}
}
