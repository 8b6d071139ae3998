/// What a ``CurlTransport`` may do beyond its defaults.
public struct CurlConfiguration: Sendable {
    /// A PEM file of the issuers to trust, in place of those that the system trusts.
    ///
    /// Certificates are checked in any case; there is no way to turn that off.
    public var issuers: String?
    /// The address of a proxy for every request; `nil` for none.
    ///
    /// The environment (`http_proxy` and the like) is not asked.
    public var proxy: String?
    /// How many connections to one host may be open at once; further requests wait, within their deadline.
    public var connectionsPerHost: Int
    /// Whether HTTP/2 is spoken with TLS servers that speak it too.
    public var offersHTTP2: Bool
    /// The value of `User-Agent` where a request brings none; `nil` sends none.
    public var userAgent: String?

    /// System's issuers, no proxy, 64 connections to a host, HTTP/2 where offered.
    public init(
        issuers: String? = nil, proxy: String? = nil, connectionsPerHost: Int = 64, offersHTTP2: Bool = true,
        userAgent: String? = nil
    ) {
        self.issuers = issuers
        self.proxy = proxy
        self.connectionsPerHost = connectionsPerHost
        self.offersHTTP2 = offersHTTP2
        self.userAgent = userAgent
    }
}
