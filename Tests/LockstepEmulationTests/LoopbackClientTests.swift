import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// The emulator's client for requests to other servers of this machine.
@Suite(.limitedConcurrency)
struct LoopbackClientTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// The client's result within ``Duration/hangLimit`` from a server that sends one byte and waits for `pause` before the next
    /// one.
    private func outcome(pause: Duration) async throws -> Result<OutgoingResponse, OutgoingError> {
        let clock = ManualClock(base: FixedClock())
        let listener = try SocketListener()
        defer { listener.close() }
        let request = OutgoingRequest("GET", "http://127.0.0.1:\(listener.port)/", deadline: .hangLimit)
        async let served: Void = BlockingThread.run {
            let connection = try listener.accept()
            _ = try connection.read()
            for byte in Self.answer.utf8 {
                // The client can be gone by now.
                guard (try? connection.write([byte])) != nil else { return }
                clock.advance(by: pause)
            }
        }
        let outcome = try await BlockingThread.run {
            Result { () throws(OutgoingError) in try LoopbackClient.send(request, clock: clock) }
        }
        try await served
        return outcome
    }

    @Test func deadlineAppliesToTheWholeRequest() async throws {
        #expect(try await outcome(pause: .hangLimit / 1000).map(\.body) == .success(Array("ok".utf8)))
        // Each single byte is in time, and all of them together are not.
        #expect(try await outcome(pause: .hangLimit / 2) == .failure(.timedOut))
    }

    @Test func longBodyArrivesCompletely() async throws {
        let listener = try SocketListener()
        defer { listener.close() }
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let request = OutgoingRequest("POST", "http://127.0.0.1:\(listener.port)/", body: body, deadline: .hangLimit)
        async let received: [UInt8] = BlockingThread.run {
            let connection = try listener.accept()
            var bytes: [UInt8] = []
            while bytes.count < body.count || Array(bytes.suffix(body.count)) != body {
                let more = try connection.read()
                if more.isEmpty { break }
                bytes += more
            }
            try connection.write(Self.answer)
            return Array(bytes.suffix(body.count))
        }
        let answer = try await BlockingThread.run { try LoopbackClient.send(request) }
        #expect(try await received == body && answer.status == 200)
    }
}
