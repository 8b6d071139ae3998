import LockstepContracts
import LockstepStoreHarnesses

extension Scenario {
    /// Scenarios for stores.
    static let stores: [Scenario] = StoreHarnesses.all.filter { $0.name != "memory" }.flatMap { harness in
        [
            contract("store.whole-or-old", on: harness, "kills", short: 5, long: 1000) { count in
                StoreEffort(kills: count, processes: 2, replaces: 1, limit: .seconds(600))
            },
            contract("store.two-processes", on: harness, "replaces a process", short: 25, long: 1000) { count in
                StoreEffort(kills: 1, processes: count < 1000 ? 4 : 8, replaces: count, limit: .seconds(600))
            },
            Scenario(
                "session.kills.\(word(harness))",
                "A process that is killed while it signs in, refreshes and signs out leaves the old or the new session, whole.",
                "kills", short: 10, long: 1000
            ) { try await SessionKills(harness: harness).run($0) },
            Scenario(
                "session.replaced.kills.\(word(harness))",
                "After a process was killed while it signed in over its session, the next launch keeps the new session and ends the old one.",
                "kills", short: 6, long: 1000
            ) { try await ReplacedKills(harness: harness).run($0) },
            Scenario(
                "session.races.\(word(harness))",
                "Two processes that find one session expired at once stay signed in by one refresh, and no token is sent twice.",
                "races", short: 10, long: 1000
            ) { try await SessionRaces(harness: harness).run($0) },
            Scenario(
                "session.slow-refreshes.\(word(harness))",
                "While one process waits long for its refresh another one that needs the session waits too, and gets what the first one got.",
                "slow refreshes", short: 3, long: 100
            ) { try await SlowRefreshes(harness: harness).run($0) },
        ]
    }

    /// Scenarios for moving a session between stores.
    static let moves: [Scenario] = [
        Scenario(
            "session.move.kills",
            "A process that is killed while it moves a session leaves one whole copy at least, and the next move finishes.",
            "kills",
            short: 10, long: 1000
        ) { try await MoveKills().run($0) }
    ]

    /// The harness's name without its details.
    private static func word(_ harness: any StoreHarness) -> Substring { harness.name.prefix { $0 != "," } }

    /// A contract of stores, checked with any effort.
    private static func contract(
        _ id: String, on harness: any StoreHarness, _ unit: String, short: Int, long: Int,
        effort: @escaping @Sendable (Int) -> StoreEffort
    ) -> Scenario {
        let contract = StoreCatalog.all.first { $0.id == id }
        return Scenario("\(id).\(word(harness))", contract?.statement ?? "", unit, short: short, long: long) { count in
            guard let contract else { return Tally(faults: ["there is no contract \(id)"]) }
            let effort = effort(count)
            switch await contract.check(on: harness, effort: effort) {
            case .kept:
                var tally = Tally()
                if unit == "kills" { tally.count("kills", count) } else { tally.count("updates", effort.processes * count) }
                return tally
            case .broken(let findings): return Tally(faults: findings.map(\.description))
            case .failed(let reason): return Tally(faults: [reason])
            case .notApplicable(let reason), .notChecked(let reason): return Tally(excuse: reason)
            }
        }
    }
}
