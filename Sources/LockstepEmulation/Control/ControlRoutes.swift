internal import LockstepPrimitives

/// The control panel, the inbox and the text messages over HTTP, with paths after ``prefix``.
///
/// Control routes need the token. Messages and readiness do not, as with Mailpit, unless the server is closed. But requests from
/// pages of other sites are rejected.
struct ControlRoutes {
    static let prefix = "/__lockstep"

    let provider: String
    let panel: ControlPanel
    let environment: EmulationEnvironment
    let token: Secret
    let gatekeeper: Gatekeeper
    /// The calls for users; `nil` if the emulator has none.
    let accounts: (any AccountAdministrator)?
    /// The calls for settings; `nil` if the emulator has none.
    let settings: (any SettingsAdministrator)?
    /// The clock of the machine, on which a request waits.
    let clock: any DeviceClock

    /// All routes, in the order of docs/control.md.
    ///
    /// The inbox also has the routes of Mailpit.
    var all: [ControlRoute] { time + messages + requests + faults + users + factors + settingRoutes + seed }

    /// Returns whether a path belongs to a control route.
    static func has(_ path: some StringProtocol) -> Bool { path == prefix || path.hasPrefix(prefix + "/") }

    func router() -> Router {
        var router = Router()
        let (token, prefix, gatekeeper, routes, provider) = (token, Self.prefix, gatekeeper, all, provider)
        let isClosed = environment.ownerToken != nil
        let open = isClosed ? [prefix + "/ready"] : routes.filter { $0.caller == .anyProgram }.map { prefix + $0.path }
        router.before = { request in
            if request.bearer.map({ Secret($0) }) == token { return nil }
            if let refusal = gatekeeper.refusalOfForeignPage(request) { return refusal }
            if !isClosed && request.rawPath.hasPrefix(prefix + "/inbox/") || open.contains(request.rawPath) { return nil }
            return ControlError.noToken.response
        }
        router.notFound = { request in
            ControlError(404, "There is no control route at \"\(request.path.prefix(200))\". GET \(prefix)/ lists them.").response
        }
        router.methodNotAllowed = { request, methods in
            let list = methods.joined(separator: ", ")
            return ControlError(405, "Method \(request.method) is not allowed at \"\(request.path.prefix(200))\". Use \(list).")
                .response
                .with("Allow", list)
        }
        router.refused = { refusal, _ in ControlError(refusal.status, refusal.sentence).response }
        router.failed = { error, _ in
            (error as? ControlError ?? (error as? UserValueError)?.refusal ?? (error as? SettingsPatchError)?.refusal
                ?? (error as? SeedProblem)?.refusal ?? (error as? RowMirrorError)?.refusal
                ?? (error as? any ProviderError).map { ControlError(422, "\(provider) rejects this: \($0.sentence)") }
                ?? ControlError(500, "Internal error: \(type(of: error)).")).response
        }
        for route in routes {
            router.on(route.method, prefix + route.path) { request in
                try request.checkQuery(of: route)
                return try route.answer(request)
            }
        }
        let list = JSON.array(
            routes.map { ["method": .string($0.method), "path": .string(prefix + $0.path), "summary": .string($0.summary)] })
        router.on("GET", prefix + "/?") { _ in .now(.json(["routes": list])) }
        InboxRoutes(outbox: panel.outbox).add(to: &router, at: prefix + "/inbox")
        let page = InboxPage(provider: provider, outbox: panel.outbox, prefix: prefix + "/inbox")
        router.on("GET", prefix + "/inbox/") { _ in page.response }
        return router
    }

    /// Waits for a value after changes of a kind, and returns the response with the first one; or the response for `nil` if the
    /// request has waited long enough.
    ///
    /// `find` reads from a place, and moves the place to the end of what it has read.
    func waiting<Value: Sendable, Place: Sendable>(
        _ request: EmulatorRequest, for kind: ChangeLog.Kind?, from place: Place,
        _ find: @escaping @Sendable (inout Place) throws -> Value?,
        _ answer: @escaping @Sendable (Value?) -> EmulatorResponse
    ) throws -> Reply {
        let patience = try request.patience()
        var place = place
        if let value = try find(&place) { return .now(answer(value)) }
        if patience == .zero { return .now(answer(nil)) }
        return .later { [panel, clock, place] in
            answer(try await panel.changes.first(of: kind, from: place, within: patience, on: clock, find))
        }
    }
}

