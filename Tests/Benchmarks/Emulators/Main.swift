import LockstepEmulation
import LockstepSystem

/// Serves as many emulators as the first argument says (1 where there is none), until standard input ends.
@main
enum Main {
    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
        let servers = try (0..<count).map { _ in try EmulatorServer { try BenchmarkEmulator(in: $0) } }
        for server in servers { try StandardStream.output.write(server.ready.text + "\n") }
        while readLine() != nil {}
        for server in servers { server.stop() }
    }
}
