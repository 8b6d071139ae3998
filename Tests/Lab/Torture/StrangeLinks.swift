import LockstepSystem

/// Large numbers of links for the clients of every provider's adapter.
///
/// Used memory must not grow with their number.
struct StrangeLinks: Sendable {
    private static let growth = 16 << 20
    private static let parts = 20

    func run(_ count: Int) async throws -> Tally {
        var tally = Tally()
        let share = count / FuzzRun.providers.count
        for (place, provider) in FuzzRun.providers.enumerated() {
            let run = try await LinkRun(provider)
            var half: Int?
            for part in 0..<Self.parts {
                // The first provider gets the remainder.
                let rest = place == 0 && part == 0 ? count - share * FuzzRun.providers.count : 0
                let size = share / Self.parts + (part == 0 ? share % Self.parts : 0) + rest
                let findings = await run.handle(size, seed: UInt64(place * Self.parts + part + 1))
                tally.count("links", findings.links)
                tally.count("refusals", findings.refused)
                tally.count("requests for them", findings.requests)
                for fault in findings.faults { tally.fault(fault) }
                if part == Self.parts / 2 { half = CurrentProcess.residentMemory }
            }
            guard let half, let last = CurrentProcess.residentMemory, count >= Self.parts * 10_000 else { continue }
            tally.count("KiB resident after \(provider)", last >> 10)
            if last - half > Self.growth {
                tally.fault("\(last - half) bytes more are resident after half of \(provider)'s links")
            }
        }
        return tally
    }
}
