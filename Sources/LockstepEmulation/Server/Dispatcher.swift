internal import LockstepMicrohttpd
internal import LockstepPrimitives
internal import LockstepSystem
internal import LockstepTestSupport
internal import Synchronization

/// Passes requests from the thread of the server through the faults to their routes, and passes the responses back.
final class Dispatcher: ServerHandler {
    private let router: Router
    private let mounts: [String]
    private let control: Router
    private let panel: ControlPanel
    private let gatekeeper: Gatekeeper
    /// The tokens that open the routes of tests; `nil` if they are open to each program.
    private let keys: [Secret]?
    /// The clock of the machine, which measures how long a response takes.
    private let clock: any DeviceClock
    private let sweeper: Sweeper
    private let date: DateHeader
    /// The thread for handlers that take long, so that they do not block the cooperative thread pool.
    private let slowHandlerExecutor: ThreadExecutor

    init(
        router: Router, control: Router, panel: ControlPanel, clock: any DeviceClock, gatekeeper: Gatekeeper, keys: [Secret]?,
        sweeper: Sweeper
    ) throws {
        self.router = router
        mounts = router.mounts.sorted { $0.utf8.count > $1.utf8.count }
        self.control = control
        self.panel = panel
        self.gatekeeper = gatekeeper
        self.keys = keys
        self.clock = clock
        self.sweeper = sweeper
        date = DateHeader(clock: panel.clock)
        slowHandlerExecutor = try ThreadExecutor()
    }

    func answer(_ refusal: ServerRefusal, of request: ServerRequest) -> ServerResponse {
        let request = EmulatorRequest(request)
        let router = ControlRoutes.has(request.rawPath) ? control : router
        var response = router.refused(refusal, request)
        router.after(request, &response)
        return finish(response)
    }

    func answer(_ request: ServerRequest) -> ServerReply {
        let start = clock.uptime
        let request = EmulatorRequest(request)
        if let refusal = gatekeeper.refusal(of: request) {
            return .now(finish(ControlRoutes.has(request.rawPath) ? ControlError(refusal).response : refusal))
        }
        sweeper.sweepIfDue()
        if router.testPaths.contains(where: { request.path.hasPrefix($0) || request.rawPath.hasPrefix($0) }),
            let refusal = gatekeeper.refusalOfForeignPage(request) ?? refusalOfStranger(request)
        {
            return .now(finish(refusal))
        }
        if ControlRoutes.has(request.rawPath) {
            return serverReply(reply(to: request, by: control), by: control, request) { _ in }
        }
        let (local, path) = locate(request)
        guard let fault = panel.faultList.claim(local) else {
            return serverReply(reply(to: local, path: path, by: router), by: router, local) { response in
                self.record(local, response, since: start, isFaulty: false)
            }
        }
        return serverReply(reply(to: local, path: path, struckBy: fault), by: router, local) { response in
            self.record(local, response, since: start, isFaulty: true)
        }
    }

    private func refusalOfStranger(_ request: EmulatorRequest) -> EmulatorResponse? {
        guard let keys, !keys.contains(where: { request.bearer.map { Secret($0) } == $0 }) else { return nil }
        return ControlError.noToken.response
    }

    /// Returns the request with its path after the mount.
    private func locate(_ request: EmulatorRequest) -> (EmulatorRequest, path: Substring) {
        for mount in mounts where request.rawPath.hasPrefix(mount) {
            let rest = request.rawPath.dropFirst(mount.count)
            guard mount.isEmpty || rest.isEmpty || rest.hasPrefix("/") else { continue }
            if mount.isEmpty { return (request, rest) }
            var local = request
            local.path = Percent.decode(rest) ?? String(rest)
            return (local, rest)
        }
        return (request, request.rawPath[...])
    }

