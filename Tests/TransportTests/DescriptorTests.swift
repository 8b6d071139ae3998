import Foundation
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// A process without a free file descriptor for a new connection.
@Suite(.limitedConcurrency)
struct DescriptorTests {
    @Test(.timeLimit(.minutes(5)))
    func requestWithoutADescriptorFailsUnsentWithItsCause() async throws {
        let listener = try SocketListener()
        let server = Task { try await BlockingThread.run { Self.answer(on: listener) } }
        let worker = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("lockstep-worker").path
        let addresses = ["127.0.0.1", "localhost"].map { "http://\($0):\(listener.port)/" }
        let outcome = try await ChildProcess.run(
            "sh", ["-c", "ulimit -n 64; exec \"$@\"", "sh", worker, "transport", "--full"] + addresses)
        listener.close()
        #expect(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "full: cannotConnect neverSent names the cause", "full: cannotConnect neverSent names the cause",
                "made while full: other neverSent names the cause", "made while full: other neverSent names the cause",
                "nearly full: cannotConnect neverSent names the cause", "nearly full: cannotConnect neverSent names the cause",
                "free: 200", "free: 200",
            ])
        try await server.value
    }

    /// Answers each request until the listener is closed.
    private static func answer(on listener: SocketListener) {
        while let connection = try? listener.accept(within: .seconds(120)) {
            _ = try? connection.read()
            try? connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            connection.close()
        }
    }
}
