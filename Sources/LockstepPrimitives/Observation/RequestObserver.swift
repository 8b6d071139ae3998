/// Observes every request that is sent for a call: the connection from a client to the HTTP under its adapter.
///
/// A client sets it around its calls, and the code that sends requests reads it. So neither has to know the other.
public struct RequestObserver: Sendable {
    /// The observer of the call that the running task works for; `nil` where there is none.
    @TaskLocal public static var current: RequestObserver?

    /// The call that the requests belong to.
    public let callID: String
    private let begin: @Sendable (_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void

    /// An observer; `begin` is called for a request, and returns the function to call with its end.
    public init(
        callID: String, begin: @escaping @Sendable (_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void
    ) {
        self.callID = callID
        self.begin = begin
    }

    /// Reports a request that is about to be sent.
    ///
    /// - Parameters:
    ///   - method: Such as `POST`.
    ///   - route: The path, without ids, secrets and query.
    /// - Returns: what must be called exactly once, at the end.
    public func began(_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void { begin(method, route) }
}
