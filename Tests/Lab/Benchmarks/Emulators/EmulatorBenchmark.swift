import LockstepEmulation
import LockstepSystem

/// `lockstep-lab bench emulators [COUNT]`: serves this many emulators of the shared code (default: 1), until standard input
/// ends.
enum EmulatorBenchmark {
    static func run(_ words: [String]) throws {
        let count = words.first.flatMap { Int($0) } ?? 1
        let servers = try (0..<count).map { _ in try EmulatorServer { try BenchmarkEmulator(in: $0) } }
        for server in servers { try StandardStream.output.write(server.ready.text + "\n") }
        while readLine() != nil {}
        for server in servers { server.stop() }
    }
}