extension ControlRoutes {
    private var time: [ControlRoute] {
        let (panel, provider) = (panel, provider)
        return [
            ControlRoute("GET", "/ready", by: .anyProgram, "Returns 503 until imports and the seed are loaded, then 200.") { _ in
                let document: JSON = ["provider": .string(provider), "ready": .bool(panel.isReady)]
                return panel.isReady ? .json(document) : .json(document, status: 503).with("Retry-After", "1")
            },
            ControlRoute("GET", "/clock", "Shows the backend's time.") { _ in panel.time },
            ControlRoute("POST", "/clock", "Moves, stops or starts the backend's clock.", query: ["seconds", "now"]) { request in
                try panel.setClock(by: request)
                return panel.time
            },
            ControlRoute(
                "POST", "/reset", "Deletes everything, then restores the seed; ?seed=false skips the seed.", query: ["seed"]
            ) { request in
                switch request.query["seed"] {
                case nil, "true": try panel.reset()
                case "false": try panel.reset(replayingSeed: false)
                case let value?:
                    throw ControlError(400, "invalid value \"\(value.prefix(40))\" for seed: expected true or false")
                }
                return .json([:])
            },
            ControlRoute("POST", "/stop", "Ends lockstep serve, as Ctrl-C does.") { _ in
                guard panel.stop() else {
                    throw ControlError(409, "This emulator belongs to a program, and ends with it. End the program.")
                }
                return .json([:], status: 202)
            },
            ControlRoute(
                "GET", "/changes", "Lists the changes after a given change number, or waits for the next change.",
                query: ["after", "wait"],
                changes),
            ControlRoute(
                "GET", "/log", "Lists the latest lines that lockstep serve prints on a terminal, or waits for the next line.",
                query: ["after", "wait", "limit"], log),
        ]
    }

    private func log(_ request: EmulatorRequest) throws -> Reply {
        let limit = try request.count("limit", upTo: 500, default: 20)
        let seconds = try request.count("wait", upTo: 300, default: 0)
        let place = request.query["after"].flatMap { $0.isEmpty ? nil : $0 }
        guard place?.wholeMatch(of: /[0-9.]{1,100}/) != nil || place == nil else {
            throw ControlError(400, "invalid value for after: expected the \"last\" of an earlier response")
        }
        return .later { [panel] in .json(await panel.lines(after: place, limit: limit, within: seconds)) }
    }

    private func changes(_ request: EmulatorRequest) throws -> Reply {
        let after = try request.count("after", upTo: .max, default: 0)
        let changes = panel.changes
        return try waiting(request, for: nil, from: ()) { _ in
            let news = changes.changes(after: after)
            return news.kinds.isEmpty ? nil : news
        } _: { news in
            let (number, kinds) = news ?? (changes.number, [])
            return .json(["number": .int(Int64(number)), "kinds": .array(kinds.map { .string($0.rawValue) })])
        }
    }
}

extension ControlPanel {
    fileprivate var time: EmulatorResponse {
        .json(["now": .string(clock.now.rfc3339), "stopped": .bool(clock.isStopped)])
    }

    /// Moves, stops or starts the clock.
    ///
    /// `?seconds=N` moves it. `?now=MS` stops it at a time, in milliseconds since 1970. `?now=running` starts it again from
    /// that time.
    fileprivate func setClock(by request: EmulatorRequest) throws(ControlError) {
        let outOfRange = ControlError(400, "The clock accepts times from 1970 to 9999.")
        switch (request.query["seconds"], request.query["now"]) {
        case (nil, "running"?):
            clock.run()
            changes.note(.clock)
        case (nil, let text?):
            guard let milliseconds = Int64(text) else {
                throw ControlError(
                    400, "invalid value \"\(text.prefix(40))\" for now: expected milliseconds since 1970, or running")
            }
            guard stop(at: milliseconds) else { throw outOfRange }
        case (let text?, nil):
            guard let seconds = Double(text), seconds.isFinite else {
                throw ControlError(400, "invalid value \"\(text.prefix(40))\" for seconds: expected a number")
            }
            // This is more than the whole range of times, and much less than the maximum of a duration.
            guard abs(seconds) < 1e12, canAdvance(by: .milliseconds(Int64(seconds * 1000))) else { throw outOfRange }
            advance(by: .milliseconds(Int64(seconds * 1000)))
        default: throw ControlError(400, "Send ?seconds=N, ?now=MILLISECONDS or ?now=running.")
        }
    }
}
