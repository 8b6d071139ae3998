import LockstepPrimitives
import LockstepSystem

/// `lockstep-lab torture [--short] [--count N] [NAME…]`: runs the scenarios whose names begin like this, and prints the counts
/// of each.
///
/// `lockstep-lab torture --replay SEED MOVES` runs one schedule of the simulation again, as its failure has printed it.
struct TortureCommand {
    static func run(_ words: [String]) async throws {
        var words = words
        if words.first == "--replay" { try replay(Array(words.dropFirst())) }
        var isShort = false
        var count: Int?
        if let index = words.firstIndex(of: "--short") {
            isShort = true
            words.remove(at: index)
        }
        if let index = words.firstIndex(of: "--count") {
            guard index + 1 < words.count, let number = Int(words[index + 1]), number > 0 else { try usage() }
            count = number
            words.removeSubrange(index...index + 1)
        }
        let chosen = Scenario.all.filter { scenario in words.isEmpty || words.contains { scenario.name.hasPrefix($0) } }
        guard !chosen.isEmpty, !words.contains(where: { $0.hasPrefix("-") }) else { try usage() }
        var isWhole = true
        for scenario in chosen {
            let tally = try await run(scenario, count ?? (isShort ? scenario.short : scenario.long))
            isWhole = isWhole && tally.faults.isEmpty
        }
        CurrentProcess.exit(isWhole ? 0 : 1)
    }

    private static func replay(_ words: [String]) throws -> Never {
        guard words.count == 2, let seed = UInt64(words[0]), let schedule = Schedule(words[1]) else { try usage() }
        let failure = SessionSimulation.replay(schedule, seed: seed)
        try StandardStream.output.write((failure.map { "\($0)" } ?? "All holds under this schedule.") + "\n")
        CurrentProcess.exit(failure == nil ? 0 : 1)
    }

    private static func run(_ scenario: Scenario, _ count: Int) async throws -> Tally {
        let clock = SystemClock()
        try StandardStream.error.write("\(scenario.name): \(scenario.statement)\n")
        let start = clock.uptime
        let tally = await scenario.run(count)
        let seconds = "\((clock.uptime - start).milliseconds / 100)"
        let time = (seconds.count > 1 ? String(seconds.dropLast()) : "0") + "." + String(seconds.suffix(1)) + " s"
        let verdict = tally.excuse.map { "not checked: \($0)" } ?? (tally.faults.isEmpty ? "held" : "BROKEN")
        let counts = tally.counts.map { "\($0.number) \($0.what)" }.joined(separator: ", ")
        try StandardStream.output.write(
            [scenario.name.padded(40), "\(count) \(scenario.unit)".padded(26), time.padded(10), verdict].joined(separator: " ")
                + (counts.isEmpty ? "" : " (\(counts))") + "\n")
        for fault in tally.faults.prefix(10) { try StandardStream.output.write("    \(fault)\n") }
        return tally
    }

    private static func usage() throws -> Never {
        let names = Scenario.all.map { "  \($0.name.padded(40)) \($0.short) or \($0.long) \($0.unit)\n" }
        try StandardStream.error.write(
            "usage: lockstep-lab torture [--short] [--count N] [NAME…] | --replay SEED MOVES\n" + names.joined())
        CurrentProcess.exit(2)
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
