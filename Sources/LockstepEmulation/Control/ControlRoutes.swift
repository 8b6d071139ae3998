internal import LockstepPrimitives

/// The control panel, the inbox and the text messages over HTTP, below ``prefix``.
///
/// Control routes need the token; inbox and text messages are read without one, as Mailpit's are, but not for pages of other sites.
struct ControlRoutes {
    static let prefix = "/__lockstep"

    let panel: ControlPanel
    let token: Secret
    let gatekeeper: Gatekeeper

    func router() -> Router {
        var router = Router()
        let panel = panel
        let token = token
        let prefix = Self.prefix
        let gatekeeper = gatekeeper
        router.before = { request in
            if request.bearer.map({ Secret($0) }) == token { return nil }
            if let refusal = gatekeeper.refusalOfForeignPage(request) { return refusal }
            if request.rawPath.hasPrefix(prefix + "/inbox/") || request.rawPath == prefix + "/sms" { return nil }
            return .json(["error": "control routes need the header that the ready line names under control"], status: 401)
        }
        router.post(prefix + "/clock") { request in Self.setClock(of: panel, request) }
        router.get(prefix + "/clock") { _ in Self.time(of: panel) }
        router.post(prefix + "/reset") { _ in
            try panel.reset()
            return .json([:])
        }
        router.get(prefix + "/transcript") { _ in .json(.array(panel.shownTranscript)) }
        router.get(prefix + "/faults") { _ in .json(.array(panel.faults.map(FaultDocument.write))) }
        router.post(prefix + "/faults") { request in
            do throws(FaultDocumentError) {
                let (match, effect, times) = try FaultDocument.read(try? request.json())
                do throws(HeaderError) {
                    let fault = try panel.fail(next: times, match.method, match.path, with: effect)
                    return .json(FaultDocument.write(fault), status: 201)
                } catch {
                    throw FaultDocumentError(description: error.description)
                }
            } catch {
                return .json(["error": .string(error.description)], status: 400)
            }
        }
        router.post(prefix + "/faults/release") { _ in
            for fault in panel.faults { fault.release() }
            return .json([:])
        }
        router.delete(prefix + "/faults") { _ in
            panel.clearFaults()
            return .empty()
        }
        router.put(prefix + "/outbox") { request in
            guard let isReachable = (try? request.json())?["reachable"]?.bool else {
                return .json(["error": "outbox needs {\"reachable\": true or false}"], status: 400)
            }
            panel.outbox.isReachable = isReachable
            return .json([:])
        }
        router.get(prefix + "/sms") { _ in
            .json(
                .array(
                    panel.outbox.shortMessages.map { message in
                        [
                            "to": .string(message.to), "text": .string(message.text),
                            "code": message.code.map { .string($0) } ?? .null,
                        ]
                    }))
        }
        InboxRoutes(outbox: panel.outbox).add(to: &router, at: prefix + "/inbox")
        return router
    }

    // MARK: The clock

    /// `?seconds=N` moves it; `?now=MS` stops it at a time, in milliseconds since 1970; `?now=running` lets it run on from there.
    private static func setClock(of panel: ControlPanel, _ request: EmulatorRequest) -> EmulatorResponse {
        let refusal = EmulatorResponse.json(
            ["error": "the clock can be moved to any time from 1970 to 9999, and this one is not"], status: 400)
        switch (request.query["seconds"], request.query["now"]) {
        case (nil, "running"?): panel.clock.run()
        case (nil, let text?):
            guard let milliseconds = Int64(text) else {
                return .json(["error": "clock?now= takes milliseconds since 1970, or running"], status: 400)
            }
            guard panel.stop(at: milliseconds) else { return refusal }
        case (let text?, nil):
            guard let seconds = Double(text), seconds.isFinite else { fallthrough }
            // Far more than from one end of the times to the other, and far less than a duration can hold.
            guard abs(seconds) < 1e12, panel.canAdvance(by: .milliseconds(Int64(seconds * 1000))) else { return refusal }
            panel.advance(by: .milliseconds(Int64(seconds * 1000)))
        default:
            return .json(["error": "clock needs ?seconds=N, ?now=MILLISECONDS or ?now=running, and one of them"], status: 400)
        }
        return time(of: panel)
    }

    private static func time(of panel: ControlPanel) -> EmulatorResponse {
        .json(["now": .string(panel.clock.now.rfc3339), "stopped": .bool(panel.clock.isStopped)])
    }
}
