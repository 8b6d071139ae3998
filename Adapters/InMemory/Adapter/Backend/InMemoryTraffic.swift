internal import LockstepPrimitives
internal import Synchronization

/// The record of all requests to an in-memory backend.
///
/// ```swift
/// let backend = InMemoryBackend()
/// print(backend.traffic.requests.filter { $0 == .refresh }.count)
/// ```
public final class InMemoryTraffic: Sendable {
    /// A request to the backend.
    public struct Request: Sendable {
        /// The kind of the request.
        public let kind: InMemoryRequestKind
        /// The name that the adapter uses for the request.
        public let question: String
        /// The id of the trace that the caller set, or `nil`.
        public let traceID: String?
        /// Whether the backend rejected the access token, so that the client may send the request again with a new
        /// token.
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
