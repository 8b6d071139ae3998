/// Somebody who is told of every request that is sent for a call: the way from a client to the HTTP under its adapter.
///
/// A client sets it around its calls, and what sends requests asks for it. So neither has to know the other.
public struct RequestObserver: Sendable {
    /// The observer of the call that the running task works for; `nil` where nobody wants to know.
    @TaskLocal public static var current: RequestObserver?

    /// The call that the requests belong to.
    public let callID: String
    private let begin: @Sendable (_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void

    /// An observer; `begin` is told of a request, and what it returns is told how that request ended.
    public init(
        callID: String, begin: @escaping @Sendable (_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void
    ) {
        self.callID = callID
        self.begin = begin
    }

    /// Tells of a request that is about to be sent.
    ///
    /// - Parameters:
    ///   - method: Such as `POST`.
    ///   - route: The path, without ids, secrets and query.
    /// - Returns: what must be called exactly once, at the end.
    public func began(_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void { begin(method, route) }
}
