import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import LockstepTestSupport
import Synchronization
import Testing

/// Requests of an emulator that could reach other hosts, and harmful responses.
@Suite(.limitedConcurrency)
struct OutgoingAttackTests {
    /// Addresses of other hosts, names that resolve to this machine or to a private network, and other spellings of an address.
    private static let foreign = [
        "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://192.168.0.1/", "http://172.16.0.1/",
        "http://0.0.0.0:PORT/", "http://0:PORT/", "http://127.1:PORT/", "http://127.0.1:PORT/", "http://127.0.0.2:PORT/",
        "http://2130706433:PORT/", "http://0x7f000001:PORT/", "http://0x7f.0.0.1:PORT/", "http://0177.0.0.1:PORT/",
        "http://127.0.0.1.:PORT/", "http://127.0.0.01:PORT/", "http://%31%32%37.0.0.1:PORT/", "http://127.0.0.1%00:PORT/",
        "http://[::1]:PORT/", "http://[::ffff:127.0.0.1]:PORT/", "http://[::ffff:7f00:1]:PORT/", "http://[::]:PORT/",
        "http://[0:0:0:0:0:0:0:1]:PORT/", "http://[::1%25lo]:PORT/", "http://[fe80::1]/", "http://[fd00::1]/",
        "http://localtest.me:PORT/", "http://127.0.0.1.nip.io:PORT/", "http://app.localhost:PORT/", "http://localhost.:PORT/",
        "http://localhost.localdomain:PORT/", "http://LOCALHOST.example:PORT/", "http://ip6-localhost:PORT/",
        "http://127.0.0.1:PORT@evil.example/", "http://localhost@evil.example/", "http://a:b@127.0.0.1:PORT/",
        "http://evil.example\\@127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@evil.example/", "http://evil.example#@127.0.0.1:PORT/",
        "http://evil.example?@127.0.0.1:PORT/", "http://evil.example/127.0.0.1:PORT/", "http://127.0.0.1#.evil.example/",
        "http://127.0.0.1:PORT:80/", "http://127.0.0.1:/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/",
        "http://127.0.0.1:+PORT/", "http://127.0.0.1:-1/", "http://127.0.0.1:99999999999999999999/", "http://:PORT/",
        "http:///127.0.0.1:PORT/", "http:/127.0.0.1:PORT/", "http:127.0.0.1:PORT/", "//127.0.0.1:PORT/", "127.0.0.1:PORT/",
        "https://127.0.0.1:PORT/", "HTTPS://localhost:PORT/", "file:///etc/passwd", "gopher://127.0.0.1:PORT/", "unix:///run/x",
        "http://127.0.0.1:PORT/\r\nX: y", "http://127.0.0.1:PORT/ HTTP/1.1\r\n", " http://127.0.0.1:PORT/", "",
        "http://127.0.0.1\u{301}:PORT/", "http://1２7.0.0.1:PORT/", "http://lo\u{ad}calhost:PORT/", "http://127。0。0。1:PORT/",
    ]

    @Test func otherHostsAreNotCalledInAnySpelling() async throws {
        let server = try Listener.start()
        defer { server.stop() }
        for text in Self.foreign {
            let address = text.replacing("PORT", with: String(server.port))
            #expect(!LoopbackClient.reaches(address), "\(address)")
            let outcome = try await BlockingThread.run {
                Result { () throws(OutgoingError) in try LoopbackClient.send(OutgoingRequest("GET", address)) }
            }
            #expect(outcome == .failure(.notLocal), "\(address)")
        }
        #expect(server.emulator.asked.isEmpty)
    }

