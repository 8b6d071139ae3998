/// An observer of all requests that a client sends for one call.
///
/// The client sets the observer during its call. The HTTP code of an adapter reads it and reports each request. So the
/// client and the HTTP code stay independent of each other.
public struct RequestObserver: Sendable {
    /// The observer for the current task; `nil` if its requests are not observed.
    @TaskLocal public static var current: RequestObserver?

    /// The id of the call that sends the requests.
    public let callID: String
    private let begin: @Sendable (_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - callID: The id of the call that sends the requests.
    ///   - begin: A function that is called for each request. This function returns another function, which is called
    ///     when the request ends.
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
    /// - Returns: A function that the caller must call exactly once, when the request ends.
    public func began(_ method: String, _ route: String) -> @Sendable (RequestEnd) -> Void { begin(method, route) }
}
