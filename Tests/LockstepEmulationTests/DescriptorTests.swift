import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// A server closes everything that it opens.
///
/// Counted in a separate process, because other tests open and close files at the same time. A leak of one file per start adds
/// up to the number of starts. The few files that the runtime opens at its own times do not matter.
@Suite(.limitedConcurrency)
struct DescriptorTests {
    @Test func stoppedServerLeavesNoFileOpen() async {
        await #expect(processExitsWith: .success) {
            // The first start opens the files that the process keeps.
            try await DescriptorTests.life()
            let before = try #require(OpenFiles.count)
            for _ in 0..<20 { try await DescriptorTests.life() }
            let more = try #require(OpenFiles.count) - before
            #expect(more < 20)
        }
    }

    /// Starts a server, sends a request, and stops it while one connection is idle and one waits for a response.
    private static func life() async throws {
        let server = try EmulatorServer { try NotesEmulator(in: $0) }
        #expect(try await send("GET", "/constant", to: server).status == 200)
        let idle = try SocketConnection(port: Int(server.port))
        let waiting = try SocketConnection(port: Int(server.port))
        try await BlockingThread.run { try waiting.write("GET /constant HTTP/1.1\r\nHost: h\r\n\r\nGET /") }
        server.stop()
        withExtendedLifetime((idle, waiting)) {}
    }

    @Test func failedStartLeavesNoFileOpen() async {
        await #expect(processExitsWith: .success) {
            let before = try #require(OpenFiles.count)
            for _ in 0..<20 {
                #expect(throws: CancellationError.self) {
                    _ = try EmulatorServer<NotesEmulator> { _ in throw CancellationError() }
                }
            }
            let more = try #require(OpenFiles.count) - before
            #expect(more < 20)
        }
    }

    @Test func fileLimitIsRaisedAndNeverLowered() async {
        await #expect(processExitsWith: .success) {
            let before = OpenFiles.limit
            #expect(before > 0)
            #expect(OpenFiles.raiseLimit(to: 1) == before)
            #expect(OpenFiles.raiseLimit() >= before)
        }
    }
}
