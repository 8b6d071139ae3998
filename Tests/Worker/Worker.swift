import LockstepSystem

/// `lockstep-worker KIND …`: a process that a test starts and can kill.
///
/// It is a separate program, so that a test of a store or of a transport links no emulator and starts fast.
@main
enum Worker {
    private static let usage = """
        usage: lockstep-worker KIND …

          store        works on a store (the store contracts, store mutants)
          transport    sends one request (the transport contracts)
          platform     signs in with the platform's store and transport

        """

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst(2))
        switch CommandLine.arguments.dropFirst().first {
        case "store": try await StoreWorker.run(words)
        case "transport": try await TransportWorker.run(words)
        case "platform": try await PlatformWorker.run(words)
        case "--help", "-h": try StandardStream.output.write(usage)
        default:
            try StandardStream.error.write(usage)
            CurrentProcess.exit(2)
        }
    }
}
