/// Observes every request that is sent for a call.
///
/// It connects a client with the HTTP code under its adapter.
///
/// A client sets it around its calls, and the code that sends requests reads it. So neither has to know the other.
public struct RequestObserver: Sendable {
    /// The observer of the current task's call; `nil` if there is none.
    @TaskLocal public static var current: RequestObserver?

    /// The id of the call that sends the requests.
    public let callID: String
    private let begin: @Sendable (_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - callID: The id of the call that sends the requests.
    ///   - begin: Called for each request. It returns the function to call when the request ends.
    public init(
        callID: String, begin: @escaping @Sendable (_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void
    ) {
        self.callID = callID
        self.begin = begin
    }

    /// Reports a request that is about to be sent.
    ///
    /// - Parameters:
    ///   - method: The method, such as `POST`.
    ///   - route: The path without ids, secrets and query.
    /// - Returns: The function to call exactly once, when the request ends.
    public func began(_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void { begin(method, route) }
}
