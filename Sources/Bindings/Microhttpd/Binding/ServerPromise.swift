/// The promise of an answer to a waiting connection.
///
/// It may be kept from any thread.
///
/// It must be kept: a connection whose promise is forgotten waits until its client goes away or the daemon stops.
public struct ServerPromise: Sendable {
    let exchange: Exchange

    /// Sends the answer; only the first one counts.
    public func keep(_ response: ServerResponse) {
        exchange.resolve(with: response)
    }

    /// Calls `action` once when the connection waits no more: the client has gone, or the daemon stops.
    ///
    /// At once if that has happened already.
    public func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        exchange.whenAbandoned(action)
    }
}
