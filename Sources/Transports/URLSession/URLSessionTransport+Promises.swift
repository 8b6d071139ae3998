extension URLSessionTransport {
    /// The ids of the contracts in `TransportContract` that this transport does not meet, each with the reason.
    ///
    /// URLSession makes it impossible to meet these contracts. The list comes from measurements with Swift 6.3.1 on
    /// Linux. There are no measurements on Apple systems yet.
    public static let unkeptPromises: [String: String] = [
        "transport.exact-bytes": "Foundation joins repeated header fields, in requests and in answers, and forgets their order.",
        "transport.deadline.connect": "URLSession has no limit of its own for connecting; the whole exchange has one.",
        "transport.cancel-closes.http2": "The issuer that a test server needs cannot be named to a session.",
        "transport.tls":
            "The issuer that a test server needs cannot be named to a session; what the system trusts is checked by libcurl.",
        "transport.changed-certificate":
            "The issuer that a test server needs cannot be named to a session; what the system trusts is checked by libcurl.",
        "transport.proxy": "A session takes the system's proxy; none can be named to it on Linux.",
        "transport.key-log":
            "FoundationNetworking brings a libcurl of its own, whose connections cannot be reached; take the curl transport on Linux.",
        "transport.size-limit.header": "A header that is too long ends in an error that does not say so.",
        "transport.truncated": "FoundationNetworking ends the process when a server closes after an interim answer.",
        "transport.phase":
            "URLSession does not say whether anything was sent, so that every failure to answer may have reached the server.",
        "transport.no-replay":
            "URLSession decides by itself whether to send again, and does not say that a reused connection was lost.",
    ]
}
