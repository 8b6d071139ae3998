import LockstepClerkEmulator
import LockstepSystem

/// `lockstep-lab COMMAND …`: tests, benchmarks and kills of this package's parts, behind the targets of the Makefile.
///
/// The processes that tests of stores and transports start are a separate program, `lockstep-worker`.
@main
enum Lab {
    private static let usage = """
        usage: lockstep-lab COMMAND …

          recordings   has recorded conversations again with the emulators (make recordings)
          fuzz         sends the emulators, or gives the adapters, what nothing else would (make fuzz)
          torture      kills, races and starves sessions, stores and moves of users (make torture)
          audit        which statements of the contracts no fault breaks (make audit)
          cases        the requirements of moves, and the tests of each (make cases)
          operations   the operations of Clerk's documents: built, partly, refused (make operations)
          slowest      the tests and the targets that take the most processor time (make slowest)
          bench        emulators | moves | postgres | sessions | stores | tokens | transport: what make bench measures, one at a time

        """

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst(2))
        switch CommandLine.arguments.dropFirst().first {
        case "recordings": await RecordingsCommand.run(words)
        case "fuzz": await FuzzCommand.run(words)
        case "torture": try await TortureCommand.run(words)
        // A process of the torture that uses sessions and is killed.
        case "session": try await SessionWorker.run(words)
        // A process of the torture or a benchmark that moves users.
        case "move": try await MoveWorker.run(words)
        case "audit": try await AuditCommand.run(words)
        case "cases": try CasesCommand.run()
        case "operations": try StandardStream.output.write(ClerkOperation.table)
        case "slowest": try await SlowestCommand.run(words)
        case "bench": try await measure(words)
        case "--help", "-h": try StandardStream.output.write(usage)
        default: try refuse()
        }
    }

    private static func measure(_ words: [String]) async throws {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "emulators": try EmulatorBenchmark.run(rest)
        case "moves": try await MoveBenchmark.run(rest)
        case "postgres": try await PostgresBenchmark.run(rest)
        case "sessions": try await SessionBenchmark.run(rest)
        case "stores": try await StoreBenchmark.run(rest)
        case "tokens": try await TokenBenchmark.run(rest)
        case "transport": try await TransportBenchmark.run(rest)
        default: try refuse()
        }
    }

    private static func refuse() throws -> Never {
        try StandardStream.error.write(usage)
        CurrentProcess.exit(2)
    }
}
