/// Handles the requests to an ``HTTPDaemon``.
///
/// All calls come from the one thread of the server, and must not block it.
package protocol ServerHandler: Sendable {
    /// Handles a request.
    ///
    /// - Returns: The response, or a function that starts to make the response.
    func answer(_ request: ServerRequest) -> ServerReply

    /// Returns the response to a request that the server rejects.
    ///
    /// The server closes the connection afterwards.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    func answer(_ refusal: ServerRefusal, of request: ServerRequest) -> ServerResponse
}

/// A response that is ready, or one that will be ready later.
package enum ServerReply: Sendable {
    /// A response that is ready.
    ///
    /// The server sends it immediately.
    case now(ServerResponse)
    /// A response that will be ready later.
    ///
    /// The server calls this function on its thread. The function starts the work, which passes the response to the promise. The
    /// connection waits until then.
    case later(@Sendable (ServerPromise) -> Void)
    /// A response that will be ready after an event, which may never happen.
    ///
    /// It works like ``later(_:)``. But if the process has too few connections, the server does not call the function, or stops
    /// waiting: the response is then ``ServerRefusal/busy``.
    case waiting(@Sendable (ServerPromise) -> Void)
}
