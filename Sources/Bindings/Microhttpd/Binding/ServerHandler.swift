/// Handles the requests of an ``HTTPDaemon``.
///
/// All calls are on the daemon's one thread and must not block it.
public protocol ServerHandler: Sendable {
    /// Handles a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, or a promise of it.
    func answer(_ request: ServerRequest) -> ServerReply

    /// Returns the response to a rejected request.
    ///
    /// The daemon then closes the connection.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - request: The request.
    /// - Returns: The response.
    func answer(_ refusal: ServerRefusal, of request: ServerRequest) -> ServerResponse
}

/// A response, or a promise of one.
public enum ServerReply: Sendable {
    /// A response that is sent immediately on the daemon's thread.
    case now(ServerResponse)
    /// A promise.
    ///
    /// The connection waits, and the daemon calls the function on its thread to start the work that keeps the promise.
    case later(@Sendable (ServerPromise) -> Void)
}
