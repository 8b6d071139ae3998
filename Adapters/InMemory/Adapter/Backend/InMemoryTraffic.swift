internal import LockstepPrimitives
internal import Synchronization

/// Records the requests to an in-memory backend.
public final class InMemoryTraffic: Sendable {
    /// A request.
    public struct Request: Sendable {
        /// The kind of request.
        public let kind: InMemoryRequestKind
        /// The adapter's name of the request.
        public let question: String
        /// The id of the trace that the caller set.
        public let traceID: String?
        /// Whether the access token was rejected, so that the request can be sent again with another one.
        public fileprivate(set) var isTokenRefused = false
    }

    private let state = Mutex<[Request]>([])

    /// The kinds of all requests, oldest first.
    public var requests: [InMemoryRequestKind] { state.withLock { $0.map(\.kind) } }

    /// All requests, oldest first.
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
