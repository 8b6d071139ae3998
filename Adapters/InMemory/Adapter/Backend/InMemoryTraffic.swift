internal import Synchronization

/// Counts the requests to a backend in memory.
public final class InMemoryTraffic: Sendable {
    private let state = Mutex<[InMemoryRequestKind]>([])

    /// The requests so far, oldest first.
    public var requests: [InMemoryRequestKind] { state.withLock { $0 } }

    func count(_ kind: InMemoryRequestKind) { state.withLock { $0.append(kind) } }
}
