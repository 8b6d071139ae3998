public import LockstepHTTP

/// Settings of a ``CurlTransport``.
///
/// The environment is not read: neither for a proxy (`http_proxy` and the like), nor for a file to write the keys of TLS
/// connections to (`SSLKEYLOGFILE`).
public struct CurlConfiguration: Sendable {
    /// A PEM file of the issuers to trust, in place of those that the system trusts.
    ///
    /// Certificates are checked in any case; there is no way to turn that off. A file that cannot be read fails every request,
    /// and one without a certificate every request by https, as `invalidConfiguration`; the system's issuers never take its place.
    public let issuers: String?
    /// The address of a proxy for every request; `nil` for none.
    public let proxy: String?
    /// How many connections to one host may be open at once; further requests wait, within their deadline.
    public let connectionsPerHost: Int
    /// Whether HTTP/2 is spoken with TLS servers that speak it too.
    public let offersHTTP2: Bool
    /// The value of `User-Agent` where a request brings none; `nil` sends none.
    public let userAgent: String?

    /// System's issuers, no proxy, 64 connections to a host, HTTP/2 where offered, no `User-Agent`.
    public init() {
        issuers = nil
        proxy = nil
        connectionsPerHost = 64
        offersHTTP2 = true
        userAgent = nil
    }

    /// Custom settings.
    ///
    /// - Throws: `invalidConfiguration` for a text with a control character (CR, LF and NUL among them), an empty or overlong one,
    ///   a proxy with white space, and a number of connections below one.
    public init(
        issuers: String? = nil, proxy: String? = nil, connectionsPerHost: Int = 64, offersHTTP2: Bool = true,
        userAgent: String? = nil
    ) throws(HTTPFailure) {
        try Self.check(issuers, called: "path of the issuers", within: 4096)
        try Self.check(proxy, called: "address of the proxy", within: 2048)
        try Self.check(userAgent, called: "value of User-Agent", within: 1024)
        if let proxy, !proxy.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) {
            throw .invalidSetting("the address of the proxy holds white space or a character that is not ASCII")
        }
        guard connectionsPerHost > 0, connectionsPerHost <= 65_536 else {
            throw .invalidSetting("the number of connections to a host is not between 1 and 65,536")
        }
        self.issuers = issuers
        self.proxy = proxy
        self.connectionsPerHost = connectionsPerHost
        self.offersHTTP2 = offersHTTP2
        self.userAgent = userAgent
    }

    private static func check(_ text: String?, called name: String, within limit: Int) throws(HTTPFailure) {
        guard let text else { return }
        guard !text.isEmpty else { throw .invalidSetting("the \(name) is empty; give nil for none") }
        guard text.utf8.count <= limit else { throw .invalidSetting("the \(name) is longer than \(limit) bytes") }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw .invalidSetting("the \(name) holds a control character")
        }
    }
}

extension HTTPFailure {
    fileprivate static func invalidSetting(_ sentence: String) -> HTTPFailure {
        HTTPFailure(.invalidConfiguration, .neverSent, "The transport cannot be set up: \(sentence).")
    }
}
