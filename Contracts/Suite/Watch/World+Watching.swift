internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

extension World {
    /// Returns the number of messages that the backend has sent.
    ///
    /// Returns `nil` if the number is unknown, or a fault would affect the request.
    func sentMessages() async -> Int? {
        guard environment.proofTimes != nil, !watch.isBlocked, let outbox = environment.outbox else { return nil }
        return await told { try await outbox.messages().count }
    }

    /// Returns the result of a control.
    ///
    /// - Returns: The result; `nil` if the backend does not support the operation. If the control fails, the run fails.
    func told<Value>(_ operation: () async throws -> Value) async -> Value? {
        do {
            return try await operation()
        } catch is EnvironmentError {
            return nil
        } catch {
            // If a call is cancelled, its checks are cancelled, too.
            if !Task.isCancelled { watch.fail("\(error)") }
            return nil
        }
    }

    /// Runs the checks that need the whole run.
    ///
    /// They examine every event and every request.
    func lookBack() async {
        watch.lookAgain { what, text in
            watch.expectNoSecret(in: text) { secret in "\(secret) is in \(what), in its reflection" }
        }
        let events = events.all
        if !events.isEmpty {
            watch.looked(at: .secretsStayInside)
            let text = events.map(\.description).joined(separator: "\n")
            watch.expectNoSecret(in: text) { secret in
                let name = events.first { watch.secrets(in: $0.description).contains(secret) }?.name.rawValue ?? ""
                return "\(secret) is in an event: \(name)"
            }
        }
        guard let trace = environment.trace, trace.requests != nil else { return }
        // The event of a completed request may arrive a moment later.
        let last = LastLook()
        _ = try? await comes {
            let requests = trace.requests ?? []
            let missing = unobserved(requests)
            last.state.withLock { $0 = (requests, missing) }
            return missing.isNothing
        }
        let (requests, missing) = last.state.withLock { $0 }
        guard !requests.isEmpty else { return }
        watch.looked(at: .observed)
        watch.expect(.observed, missing.began == nil, "no event reports the start of a request: \(missing.began ?? "")")
        watch.expect(.observed, missing.ended == nil, "no event reports the end of a request: \(missing.ended ?? "")")
        watch.expect(.observed, !missing.hasStray, "the event of a request does not belong to a call")
        watch.looked(at: .addressesCarryNone)
        for request in requests {
            let address = request.address.reveal()
            watch.expectNoSecret(.addressesCarryNone, in: "\(address) \(Percent.decode(address) ?? "")") { secret in
                "\(secret) is in the URL of \(request.name)"
            }
        }
        watch.looked(at: .sentOnce)
        var seen: [String: Set<String>] = [:]
        for request in requests where !request.isSafe {
            guard let call = request.call else { continue }
            let isNew = seen[call, default: []].insert(request.identity).inserted
            watch.expect(.sentOnce, isNew, "one call sent the same \(request.name) twice")
        }
    }

    /// Returns the requests that lack an event.
    private func unobserved(_ requests: [TracedRequest]) -> Unobserved {
        let marked = events.marked
        func count(_ name: AuthEvent.Name) -> [String: Int] {
            marked.reduce(into: [:]) { if $1.event.name == name { $0[$1.call ?? "", default: 0] += 1 } }
        }
        let (began, ended) = (count(.requestBegan), count(.requestEnded))
        var missing = Unobserved()
        for (call, some) in Dictionary(grouping: requests, by: { $0.call ?? "" }) {
            if some.count > began[call] ?? 0 { missing.began = some.last?.name ?? "" }
            if some.count > ended[call] ?? 0 { missing.ended = some.last?.name ?? "" }
        }
        let calls = Set(events.all.filter { $0.name == .callBegan }.compactMap { $0[.callID] })
        missing.hasStray = events.all.contains { $0.name == .requestBegan && !calls.contains($0[.callID] ?? "") }
        return missing
    }
}

/// The requests that lack an event.
private struct Unobserved: Sendable {
    /// A request without its first event, and a request without its last event.
    var began: String?
    var ended: String?
    /// Whether the event of a request does not belong to a call.
    var hasStray = false

    var isNothing: Bool { began == nil && ended == nil && !hasStray }
}

private final class LastLook: Sendable {
    let state = Mutex<([TracedRequest], Unobserved)>(([], Unobserved()))
}
