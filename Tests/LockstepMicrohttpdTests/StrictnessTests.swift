import LockstepMicrohttpd
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// What other servers let through: each gets a 4xx and a closed connection.
@Suite(.limitedConcurrency)
struct StrictnessTests {
    static let refused: [(name: String, request: String, status: String)] = [
        ("two different lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "400"),
        ("two equal lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "400"),
        ("a length that is no number", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3x\r\n\r\nabc", "400"),
        ("a signed length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc", "400"),
        ("a list of lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 3\r\n\r\nabc", "400"),
        (
            "a length beside a coding",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"
        ),
        ("no host", "GET / HTTP/1.1\r\n\r\n", "400"),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
        ("a bare CR in a value", "GET / HTTP/1.1\r\nHost: h\r\nX-A: a\rX-B: b\r\n\r\n", "400"),
        ("a bare CR before a name", "GET / HTTP/1.1\r\nHost: h\r\n\rX-A: a\r\n\r\n", "400"),
        ("a bare CR in the target", "GET /a\rb HTTP/1.1\r\nHost: h\r\n\r\n", "400"),
        ("a line without a colon", "GET / HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n", "400"),
        ("headers without end", "GET / HTTP/1.1\r\nHost: h\r\nX-A: \(String(repeating: "a", count: 70_000))\r\n\r\n", "431"),
        ("a target without end", "GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: h\r\n\r\n", "414"),
        ("a body that is announced too long", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n", "413"),
        (
            "a body that is too long",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n\(String(repeating: "a", count: 2000))",
            "413"
        ),
        (
            "chunks that are too long",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n\(String(repeating: "a", count: 2000))\r\n0\r\n\r\n",
            "413"
        ),
    ]

    @Test(arguments: refused.map(\.name))
    func isRefusedAndClosed(_ name: String) async throws {
        let (_, request, status) = try #require(Self.refused.first { $0.name == name })
        let daemon = try HTTPDaemon(
            HTTPDaemonConfiguration(bodyLimit: 1000), on: try ListeningSocket(), clock: SystemClock(), handler: EchoServer())
        defer { daemon.stop() }
        // `exchange` returns only when the server has closed the connection.
        let answer = try await exchange(request, on: daemon.port)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(80))")
        // libmicrohttpd 0.9.75 writes the head of some of its own refusals twice; what matters is that nothing was accepted.
        #expect(!answer.contains("HTTP/1.1 2"))
    }

    /// Whatever the length of a head, it is answered: with what was asked for, or with a refusal.
    @Test(arguments: Array(stride(from: 30_000, through: 36_000, by: 250)))
    func aHeadNearTheLimitIsAnswered(_ length: Int) async throws {
        let daemon = try HTTPDaemon(on: try ListeningSocket(), clock: SystemClock(), handler: EchoServer())
        defer { daemon.stop() }
        let long = String(repeating: "a", count: length)
        for request in [
            "GET /\(long) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX-A: \(long)\r\nConnection: close\r\n\r\n",
        ] {
            let answer = try await exchange(request, on: daemon.port)
            let statuses = request.utf8.count <= 32 << 10 ? ["200"] : ["414", "431"]
            #expect(statuses.contains { answer.hasPrefix("HTTP/1.1 \($0) ") }, "\(answer.prefix(60))")
        }
    }

    @Test func aBodyOfExactlyTheLimitPasses() async throws {
        let daemon = try HTTPDaemon(
            HTTPDaemonConfiguration(bodyLimit: 1000), on: try ListeningSocket(), clock: SystemClock(), handler: EchoServer())
        defer { daemon.stop() }
        let body = String(repeating: "a", count: 1000)
        let answer = try await exchange(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n\(body)", on: daemon.port)
        #expect(answer.hasSuffix(" " + body))
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\nHos", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nab"])
    func aClientThatSaysNoMoreIsClosed(_ beginning: String) async throws {
        let limits = HTTPDaemonConfiguration(idleTimeout: .milliseconds(200), requestTimeout: .milliseconds(100))
        let daemon = try HTTPDaemon(limits, on: try ListeningSocket(), clock: SystemClock(), handler: EchoServer())
        defer { daemon.stop() }
        let end = try await BlockingThread.run {
            let connection = try SocketConnection(port: Int(daemon.port))
            if !beginning.isEmpty { try connection.write(beginning) }
            return (try? connection.read(within: .seconds(5))) ?? []
        }
        #expect(end == [])
    }

    @Test func aClientThatDripsBytesIsClosed() async throws {
        let limits = HTTPDaemonConfiguration(idleTimeout: .seconds(2), requestTimeout: .milliseconds(200))
        let daemon = try HTTPDaemon(limits, on: try ListeningSocket(), clock: SystemClock(), handler: EchoServer())
        defer { daemon.stop() }
        let wasClosed = try await BlockingThread.run {
            let connection = try SocketConnection(port: Int(daemon.port))
            try connection.write("GET / HTTP/1.1\r\nHost: h\r\n")
            for _ in 0..<100 {
                // Waits 50 ms for what must not come, which is also the pace of the drips.
                do throws(SystemError) {
                    if try connection.read(within: .milliseconds(50)).isEmpty { return true }
                } catch {
                    if error.code != SystemError.timedOut { return true }
                    do { try connection.write("X-Drip: 1\r\n") } catch { return true }
                }
            }
            return false
        }
        #expect(wasClosed)
    }
}
