internal import LockstepEmulation
internal import LockstepPrimitives

/// The bar on every page while a fault is active or a clock is off.
///
/// Without it, a fault that somebody forgot looks like a bug of the app.
struct AlertBar {
    let visit: Visit

    var lines: [Markup] { [faults].compactMap(\.self) + visit.emulators.compactMap(clock) }

    private var faults: Markup? {
        let active = visit.emulators.flatMap { emulator in emulator.activeFaults.map { (emulator, $0) } }
        guard let (emulator, fault) = active.first else { return nil }
        let one =
            "\(FaultKind.title(of: fault)): \(fault.match.method ?? "every request to") \(fault.match.path) (\(emulator.word))"
        let what = active.count == 1 ? one : "\(one), and \(active.count - 1) more"
        return """
            <div><strong>\(active.count) \(active.count == 1 ? "fault is active" : "faults are active")</strong> <span>\(what, upTo: 160)</span>\
            \(visit.button("Remove", PageAddress("faults", "lift-all"), of: "all faults", back))</div>
            """
    }

    private func clock(of emulator: DashboardEmulator) -> Markup? {
        let clock = emulator.server.panel.clock
        let offset = clock.now - visit.clock.now
        guard clock.isStopped || abs(offset.milliseconds) >= 1000 else { return nil }
        let words = Age(of: clock.now, at: visit.clock.now).words
        return """
            <div><strong>The clock of \(emulator.word) \(clock.isStopped ? "is stopped" : "is off")</strong> <span>\(clock.now.plain) UTC, \(words)</span>\
            \(visit.button("Reset", PageAddress("clock"), of: "the clock of \(emulator.word)", back + [("action", "machine"), ("provider", emulator.name)]))</div>
            """
    }

    /// After the button, the browser is on the same page again.
    private var back: [(name: String, value: String)] {
        visit.request.method == "GET" ? [("back", visit.request.path.hasPrefix("/") ? visit.target : "/")] : []
    }
}