    private func reply(to request: EmulatorRequest, path: Substring? = nil, by router: Router) -> Reply {
        do {
            if let response = try router.before(request) { return .now(response) }
            switch router.match(request, rawPath: path ?? request.rawPath[...]) {
            case .route(let handler, let placeholders):
                if placeholders.isEmpty { return try handler(request) }
                var request = request
                request.placeholders = placeholders
                return try handler(request)
            case .otherMethods(let methods): return .now(router.methodNotAllowed(request, methods))
            case .nothing: return .now(router.notFound(request))
            }
        } catch {
            return .now(router.failed(error, request))
        }
    }

    private func reply(to request: EmulatorRequest, path: Substring, struckBy fault: Fault) -> Reply {
        switch fault.effect {
        case .answer(let response): return .now(response)
        case .answerTo(let answer): return .now(answer(request))
        case .close: return .now(.silence)
        case .hang:
            return .later {
                await fault.released.wait()
                return .silence
            }
        case .hold:
            return .later {
                await fault.released.wait()
                return try await self.reply(to: request, path: path, by: self.router).response
            }
        case .delay(let duration):
            return .later {
                try await self.panel.clock.sleep(for: duration)
                return try await self.reply(to: request, path: path, by: self.router).response
            }
        case .loseResponse, .holdResponse, .truncateResponse, .breakResponse, .changeResponse:
            let reply = reply(to: request, path: path, by: router)
            return .later {
                let response = await self.response(of: reply, to: request)
                if case .holdResponse = fault.effect { await fault.released.wait() }
                return response.applying(fault.effect)
            }
        }
    }

    private func response(of reply: Reply, to request: EmulatorRequest) async -> EmulatorResponse {
        do {
            return try await reply.response
        } catch {
            return router.failed(error, request)
        }
    }

    private func serverReply(
        _ reply: Reply, by router: Router, _ request: EmulatorRequest, record: @escaping @Sendable (EmulatorResponse) -> Void
    ) -> ServerReply {
        switch reply {
        case .now(var response):
            router.after(request, &response)
            record(response)
            return .now(finish(response))
        case .later(let work):
            return request.delayed { promise in
                let task = Task(executorPreference: self.slowHandlerExecutor) {
                    var response: EmulatorResponse
                    do { response = try await work() } catch { response = router.failed(error, request) }
                    router.after(request, &response)
                    record(response)
                    promise.keep(self.finish(response))
                }
                promise.whenAbandoned { task.cancel() }
            }
        }
    }

    private func record(_ request: EmulatorRequest, _ response: EmulatorResponse, since start: Duration, isFaulty: Bool) {
        panel.transcript.add(
            request, response, at: panel.clock.now, from: start, to: clock.uptime, isFaulty: isFaulty)
    }

    private func finish(_ response: EmulatorResponse) -> ServerResponse {
        var finished = ServerResponse(status: response.status, headers: response.headers.fields, body: response.body)
        if response.headers["Date"] == nil { finished.headers.append(("Date", date.value)) }
        switch response.delivery {
        case .whole: break
        case .truncated(let count): finished.ending = .truncate(after: count)
        case .silence: finished.ending = .silence
        }
        return finished
    }
}

extension Reply {
    fileprivate var response: EmulatorResponse {
        get async throws {
            switch self {
            case .now(let response): response
            case .later(let work): try await work()
            }
        }
    }
}

extension EmulatorRequest {
    /// Returns the reply for a response that `start` begins to make.
    ///
    /// If the request asks to wait for an event, the server may turn its client away for others.
    func delayed(_ start: @escaping @Sendable (ServerPromise) -> Void) -> ServerReply {
        query["wait"] == nil ? .later(start) : .waiting(start)
    }
}

/// The `Date` header by the clock of the backend, which is written again once a second.
final class DateHeader: Sendable {
    private let clock: ManualClock
    private let last = Mutex<(second: Int64, text: String)>((.min, ""))

    init(clock: ManualClock) {
        self.clock = clock
    }

    var value: String {
        let now = clock.now
        return last.withLock { last in
            if last.second != now.seconds { last = (now.seconds, now.httpDate) }
            return last.text
        }
    }
}
