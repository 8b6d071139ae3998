internal import CLockstepMicrohttpd
package import LockstepPrimitives
internal import Synchronization

/// A server for HTTP/1.1 that uses libmicrohttpd.
///
/// Its one thread responds to a request immediately, or lets the connection wait until the response is ready. The server
/// rejects more requests than libmicrohttpd does; see ``ServerRefusal``. The server stops when ``stop()`` is called, or when
/// the last reference to the server is released.
package final class HTTPDaemon: Sendable {
    /// The port on which the server listens.
    package let port: UInt16

    private let service: Service
    private let sweeper: Task<Void, Never>
    private let daemon: Mutex<Running?>

    /// The handle of libmicrohttpd, the reference to the service that its callbacks use, and the socket that listens.
    // Sendable is unchecked for the pointers. Proof: both are used once, by the caller that takes this value out of its mutex.
    @safe private struct Running: @unchecked Sendable {
        var handle: OpaquePointer
        var service: Unmanaged<Service>
        var listener: Int32
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - configuration: The limits of the server.
    ///   - budget: The connections that it shares with other servers. Default: all that this process may open.
    ///   - clock: The clock that measures time limits.
    ///   - handler: Handles the requests.
    /// - Throws: ``HTTPDaemonError`` if the server cannot be started.
    package init(
        _ configuration: HTTPDaemonConfiguration = .init(), sharing budget: ConnectionBudget = .shared,
        on socket: consuming ListeningSocket, clock: any DeviceClock, handler: any ServerHandler
    ) throws(HTTPDaemonError) {
        let service = Service(configuration, budget, clock: clock, handler: handler)
        let retained = unsafe Unmanaged.passRetained(service)
        let port = socket.port
        let descriptor = socket.release()
        // The callbacks get `retained`, which is released only after MHD_stop_daemon has returned. The memory of a connection
        // contains the headers of the request and of the response, each up to the limit, and 64 bytes for each line. If the
        // memory is full, libmicrohttpd responds itself with a page of HTML (414 or 431). More memory would cost time, because it
        // is overwritten with zeros after each request.
        let memory = 5 * max(4096, configuration.headerLimit) / 2
        let handle = unsafe lockstep_mhd_start(
            handleRequest, retained.toOpaque(), beginRequest, completeRequest, notifyConnection, keepEscapes,
            memory, UInt32(clamping: max(1, configuration.idleTimeout.components.seconds + 1)),
            // The acceptor keeps the budget.
            UInt32(clamping: 2 * ConnectionBudget.most))
        guard let handle = unsafe handle else {
            unsafe retained.release()
            close(descriptor)
            throw HTTPDaemonError(
                system: "libmicrohttpd did not start: too many open files or threads? Raise the limits (ulimit -n).")
        }
        do throws(HTTPDaemonError) {
            try Acceptor.shared.add(unsafe Acceptor.Server(listener: descriptor, handle: handle, service: service))
        } catch {
            // No connection was added, so no callback has used the reference.
            unsafe MHD_stop_daemon(handle)
            unsafe retained.release()
            close(descriptor)
            throw error
        }
        self.port = port
        self.service = service
        daemon = unsafe Mutex(Running(handle: handle, service: retained, listener: descriptor))
        sweeper = Task { await service.sweep() }
    }

    deinit { stop() }

    /// Stops the server: closes the socket and all connections, including those that wait for a response.
    ///
    /// The call returns when the thread of the server has ended. Do not call this method in a handler, which runs on that
    /// thread.
    package func stop() {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        sweeper.cancel()
        Acceptor.shared.remove(running.listener)
        // The acceptor's thread may still wait for this socket, which stays open until then. It must not keep the port.
        shutdown(running.listener, Int32(SHUT_RDWR))
        close(running.listener)
        service.registry.stop()
        // The handle was taken out of the mutex, so no other thread has it. No connection is suspended, and none can be from
        // now on.
        unsafe MHD_stop_daemon(running.handle)
        // The daemon's thread has ended, so no callback can use the reference again.
        unsafe running.service.release()
    }
}
