internal import CLockstepMicrohttpd
internal import LockstepSystem
internal import Synchronization

/// The thread that accepts the connections of all servers in this process, one after the other.
///
/// libmicrohttpd itself accepts ten connections in a row on the thread of each server before it closes any. Several servers
/// would then use the last descriptors of the process before one of them notices it.
final class Acceptor: Sendable {
    static let shared = Acceptor()

    /// A server, by the socket on which it listens.
    // Sendable is unchecked for the handle. Proof: only `accept` uses it, while the lock of the acceptor is held and the server is
    // in its list. A server leaves the list before it stops libmicrohttpd.
    @safe struct Server: @unchecked Sendable {
        let listener: Int32
        let handle: OpaquePointer
        let service: Service
    }

    private struct State {
        var servers: [Int32: Server] = [:]
        /// The descriptor that ends the wait of the thread; `nil` before the first server.
        var wake: Int32?
    }

    private let state = Mutex(State())

    /// Accepts connections for a server from now on.
    ///
    /// - Throws: ``HTTPDaemonError`` if the thread cannot be started.
    func add(_ server: Server) throws(HTTPDaemonError) {
        let isStarted = state.withLock { state in
            if state.wake == nil { state.wake = start() }
            guard let wake = state.wake else { return false }
            state.servers[server.listener] = server
            lockstep_wake(wake)
            return true
        }
        guard isStarted else {
            throw HTTPDaemonError(
                system: "The server did not start: too many open files or threads? Raise the limits (ulimit -n).")
        }
        server.service.budget.add(server.service.registry)
    }

    /// Accepts no more connections for a server.
    ///
    /// After this call, the socket and the handle of the server are not used.
    func remove(_ listener: Int32) {
        let server = state.withLock { state in
            if let wake = state.wake { lockstep_wake(wake) }
            return state.servers.removeValue(forKey: listener)
        }
        if let service = server?.service { service.budget.remove(service.registry) }
    }

    /// Starts the thread, and returns the descriptor that wakes it.
    private func start() -> Int32? {
        let wake = lockstep_wake_descriptor()
        guard wake >= 0 else { return nil }
        do throws(SystemError) {
            try BlockingThread.start { self.run(wake) }
            return wake
        } catch {
            close(wake)
            return nil
        }
    }

    /// Accepts connections until the process ends.
    private func run(_ wake: Int32) {
        var entries: [pollfd] = []
        while true {
            entries.removeAll(keepingCapacity: true)
            entries.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
            for listener in state.withLock({ Array($0.servers.keys) }) {
                entries.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
            }
            Self.wait(&entries)
            if entries[0].revents != 0 { lockstep_silence(wake) }
            var isFull = false
            for entry in entries.dropFirst() where entry.revents != 0 {
                if !accept(entry.fd) { isFull = true }
            }
            // A connection that was ended is closed by the thread of its server.
            if isFull {
                entries.removeSubrange(1...)
                Self.wait(&entries, milliseconds: 2)
            }
        }
    }

    private static func wait(_ entries: inout [pollfd], milliseconds: Int32 = -1) {
        // The buffer is valid during the call, which uses as many entries as its count says.
        _ = unsafe entries.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds) }
    }

    /// Accepts the next connection of a server.
    ///
    /// It returns `false` if there is no place for it.
    private func accept(_ listener: Int32) -> Bool {
        state.withLock { state in
            guard let server = state.servers[listener] else { return true }
            let place = server.service.budget.place(at: listener)
            guard place != .none else { return false }
            let descriptor = lockstep_socket_accept(listener)
            // The client has gone, or the process has just opened its last file.
            guard descriptor >= 0 else { return descriptor != -EMFILE && descriptor != -ENFILE }
            server.service.registry.accept(descriptor, isLast: place == .last)
            // The handle is valid; see the proof above.
            if unsafe lockstep_mhd_add(server.handle, descriptor) != .YES { server.service.registry.drop(descriptor) }
            return true
        }
    }
}
