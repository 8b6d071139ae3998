/// Answers the requests of an ``HTTPDaemon``.
///
/// All calls come from the daemon's one thread, and must not block it.
public protocol ServerHandler: Sendable {
    /// Answers a request, at once or later.
    func answer(_ request: ServerRequest) -> ServerReply

    /// The answer to a request that is refused; the daemon closes the connection after it.
    func answer(_ refusal: ServerRefusal, of request: ServerRequest) -> ServerResponse
}

/// An answer, or the promise of one.
public enum ServerReply: Sendable {
    /// Sent at once, without leaving the daemon's thread.
    case now(ServerResponse)
    /// The connection waits; the function is called on the daemon's thread and starts the work that will keep the promise.
    case later(@Sendable (ServerPromise) -> Void)
}
