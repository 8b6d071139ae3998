extension URLSessionTransport {
    /// The ids of the contracts in `TransportContract` that this transport does not meet, each with the reason.
    ///
    /// URLSession makes it impossible to meet these contracts. The list comes from measurements with Swift 6.3.1 on
    /// Linux. There are no measurements on Apple systems yet.
    public static let unkeptPromises: [String: String] = [
        "transport.exact-bytes":
            "Foundation joins repeated header fields in requests and responses, and does not keep their order.",
        "transport.deadline.connect": "URLSession has a time limit only for the whole exchange, not for the connection.",
        "transport.cancel-closes.http2": "A session cannot trust the issuer of a test server's certificate.",
        "transport.tls":
            "A session cannot trust the issuer of a test server's certificate. libcurl checks certificates with the system's issuers.",
        "transport.changed-certificate":
            "A session cannot trust the issuer of a test server's certificate. libcurl checks certificates with the system's issuers.",
        "transport.proxy": "A session uses the system's proxy. On Linux, it cannot use a different proxy.",
        "transport.key-log":
            "FoundationNetworking contains its own libcurl, whose connections are inaccessible. On Linux, use the curl transport.",
        "transport.size-limit.header": "If a header is too long, the error does not say so.",
        "transport.truncated":
            "FoundationNetworking ends the process if a server closes the connection after an interim response.",
        "transport.phase":
            "URLSession does not report whether it sent the request, so any failed request may have reached the server.",
        "transport.no-replay":
            "URLSession decides whether to send a request again, and does not report that a reused connection was lost.",
    ]
}
