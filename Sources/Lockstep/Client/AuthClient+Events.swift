internal import LockstepPrimitives
internal import Synchronization

extension Effects {
    /// Sends an event to the sink; it is built only where a sink is set.
    func tell(_ name: Event.Name, _ fields: @autoclosure () -> [Event.Field: String] = [:]) {
        guard !events.isNone else { return }
        var event = Event(name, at: clock.now, fields())
        event[.callID] = RequestObserver.current?.callID
        events(event)
    }
}

extension AuthClient {
    func tell(_ name: Event.Name, _ fields: @autoclosure () -> [Event.Field: String] = [:]) { effects.tell(name, fields()) }

    /// Sends the events for a call's begin and end, and for the requests sent for it, by whichever of its tasks.
    func told<Answer: Sendable>(
        _ name: String, _ body: @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        // Another client's observer may be set, where this client is used inside that one's call.
        guard !effects.events.isNone || RequestObserver.current != nil else { return try await body() }
        let outcome: Result<Answer, AuthError> = await RequestObserver.$current.withValue(observer()) {
            let start = effects.clock.uptime
            tell(.callBegan, [.call: name, .provider: adapter.name])
            let outcome: Result<Answer, AuthError>
            do throws(AuthError) {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            let code = if case .failure(let error) = outcome { error.code.rawValue } else { "ok" }
            tell(.callEnded, [.call: name, .provider: adapter.name, .outcome: code, .milliseconds: milliseconds(since: start)])
            return outcome
        }
        return try outcome.get()
    }

    /// Does work that no call waits for: its events are those of a call of its own, and it carries no caller's trace.
    func inBackground(_ name: String, _ body: @escaping @Sendable () async -> Void) {
        Task {
            await TraceContext.$current.withValue(nil) {
                await CallDeadline.$uptime.withValue(nil) {
                    // The body throws nothing.
                    try? await self.told(name) { () async throws(AuthError) in await body() }
                }
            }
        }
    }

    private func observer() -> RequestObserver? {
        guard !effects.events.isNone else { return nil }
        let id = Hex.encode(effects.randomness.bytes(4))
        let count = RequestCount()
        return RequestObserver(callID: id) { [effects] method, route in
            let start = effects.clock.uptime
            let fields: [Event.Field: String] = [
                .method: method, .route: route, .request: "\(id).\(count.next())", .callID: id,
            ]
            effects.events(Event(.requestBegan, at: effects.clock.now, fields))
            return { end in
                var event = Event(.requestEnded, at: effects.clock.now, fields)
                event[.milliseconds] = String((effects.clock.uptime - start).milliseconds)
                switch end {
                case .answered(let status, let bytes):
                    event[.outcome] = "ok"
                    event[.status] = String(status)
                    event[.bytes] = String(bytes)
                case .failed(let code): event[.outcome] = code
                }
                effects.events(event)
            }
        }
    }

    private func milliseconds(since start: Duration) -> String { String((effects.clock.uptime - start).milliseconds) }
}

/// Numbers the requests of one call.
private final class RequestCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
