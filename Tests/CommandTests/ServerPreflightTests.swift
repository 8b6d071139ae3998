import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Synchronization
import Testing

/// A wrong server ends the run before its first contract, with one sentence and status 2.
@Suite("lockstep contracts --server: the preflight", .limitedConcurrency)
struct ServerPreflightTests {
    private static func run(on server: String, _ more: [String] = []) async throws -> Lockstep {
        let words = ["contracts", "--provider", "firebase", "--server", server, "--only", "sign-in.password.completes"]
        return try await Lockstep.run(words + more)
    }

    private static func expectOneSentence(_ run: Lockstep, _ parts: String...) {
        #expect(run.status == 2 && run.output.isEmpty, "\(run.output)\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1 && run.errors.hasPrefix("lockstep: "), "\(run.errors)")
        for part in parts { #expect(run.errors.contains(part), "\(run.errors)") }
    }

    @Test(arguments: [("gotrue", "Supabase (GoTrue)"), ("clerk", "Clerk")])
    func namesTheProviderOfAnotherServer(_ provider: String, _ title: String) async throws {
        _ = try await ServerProcess.serving([provider], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            Self.expectOneSentence(try await Self.run(on: base), "\"\(base)\"", title)
        }
    }

    @Test func reportsAClosedPort() async throws {
        let listener = try SocketListener.refusingConnections()
        defer { listener.close() }
        let port = listener.port
        Self.expectOneSentence(try await Self.run(on: "http://127.0.0.1:\(port)"), "\(port)", "no server is listening there")
    }

    /// A web server's page, and a server that returns success with its own document.
    @Test(arguments: ["<!doctype html><title>Hello</title>", "{\"hello\":\"world\"}", ""])
    func rejectsAPlainWebServer(_ page: String) async throws {
        let server = try PlainWebServer(page)
        defer { server.stop() }
        Self.expectOneSentence(try await Self.run(on: "http://127.0.0.1:\(server.port)"), "another kind of server")
        #expect(server.count > 0)
    }

    @Test func namesTheProjectThatTheServerHas() async throws {
        _ = try await ServerProcess.serving(["firebase"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            Self.expectOneSentence(try await Self.run(on: base, ["--project", "another"]), "\"another\"", "--project")
            let right = try await Self.run(on: base + "/")
            #expect(right.status == 0, "\(right.errors)")
        }
    }

    /// The guest that finds the project is deleted.
    @Test func leavesNoUser() async throws {
        _ = try await ServerProcess.serving(["firebase"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            _ = try await Self.run(on: base, ["--project", "another"])
            let address = base + "/identitytoolkit.googleapis.com/v1/projects/demo-lockstep/accounts:batchGet?maxResults=10"
            let request = HTTPRequest(.get, address, headers: ["Authorization": "Bearer owner"])
            let users = try await CurlTransport().send(request).json()["users"]?.array
            #expect(users?.isEmpty != false, "\(users ?? [])")
        }
    }
}

/// A web server that gives every request the same page.
private final class PlainWebServer: Sendable {
    let port: Int
    private let listener: SocketListener
    private let answers = Count()

    /// The number of requests that it has answered.
    var count: Int { answers.value.withLock(\.self) }

    private final class Count: Sendable {
        let value = Mutex(0)

        func add() { value.withLock { $0 += 1 } }
    }

    init(_ page: String) throws {
        listener = try SocketListener()
        port = listener.port
        try BlockingThread.start { [listener, answers] in
            while let connection = try? listener.accept(within: .seconds(120)) {
                _ = try? connection.read()
                answers.add()
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n"
                try? connection.write(head + page)
                connection.close()
            }
        }
    }

    func stop() { listener.close() }
}
