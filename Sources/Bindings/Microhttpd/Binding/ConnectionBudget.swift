internal import CLockstepMicrohttpd
internal import LockstepSystem
internal import Synchronization

/// The connections that the servers of a process share.
///
/// If a process cannot open one more file, libdispatch ends it (`_dispatch_workq_monitor_pools`, 6.3.1 on Linux). So connections
/// leave the last descriptors to files, databases, calls of hooks and the responses to clients that are turned away.
///
/// If no connection is free, a new one replaces another: first one between two requests, then one whose client waits for an event,
/// then one in the middle of a request. If all clients wait for the end of their own requests, a few more can connect. These get
/// only responses that are ready, so that a test can still release the requests that it holds. Any other client waits in the queue
/// of its socket.
package final class ConnectionBudget: Sendable {
    /// The connections of this process, by its limit of open files when the first server starts.
    package static let shared = ConnectionBudget(openFiles: OpenFiles.limit)

    /// The maximum number of connections, whatever the limit of open files is.
    static let most = 4096

    /// The number of connections that are closed for others at the same time.
    private static let endings = 8

    /// A decision about the next connection.
    enum Place {
        /// It is an ordinary connection.
        case free
        /// It gets one of the last places, and only responses that are ready.
        case last
        /// It must wait until another connection is closed.
        case none
    }

    private let capacity: Int
    private let lastPlaces: Int
    /// The first descriptor that connections leave to everything else; `nil` if only connections are counted.
    private let reserve: Int?
    private let registries = Mutex<[ObjectIdentifier: Registry]>([:])

    /// Creates a budget for some servers of a process.
    ///
    /// - Parameter connections: The maximum number of connections.
    package init(connections: Int) {
        capacity = max(1, connections)
        lastPlaces = min(8, max(1, connections / 4))
        reserve = nil
    }

    /// Creates a budget that leaves 32 of the allowed files to everything else, or half of those that are free now.
    private init(openFiles limit: Int) {
        // A new descriptor gets the lowest free number.
        let next = lockstep_wake_descriptor()
        if next >= 0 { close(next) }
        let free = next < 0 ? 0 : max(0, limit - Int(next))
        let kept = min(32, free / 2)
        capacity = min(Self.most, max(1, free - kept))
        lastPlaces = kept / 4
        reserve = limit - kept
    }

    func add(_ registry: Registry) { registries.withLock { $0[ObjectIdentifier(registry)] = registry } }

    func remove(_ registry: Registry) { _ = registries.withLock { $0.removeValue(forKey: ObjectIdentifier(registry)) } }

    /// Whether one more client may wait for an event: such clients use at most half of the connections.
    var canWait: Bool { all.reduce(0) { $0 + $1.use.waiting } < max(1, capacity / 2) }

    /// Decides about the next connection to a socket.
    ///
    /// If there is no place, it begins to end another connection.
    func place(at listener: Int32) -> Place {
        let uses = all.map(\.use)
        let open = uses.reduce(0) { $0 + $1.open }
        // All numbers below this one are in use, by connections or by anything else.
        let next = reserve == nil ? 0 : Int(lockstep_next_descriptor(listener))
        let limit = reserve ?? .max
        if open < capacity, next >= 0, next < limit { return .free }
        if makeRoom(uses) { return .none }
        return open < capacity + lastPlaces && next >= 0 && next - lastPlaces < limit ? .last : .none
    }

    /// Ends a connection, unless enough are ending already, or the next one can be ended only in a moment.
    ///
    /// It returns `false` if no connection can be ended.
    private func makeRoom(_ uses: [Registry.Use]) -> Bool {
        let ending = uses.reduce(0) { $0 + $1.ending }
        guard ending < Self.endings else { return true }
        var best: (registry: Registry, candidate: Registry.Candidate)?
        for registry in all {
            guard let candidate = registry.candidate else { continue }
            if best.map({ candidate.isBetter(than: $0.candidate) }) ?? true { best = (registry, candidate) }
        }
        guard let (registry, candidate) = best else { return ending > 0 }
        if candidate.isRipe { registry.end(candidate) }
        return true
    }

    private var all: [Registry] { registries.withLock { Array($0.values) } }
}
