extension URLSessionTransport {
    /// The promises of a transport (ids of `TransportContract`) that URLSession does not let this one make, each with the reason.
    public static let unkeptPromises: [String: String] = [:]
}
