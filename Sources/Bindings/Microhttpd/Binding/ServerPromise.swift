/// The promise of a response to a waiting connection.
///
/// It can be kept on any thread. It must be kept: otherwise the connection waits until its client disconnects or the
/// daemon stops.
public struct ServerPromise: Sendable {
    let exchange: Exchange

    /// Sends the response.
    ///
    /// Only the first response is sent.
    ///
    /// - Parameter response: The response.
    public func keep(_ response: ServerResponse) {
        exchange.resolve(with: response)
    }

    /// Calls a function once when the connection no longer waits, because the client disconnected or the daemon stops.
    ///
    /// If this has already happened, the function is called immediately.
    ///
    /// - Parameter action: The function.
    public func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        exchange.whenAbandoned(action)
    }
}
