internal import LockstepMicrohttpd
internal import LockstepPrimitives
internal import LockstepSystem
internal import Synchronization

/// A server for web pages next to the emulators, with the host names and the limits of an emulator.
///
/// Its handlers run on a separate thread, which starts with the first request.
package final class PageServer: Sendable {
    /// The port on which the server listens.
    package let port: UInt16
    /// The URL of the server: `http://127.0.0.1:PORT`.
    package let base: String

    private let daemon: HTTPDaemon

    /// Chooses the port, and starts to respond to requests.
    ///
    /// - Parameters:
    ///   - options: The address, the port, the host names and the limits.
    ///   - bodyLimit: The maximum size of a request body in bytes.
    ///   - makeRouter: A closure that makes the routes for this port. The server calls this closure at the first request, so
    ///     that the start does not wait for it.
    /// - Throws: ``PortInUse`` if another program uses the port; an error with a sentence if the address cannot be used.
    package init(_ options: EmulatorOptions, bodyLimit: Int, makeRouter: @escaping @Sendable (UInt16) -> Router) throws {
        let socket: ListeningSocket
        do throws(HTTPDaemonError) {
            socket = try ListeningSocket(host: options.host, port: options.port)
        } catch {
            throw error.code == .addressInUse ? PortInUse(port: options.port) : error
        }
        let port = socket.port
        self.port = port
        base = "http://\(options.host == "0.0.0.0" ? "127.0.0.1" : options.host):\(socket.port)"
        let gatekeeper = Gatekeeper(names: ServedNames(host: options.host, names: options.allowedHosts))
        daemon = try HTTPDaemon(
            HTTPDaemonConfiguration(
                bodyLimit: bodyLimit, idleTimeout: options.idleTimeout, requestTimeout: options.requestTimeout),
            on: socket, clock: options.connectionClock,
            handler: PageHandler(gatekeeper: gatekeeper, clock: options.connectionClock) { makeRouter(port) })
    }

    /// Closes all connections, and waits until the thread of the server has ended.
    package func stop() { daemon.stop() }
}

/// Passes requests from the thread of the server to the routes of pages.
private final class PageHandler: ServerHandler {
    private let made = Mutex<Router?>(nil)
    private let makeRouter: @Sendable () -> Router
    private let gatekeeper: Gatekeeper
    private let clock: any DeviceClock
    /// The thread that runs the handlers, starting with the first request.
    private let slowHandlerExecutor = Mutex<ThreadExecutor?>(nil)

    init(gatekeeper: Gatekeeper, clock: any DeviceClock, makeRouter: @escaping @Sendable () -> Router) {
        self.gatekeeper = gatekeeper
        self.clock = clock
        self.makeRouter = makeRouter
    }

    /// The routes, starting with the first request.
    private var router: Router {
        made.withLock { made in
            let router = made ?? makeRouter()
            made = router
            return router
        }
    }

    func answer(_ refusal: ServerRefusal, of request: ServerRequest) -> ServerResponse {
        let request = EmulatorRequest(request)
        return finish(router.refused(refusal, request), of: request)
    }

    func answer(_ request: ServerRequest) -> ServerReply {
        var request = EmulatorRequest(request)
        if let refusal = gatekeeper.refusal(of: request) { return .now(finish(refusal, of: request)) }
        let router = router
        let reply: Reply
        do {
            if let response = try router.before(request) { return .now(finish(response, of: request)) }
            switch router.match(request, rawPath: request.rawPath[...]) {
            case .route(let handler, let placeholders):
                request.placeholders = placeholders
                reply = try handler(request)
            case .otherMethods(let methods): reply = .now(router.methodNotAllowed(request, methods))
            case .nothing: reply = .now(router.notFound(request))
            }
        } catch {
            reply = .now(router.failed(error, request))
        }
        switch reply {
        case .now(let response): return .now(finish(response, of: request))
        case .later(let work): return later(request, work)
        }
    }

    private func later(
        _ request: EmulatorRequest, _ work: @escaping @Sendable () async throws -> EmulatorResponse
    ) -> ServerReply {
        guard
            let slowHandlerExecutor = try? slowHandlerExecutor.withLock({ slowHandlerExecutor in
                let thread = try slowHandlerExecutor ?? ThreadExecutor()
                slowHandlerExecutor = thread
                return thread
            })
        else {
            return .now(finish(.text("The server cannot start another thread. Stop other programs.\n", status: 503), of: request))
        }
        return request.delayed { promise in
            let task = Task(executorPreference: slowHandlerExecutor) {
                var response: EmulatorResponse
                do { response = try await work() } catch { response = self.router.failed(error, request) }
                promise.keep(self.finish(response, of: request))
            }
            promise.whenAbandoned { task.cancel() }
        }
    }

    private func finish(_ response: EmulatorResponse, of request: EmulatorRequest) -> ServerResponse {
        var response = response
        router.after(request, &response)
        var finished = ServerResponse(status: response.status, headers: response.headers.fields, body: response.body)
        finished.headers.append(("Date", clock.now.httpDate))
        return finished
    }
}
