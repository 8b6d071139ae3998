import LockstepPrimitives
import LockstepSystem

extension Scenario {
    /// Scenarios for sessions in one process.
    static let sessions: [Scenario] = [
        Scenario(
            "session.simulation",
            "The rules of sessions hold in every order of calls, answers, faults, clock jumps and deaths that a seed makes.",
            "schedules", short: 1000, long: 200_000
        ) { count in
            try await BlockingThread.run {
                let clock = SystemClock()
                let start = clock.uptime
                var tally = Tally()
                if let failure = SessionSimulation.run(seeds: 0..<UInt64(count)) {
                    tally.fault("\(failure)")
                } else {
                    let milliseconds = max(1, Int((clock.uptime - start).milliseconds))
                    tally.count("schedules a minute", count * 60_000 / milliseconds)
                }
                return tally
            }
        },
        Scenario(
            "session.callers", "Any number of callers on one expired session are served by one refresh.", "callers at once",
            short: 1000, long: SessionCallers.crowd
        ) { try await SessionCallers().run($0) },
        Scenario(
            "session.clients", "Of many clients in one process none ever sends, gets or shows what is another's.", "clients",
            short: 30, long: 1000
        ) { try await ManyClients().run($0) },
        Scenario(
            "session.links", "No link that was never sent changes who is signed in, ends a flow, or is kept in memory.", "links",
            short: 3000, long: 1_000_000
        ) { try await StrangeLinks().run($0) },
    ]
}
