internal import Synchronization

/// One request and its response.
///
/// Received only on the thread of the daemon; resolved from any thread.
// Sendable is unchecked for the parts of the request. Proof: only the callbacks of libmicrohttpd use them, which its one thread
// calls one after the other. Everything that other threads use is in `state`.
final class Exchange: @unchecked Sendable {
    private enum State {
        case receiving
        case waiting(WaitingConnection, abandoned: (@Sendable () -> Void)?)
        case resolved(Outcome, wasAbandoned: Bool)
    }

    /// The result of a wait.
    enum Outcome {
        case response(ServerResponse)
        /// Another connection needs the place of this one.
        case turnedAway
    }

    var request: ServerRequest
    var refusal: ServerRefusal?
    var hasHead = false
    /// Whether the body was sent in chunks.
    ///
    /// libmicrohttpd accepts lines of chunks that end with a bare line feed, and does not report this.
    var isChunked = false
    /// The address of the target in the memory of libmicrohttpd, and its number of bytes.
    var target = (address: UInt(0), count: 0)
    var received = 0
    /// The number of headers that this server has put before those of the client.
    var ownHeaders: Int32 = 0
    var layout = HeadLayout()
    let peer: Peer?
    private let state = Mutex(State.receiving)

    init(target: String, peer: Peer?) {
        request = ServerRequest(
            method: "", target: target, headers: [], body: [], remoteAddress: peer?.remoteAddress ?? "",
            localAddress: peer?.localAddress ?? "")
        self.peer = peer
    }

    /// The result of the wait, when there is one.
    var outcome: Outcome? {
        state.withLock { if case .resolved(let outcome, _) = $0 { outcome } else { nil } }
    }

    /// Records which connection must be resumed when the response is ready.
    func wait(_ connection: WaitingConnection) {
        state.withLock { $0 = .waiting(connection, abandoned: nil) }
    }

    /// Sets the response, unless it is already set.
    func resolve(with response: ServerResponse) {
        resolve(.response(response), abandoned: false)
    }

    /// Ends the exchange without a response.
    ///
    /// The connection is closed, and the handler is notified.
    func abandon() {
        resolve(.response(.silence), abandoned: true)
    }

    /// Ends the wait with the refusal ``ServerRefusal/busy``, and notifies the handler.
    func turnAway() { resolve(.turnedAway, abandoned: true) }

    private func resolve(_ outcome: Outcome, abandoned: Bool) {
        let work = state.withLock { state -> (WaitingConnection, (@Sendable () -> Void)?)? in
            guard case .waiting(let connection, let action) = state else { return nil }
            state = .resolved(outcome, wasAbandoned: abandoned)
            return (connection, action)
        }
        guard let (connection, action) = work else { return }
        connection.resume()
        if abandoned { action?() }
    }

    func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            switch state {
            case .waiting(let connection, _):
                state = .waiting(connection, abandoned: action)
                return false
            case .resolved(_, let wasAbandoned): return wasAbandoned
            case .receiving: return false
            }
        }
        if isLate { action() }
    }
}
