internal import Lockstep
internal import LockstepPrimitives

extension World {
    /// How many messages the backend has sent; `nil` where that cannot be told, or a look would be in the way.
    func sentMessages() async -> Int? {
        guard environment.proofTimes != nil, !watch.isBlocked else { return nil }
        return try? await environment.outbox?.messages().count
    }

    /// Looks that need the whole run: at every event, and at every request.
    func lookBack() async {
        let events = events.all
        if !events.isEmpty {
            watch.looked(at: .secretsStayInside)
            let text = events.map(\.description).joined(separator: "\n")
            for secret in watch.secrets(in: text) {
                let line = events.first { watch.secrets(in: $0.description).contains(secret) }?.name.rawValue ?? ""
                watch.found(.secretsStayInside, "\(secret) is in an event: \(line)")
            }
        }
        guard let trace = environment.trace else { return }
        var missing: [String] = []
        for _ in 0..<20 {
            guard let requests = trace.requests else { return }
            missing = unobserved(requests)
            if missing.isEmpty { break }
            // A request that has just ended may tell of it a moment later.
            try? await SystemClock().sleep(for: .milliseconds(10))
        }
        guard let requests = trace.requests, !requests.isEmpty else { return }
        watch.looked(at: .observed)
        for sentence in missing { watch.found(.observed, sentence) }
        watch.looked(at: .addressesCarryNone)
        for request in requests {
            let address = request.address.reveal()
            for secret in watch.secrets(in: "\(address) \(Percent.decode(address) ?? "")") {
                watch.found(.addressesCarryNone, "\(secret) is in the address of \(request.name)")
            }
        }
        watch.looked(at: .sentOnce)
        var seen: [String: Set<String>] = [:]
        for request in requests where !request.isSafe {
            guard let call = request.call else { continue }
            if !seen[call, default: []].insert(request.identity).inserted {
                watch.found(.sentOnce, "one call sent the same \(request.name) twice")
            }
        }
    }

    /// What the events do not tell of the requests.
    private func unobserved(_ requests: [TracedRequest]) -> [String] {
        let marked = events.marked
        func count(_ name: AuthEvent.Name) -> [String: Int] {
            marked.reduce(into: [:]) { if $1.event.name == name { $0[$1.call ?? "", default: 0] += 1 } }
        }
        let (began, ended) = (count(.requestBegan), count(.requestEnded))
        var sentences: [String] = []
        for (call, some) in Dictionary(grouping: requests, by: { $0.call ?? "" }) {
            let name = some.last?.name ?? ""
            if some.count > began[call] ?? 0 { sentences.append("a request has no event that it began: \(name)") }
            if some.count > ended[call] ?? 0 { sentences.append("a request has no event that it ended: \(name)") }
        }
        let calls = Set(events.all.filter { $0.name == .callBegan }.compactMap { $0[.callID] })
        if events.all.contains(where: { $0.name == .requestBegan && !calls.contains($0[.callID] ?? "") }) {
            sentences.append("the event of a request belongs to no call")
        }
        return sentences.sorted()
    }
}
