internal import CLockstepMicrohttpd
public import LockstepPrimitives
internal import Synchronization

/// A server for HTTP/1.1 that uses libmicrohttpd.
///
/// Its one thread responds to a request immediately, or lets the connection wait until the response is ready. The server
/// rejects more requests than libmicrohttpd does; see ``ServerRefusal``. The server stops when ``stop()`` is called, or when
/// the last reference to the server is released.
public final class HTTPDaemon: Sendable {
    /// The port on which the server listens.
    public let port: UInt16

    private let service: Service
    private let sweeper: Task<Void, Never>
    private let daemon: Mutex<Running?>

    /// How many connections libmicrohttpd may have open above the limit, while others are being closed.
    private static let room = 64

    /// The handle of libmicrohttpd, and the reference to the service that its callbacks use.
    // Sendable is unchecked for the pointers. Proof: both are used once, by the caller that takes this value out of its mutex.
    @safe private struct Running: @unchecked Sendable {
        var handle: OpaquePointer
        var service: Unmanaged<Service>
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - configuration: The limits of the server.
    ///   - socket: The socket on which it listens.
    ///   - clock: The clock that measures time limits.
    ///   - handler: Handles the requests.
    /// - Throws: ``HTTPDaemonError`` if the server cannot be started.
    public init(
        _ configuration: HTTPDaemonConfiguration = .init(), on socket: consuming ListeningSocket, clock: any DeviceClock,
        handler: any ServerHandler
    ) throws(HTTPDaemonError) {
        var configuration = configuration
        // Two or three servers share a process and its open files, so no server may use all descriptors.
        configuration.connectionLimit = max(
            1, min(configuration.connectionLimit, Int(clamping: lockstep_descriptor_limit()) / 4))
        let service = Service(configuration, clock: clock, handler: handler)
        let retained = unsafe Unmanaged.passRetained(service)
        let port = socket.port
        let descriptor = socket.release()
        // The callbacks get `retained`, which is released only after MHD_stop_daemon has returned. The daemon now owns the
        // listener. The memory of a connection contains the headers of the request and of the response, each up to the limit,
        // and their parsed parts. If the memory is full, libmicrohttpd 0.9.75 closes the connection without an error. More
        // memory would cost time, because it is overwritten with zeros after each request.
        let memory = 5 * max(4096, configuration.headerLimit) / 2
        let handle = unsafe lockstep_mhd_start(
            descriptor, handleRequest, retained.toOpaque(), beginRequest, completeRequest, notifyConnection, keepEscapes,
            memory, UInt32(clamping: max(1, configuration.idleTimeout.components.seconds + 1)),
            // A connection that was ended to make room is closed shortly after the new one was accepted.
            UInt32(clamping: configuration.connectionLimit + Self.room))
        guard let handle = unsafe handle else {
            unsafe retained.release()
            close(descriptor)
            throw HTTPDaemonError(
                system: "libmicrohttpd did not start: too many open files or threads? Raise the limits (ulimit -n).")
        }
        self.port = port
        self.service = service
        daemon = unsafe Mutex(Running(handle: handle, service: retained))
        sweeper = Task { await service.sweep() }
    }

    deinit { stop() }

    /// Stops the server: closes the socket and all connections, including those that wait for a response.
    ///
    /// The call returns when the thread of the server has ended. Do not call this method in a handler, which runs on that
    /// thread.
    public func stop() {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        sweeper.cancel()
        service.registry.stop()
        // The handle was taken out of the mutex, so no other thread has it. No connection is suspended, and none can be from
        // now on.
        unsafe MHD_stop_daemon(running.handle)
        // The daemon's thread has ended, so no callback can use the reference again.
        unsafe running.service.release()
    }
}
