/// A request that an emulator itself makes: to a hook, to an identity provider.
public struct OutgoingRequest: Sendable, Hashable {
    /// The method.
    public var method: String
    /// A plain `http://` address on this machine.
    public var address: String
    /// Names and values; `Host` and `Content-Length` are added.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]
    /// How long everything may take.
    public var deadline: Duration

    /// A request.
    public init(
        _ method: String, _ address: String, headers: [String: String] = [:], body: [UInt8] = [], deadline: Duration = .seconds(5)
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.deadline = deadline
    }
}
