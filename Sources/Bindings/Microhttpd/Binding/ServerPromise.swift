/// The response that a waiting connection will get.
///
/// Call ``keep(_:)`` on any thread when the response is ready. If ``keep(_:)`` is never called, the connection waits until
/// its client disconnects or the server stops.
package struct ServerPromise: Sendable {
    let exchange: Exchange

    /// Sends the response.
    ///
    /// Only the first call has an effect.
    package func keep(_ response: ServerResponse) {
        exchange.resolve(with: response)
    }

    /// Calls a function once when the connection stops waiting, because its client disconnects or the server stops.
    ///
    /// If the connection has already stopped waiting, the function is called immediately.
    package func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        exchange.whenAbandoned(action)
    }
}