    /// `localhost` is 127.0.0.1 without a name server, whatever `/etc/hosts` says.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func thisMachineIsCalled(_ host: String) async throws {
        let server = try Listener.start()
        defer { server.stop() }
        let address = "http://\(host):\(server.port)/hook"
        let answer = try await BlockingThread.run { try LoopbackClient.send(OutgoingRequest("POST", address)) }
        #expect(answer.status == 200 && server.emulator.asked == ["/hook"])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectIsNotFollowed(_ status: Int) async throws {
        let (first, second) = (try Listener.start(), try Listener.start())
        defer {
            first.stop()
            second.stop()
        }
        for target in [second.base + "/next", "http://169.254.169.254/", "//evil.example/", "/next"] {
            first.emulator.redirect(to: target, status: status)
            let answer = try await BlockingThread.run {
                try LoopbackClient.send(OutgoingRequest("POST", first.base + "/hook", body: Array("secret".utf8)))
            }
            #expect(answer.status == status)
        }
        #expect(second.emulator.asked.isEmpty && first.emulator.asked == Array(repeating: "/hook", count: 4))
    }

    /// A provider's access token becomes a header of the next request.
    @Test(arguments: ["x\r\nX-Injected: 1", "x\ny", "x\r", "x\0y", "x\u{7f}"])
    func aHeaderWithALineEndIsNotSent(_ value: String) async throws {
        let server = try Listener.start()
        defer { server.stop() }
        for headers in [["Authorization": "Bearer " + value], ["X-" + value: "y"]] {
            let request = OutgoingRequest("GET", server.base + "/hook", headers: headers)
            let outcome = try await BlockingThread.run {
                Result { () throws(OutgoingError) in try LoopbackClient.send(request) }
            }
            #expect(outcome == .failure(.unsendable))
        }
        #expect(server.emulator.asked.isEmpty)
    }

    /// The client's result for a listener that sends these bytes and then closes.
    private func outcome(_ bytes: [UInt8]) async throws -> Result<OutgoingResponse, OutgoingError> {
        let listener = try SocketListener()
        defer { listener.close() }
        let request = OutgoingRequest("GET", "http://127.0.0.1:\(listener.port)/", deadline: .hangLimit)
        async let served: Void = BlockingThread.run {
            let connection = try listener.accept()
            _ = try connection.read()
            // The client can be gone by now.
            try? connection.write(bytes)
            connection.finishWriting()
            _ = try? connection.read()
        }
        let outcome = try await BlockingThread.run {
            Result { () throws(OutgoingError) in try LoopbackClient.send(request) }
        }
        try await served
        return outcome
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: -9223372036854775808\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok",
        "HTTP/1.1 -200 OK\r\n\r\n", "HTTP/1.1 9223372036854775807 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n", "HTTP/1.1 2 OK\r\n\r\n",
        "HTTP/1.1\r\n\r\n", "HTTP/2 200\r\n\r\n", "SSH-2.0-x\r\n\r\n", "\r\n\r\n", "", "HTTP/1.1 200 OK",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok",
    ])
    func malformedResponseIsAFailure(_ text: String) async throws {
        #expect(try await outcome(Array(text.utf8)) == .failure(.malformed), "\(text)")
    }

    @Test func responseAfterAnInterimResponseIsRead() async throws {
        let text =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno"
        let answer = try await outcome(Array(text.utf8)).get()
        #expect(answer.status == 403 && answer.body == Array("no".utf8))
    }

    /// A combining mark does not hide a sign.
    @Test func headersAreReadByBytes() async throws {
        let text = "HTTP/1.1 200 OK\r\nX: \u{301}\r\nContent-Length:\u{301} 2\r\nContent-Type: \u{301}a\r\n\r\nok"
        #expect(try await outcome(Array(text.utf8)) == .failure(.malformed))
        let bytes: [UInt8] =
            Array("HTTP/1.1 200 OK\r\nX\u{301}: \r\nContent-Length: 2\r\nY: ".utf8) + [0xff, 0xcc, 0x81]
            + Array("\r\n\r\nok".utf8)
        #expect(try await outcome(bytes).get().body == Array("ok".utf8))
    }

    /// The client reads at most a megabyte.
    @Test func endlessResponseIsAFailure() async throws {
        let text = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: (1 << 20) + 1)
        #expect(try await outcome(Array(text.utf8)) == .failure(.malformed))
    }
}

/// A server that records the requested paths.
private final class Listener: Emulator {
    static let provider = "listener"

    private let paths = Mutex<[String]>([])
    private let answer = Mutex(EmulatorResponse.json([:]))

    var asked: [String] { paths.withLock { $0 } }

    var router: Router {
        var router = Router()
        for method in ["GET", "POST"] {
            router.on(method, "/{path}") { [self] request throws -> EmulatorResponse in
                paths.withLock { $0.append(request.path) }
                return answer.withLock { $0 }
            }
        }
        return router
    }

    func redirect(to target: String, status: Int) { answer.withLock { $0 = .redirect(to: target, status: status) } }

    func reset() {}

    static func start() throws -> EmulatorServer<Listener> { try EmulatorServer { _ in Listener() } }
}
