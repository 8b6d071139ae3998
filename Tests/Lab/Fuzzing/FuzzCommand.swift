import LockstepPrimitives
import LockstepSystem

/// The command behind `make fuzz`.
///
/// Status: 0 without findings, 1 with findings, 2 for an invalid command line.
struct FuzzCommand {
    private static let help = """
        lockstep-lab fuzz [--readers] [--provider gotrue|firebase|clerk] [--seed N] [--requests N] [--seconds N]

        Sends requests that follow from a seed, 2000 for each seed, and then those of the next seed, until the requests (20000) are
        sent or the seconds are over. Prints each response that must not be, with a line that sends its request again.

        --readers turns it round: adapters, directories and verifiers are called, and what they read (answers, links, stored values,
        tokens) is what no backend gives. Prints each call that does not end as it must, with the seed that makes it again; 2000
        calls for each seed.

        """

    static func run(_ words: [String]) async {
        CurrentProcess.ignoreBrokenPipes()
        var words = words[...]
        var values: [String: String] = [:]
        while let word = words.popFirst() {
            if word == "--readers" {
                values[word] = ""
                continue
            }
            guard ["--provider", "--seed", "--requests", "--seconds"].contains(word), let value = words.popFirst(),
                word == "--provider" ? FuzzRun.providers.contains(value) : (UInt64(value) ?? 0) > 0
            else {
                try? StandardStream.error.write(help)
                CurrentProcess.exit(word == "--help" ? 0 : 2)
            }
            values[word] = value
        }
        do {
            CurrentProcess.exit(try await run(values) ? 0 : 1)
        } catch {
            try? StandardStream.error.write("lockstep-lab fuzz: \(error)\n")
            CurrentProcess.exit(2)
        }
    }

    private static func run(_ values: [String: String]) async throws -> Bool {
        let providers = values["--provider"].map { [$0] } ?? FuzzRun.providers
        let clock = SystemClock()
        let begin = clock.uptime
        let end = values["--seconds"].flatMap { Int64($0) }.map { begin + .seconds($0) }
        let wanted = values["--requests"].flatMap { Int($0) } ?? (end == nil ? 20_000 : .max)
        var seed = values["--seed"].flatMap { UInt64($0) } ?? 1
        var sums: [String: FuzzFindings] = [:]
        var readers: [String: [any FuzzedReader]] = [:]
        if values["--readers"] != nil {
            for provider in providers { readers[provider] = try await fuzzedReaders(of: provider) }
        }
        var sent = 0
        while sent < wanted, end.map({ clock.uptime < $0 }) ?? true {
            for provider in providers where sent < wanted {
                let count = min(2000, wanted - sent)
                var runs: [(name: String, findings: FuzzFindings)] = []
                if let readers = readers[provider] {
                    for reader in readers {
                        runs.append(("\(provider) \(reader.kind)", try await reader.call(count / readers.count, seed: seed)))
                    }
                } else {
                    runs.append((provider, try await FuzzRun(provider, seed: seed).send(count)))
                }
                for (name, findings) in runs {
                    for finding in findings.all { say(finding.description) }
                    sent += max(1, findings.requests)
                    sums[name, default: FuzzFindings()].add(findings)
                }
            }
            seed += 1
        }
        for (provider, sum) in sums.sorted(by: { $0.key < $1.key }) {
            let kinds = sum.answers.sorted { $0.key < $1.key }.map { "\($0.key)xx \($0.value)" }.joined(separator: ", ")
            say("\(provider): \(sum.requests) \(readers.isEmpty ? "requests" : "calls"), \(sum.all.count) findings (\(kinds))")
        }
        say("in \((clock.uptime - begin).milliseconds / 1000) s, up to seed \(seed - 1)")
        return sums.values.allSatisfy(\.all.isEmpty)
    }

    private static func say(_ text: String) { try? StandardStream.output.write(text + "\n") }
}
