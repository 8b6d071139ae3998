extension Scenario {
    /// Requests that no client would send, to each emulator.
    static let fuzzing: [Scenario] = FuzzRun.providers.map { provider in
        Scenario(
            "emulator.fuzz.\(provider)", "Whatever is sent, the answer is one of the provider's kind, in time.", "requests",
            short: 50,
            long: 200_000
        ) { count in
            var findings: [String] = []
            var sent = 0
            var seed: UInt64 = 1
            while sent < count {
                let part = try await FuzzRun(provider, seed: seed, responseTimeout: .seconds(60)).send(min(2000, count - sent))
                findings += part.all.map(\.description)
                sent += max(1, part.requests)
                seed += 1
            }
            var tally = Tally(faults: findings)
            tally.count("requests", sent)
            return tally
        }
    }
}
