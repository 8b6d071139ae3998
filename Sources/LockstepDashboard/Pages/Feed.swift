internal import LockstepEmulation
internal import LockstepPrimitives

/// `/changes`: the changes since a page was loaded, for its script.
struct Feed {
    let visit: Visit

    /// Returns the numbers of the last changes, in the order of the emulators.
    static func position(of emulators: [DashboardEmulator]) -> String {
        emulators.map { String($0.server.panel.changes.number) }.joined(separator: ".")
    }

    /// Waits for a change of one of the emulators.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the last known changes.
    ///   - seconds: How long to wait.
    static func change(of emulators: [DashboardEmulator], after numbers: [Int], within seconds: Int) async {
        let places = Array(zip(emulators, numbers))
        guard places.allSatisfy({ $0.server.panel.changes.changes(after: $1).kinds.isEmpty }) else { return }
        await withTaskGroup(of: Void.self) { group in
            for (emulator, number) in places {
                let query = [(name: "after", value: String(number)), (name: "wait", value: String(seconds))]
                group.addTask { _ = await emulator.server.controlCalls.send("GET", "/changes", query: query) }
            }
            // The first emulator that has changed ends the wait for the others.
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns the kinds that have changed, now or within the time in the query.
    func response() async throws -> EmulatorResponse {
        let after = (visit.query("after") ?? "").pieces(at: ".").map { Int($0) ?? 0 }
        let places = visit.emulators.enumerated().map { place, emulator in
            (emulator: emulator, number: place < after.count ? max(0, after[place]) : 0)
        }
        let seconds = min(max(visit.query("wait").flatMap { Int($0) } ?? 0, 0), 60)
        if seconds > 0 { await Self.change(of: visit.emulators, after: places.map(\.number), within: seconds) }
        let news = places.map { $0.emulator.server.panel.changes.changes(after: $0.number) }
        let kinds = Set(news.flatMap(\.kinds).map(\.rawValue)).sorted()
        return .json([
            "number": .string(news.map { String($0.number) }.joined(separator: ".")), "start": .string(visit.start),
            "kinds": .array(kinds.map { .string($0) }),
        ])
    }
}
