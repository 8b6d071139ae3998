internal import LockstepPrimitives
internal import Synchronization

/// Counts the requests to a backend in memory.
public final class InMemoryTraffic: Sendable {
    /// One request.
    public struct Request: Sendable {
        /// Its kind.
        public let kind: InMemoryRequestKind
        /// Which of the adapter's questions it is.
        public let question: String
        /// The trace that its caller set.
        public let traceID: String?
        /// Whether it was refused because of its access token: it may then be sent again with another one.
        public fileprivate(set) var isTokenRefused = false
    }

    private let state = Mutex<[Request]>([])

    /// The kinds of the requests so far, oldest first.
    public var requests: [InMemoryRequestKind] { state.withLock { $0.map(\.kind) } }

    /// The requests so far, oldest first.
    public var all: [Request] { state.withLock { $0 } }

    /// - Returns: the number of the request.
    func count(_ kind: InMemoryRequestKind, _ question: String) -> Int {
        state.withLock { requests in
            requests.append(Request(kind: kind, question: question, traceID: TraceContext.current?.traceID))
            return requests.count - 1
        }
    }

    func refuseToken(of number: Int) { state.withLock { $0[number].isTokenRefused = true } }
}
