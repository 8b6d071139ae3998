public import LockstepPrimitives

/// The provider's own error.
public struct ProviderDetail: Sendable, Hashable, CustomStringConvertible {
    /// The provider's own code, as it stood on the wire.
    public var code: String?
    /// The HTTP status.
    public var status: Int?
    /// The provider's own sentence.
    public var message: String?
    /// The answer's body, secrets already taken out by the adapter.
    public var body: JSON?

    /// A detail of its own.
    public init(code: String? = nil, status: Int? = nil, message: String? = nil, body: JSON? = nil) {
        self.code = code
        self.status = status
        self.message = message
        self.body = body
    }

    /// Status and code, without the body.
    public var description: String {
        [status.map(String.init), code].compactMap { $0 }.joined(separator: " ")
    }
}
