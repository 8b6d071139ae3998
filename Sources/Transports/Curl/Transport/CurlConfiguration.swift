public import LockstepHTTP
internal import LockstepSystem

/// The settings of a ``CurlTransport``.
///
/// The transport ignores the environment variables for a proxy (such as `http_proxy`) and for the keys of TLS connections
/// (`SSLKEYLOGFILE`).
///
/// ```swift
/// let transport = CurlTransport(try CurlConfiguration(proxy: "http://proxy.example.com:3128", connectionsPerHost: 8))
/// ```
public struct CurlConfiguration: Sendable {
    /// The path of a PEM file with the certificate issuers to trust; `nil` to trust the system's certificate issuers.
    ///
    /// The transport always checks certificates. If it cannot read the file, every request fails. If the file contains
    /// no certificate, every https request fails. The error is `invalidConfiguration`. The transport never uses the
    /// system's issuers instead.
    public let issuers: String?
    /// The URL of a proxy for every request; `nil` for none.
    public let proxy: String?
    /// The maximum number of open connections to one host.
    ///
    /// If all connections are busy, a request waits until a connection is free or its deadline passes.
    public let connectionsPerHost: Int
    /// Whether the transport uses HTTP/2 with TLS servers that support it.
    public let offersHTTP2: Bool
    /// The value of `User-Agent` for requests without this header; `nil` to send none.
    public let userAgent: String?

    /// Creates the default settings.
    ///
    /// By default, a transport trusts the system's certificate issuers and uses no proxy. It opens at most 64
    /// connections to one host. It uses HTTP/2 if the server supports HTTP/2, and sends no `User-Agent`.
    public init() {
        issuers = nil
        proxy = nil
        connectionsPerHost = 64
        offersHTTP2 = true
        userAgent = nil
    }

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - issuers: The path of a PEM file with the certificate issuers to trust. Default: the issuers of the system.
    ///   - proxy: The URL of a proxy for every request. Default: no proxy.
    ///   - connectionsPerHost: The maximum number of open connections to one host. Default: 64.
    ///   - offersHTTP2: Whether the transport uses HTTP/2 with TLS servers that support it. Default: `true`.
    ///   - userAgent: The value of `User-Agent` for requests without this header. Default: none is sent.
    /// - Throws: `invalidConfiguration` if a value is empty, is too long or contains a control character. The proxy
    ///   must not contain white space, and the number of connections must be at least one.
    public init(
        issuers: String? = nil, proxy: String? = nil, connectionsPerHost: Int = 64, offersHTTP2: Bool = true,
        userAgent: String? = nil
    ) throws(HTTPFailure) {
        try Self.check(issuers, called: "path of the issuers", within: 4096)
        try Self.check(proxy, called: "address of the proxy", within: 2048)
        try Self.check(userAgent, called: "value of User-Agent", within: 1024)
        if let proxy, !proxy.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) {
            throw .invalidSetting("the address of the proxy contains white space or a character that is not ASCII")
        }
        guard connectionsPerHost > 0, connectionsPerHost <= 65_536 else {
            throw .invalidSetting("the number of connections to a host is not between 1 and 65,536")
        }
        do throws(SystemError) {
            self.issuers = if let issuers { try LocalPath.resolve(issuers) } else { nil }
        } catch {
            throw .invalidSetting("\(error)")
        }
        self.proxy = proxy
        self.connectionsPerHost = connectionsPerHost
        self.offersHTTP2 = offersHTTP2
        self.userAgent = userAgent
    }

    private static func check(_ text: String?, called name: String, within limit: Int) throws(HTTPFailure) {
        guard let text else { return }
        guard !text.isEmpty else { throw .invalidSetting("the \(name) is empty; use nil instead") }
        guard text.utf8.count <= limit else { throw .invalidSetting("the \(name) is longer than \(limit) bytes") }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw .invalidSetting("the \(name) contains a control character")
        }
    }
}

extension HTTPFailure {
    fileprivate static func invalidSetting(_ sentence: String) -> HTTPFailure {
        HTTPFailure(.invalidConfiguration, .neverSent, "The transport cannot be set up: \(sentence).")
    }
}
