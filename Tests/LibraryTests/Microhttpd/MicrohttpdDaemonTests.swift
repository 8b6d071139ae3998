import LockstepMicrohttpd
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct MicrohttpdDaemonTests {
    private func serve(
        _ configuration: HTTPDaemonConfiguration = .init(), sharing budget: ConnectionBudget = .shared,
        _ test: (UInt16, EchoServer) async throws -> Void
    ) async throws {
        let handler = EchoServer()
        let daemon = try HTTPDaemon(
            configuration, sharing: budget, on: try ListeningSocket(), clock: SystemClock(), handler: handler)
        defer { daemon.stop() }
        try await test(daemon.port, handler)
    }

    @Test func requestsArriveUnchanged() async throws {
        try await serve { port, _ in
            let response = try await exchange(
                "PATCH /a%2Fb+c?x=%20&y HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc", on: port)
            #expect(response.hasPrefix("HTTP/1.1 200 "))
            #expect(response.hasSuffix("PATCH /a%2Fb+c?x=%20&y 127.0.0.1 abc"))
        }
    }

    @Test func chunkedBodiesArriveWhole() async throws {
        try await serve { port, _ in
            let response = try await exchange(
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
                on: port)
            #expect(response.hasSuffix(" abcde"))
        }
    }

    @Test func severalRequestsShareAConnection() async throws {
        try await serve { port, _ in
            let response = try await exchange(
                "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /later HTTP/1.1\r\nHost: h\r\n\r\nGET /3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
                on: port)
            #expect(response.split(separator: "HTTP/1.1 200").count == 3)
            #expect(response.contains("later"))
            #expect(response.hasSuffix("GET /3 127.0.0.1 "))
        }
    }

    @Test func repeatedHeadersStayRepeated() async throws {
        try await serve { port, _ in
            let response = try await exchange("GET /cookies HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", on: port)
            #expect(response.contains("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n"))
        }
    }

    @Test func headHasNoBodyAnd204HasNoLength() async throws {
        try await serve { port, _ in
            let head = try await exchange("HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", on: port)
            #expect(head.contains("Content-Length: "))
            #expect(head.hasSuffix("\r\n\r\n"))
            let nothing = try await exchange("GET /nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", on: port)
            #expect(nothing.hasPrefix("HTTP/1.1 204 "))
            #expect(!nothing.lowercased().contains("content-length"))
        }
    }

    @Test func malformedRequestsCloseTheConnection() async throws {
        try await serve { port, _ in
            #expect(try await exchange("GET /silence HTTP/1.1\r\nHost: h\r\n\r\n", on: port) == "")
            let cut = try await exchange("GET /truncate HTTP/1.1\r\nHost: h\r\n\r\n", on: port)
            #expect(cut.contains("Content-Length: 100000\r\n"))
            #expect(cut.split(separator: "\r\n\r\n")[1].utf8.count == 10_000)
        }
    }

    @Test func headerOfAHandlerCannotAddAnother() async throws {
        try await serve { port, _ in
            let response = try await exchange("GET /forged HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", on: port)
            #expect(response.hasPrefix("HTTP/1.1 500 "))
            #expect(!response.contains("Set-Cookie"))
        }
    }

    @Test func waitingRequestEndsWhenItsClientLeaves() async throws {
        try await serve(HTTPDaemonConfiguration(requestTimeout: .milliseconds(80))) { port, handler in
            try await BlockingThread.run {
                let connection = try SocketConnection(port: Int(port))
                try connection.write("GET /never HTTP/1.1\r\nHost: h\r\n\r\n")
                while handler.promises.isEmpty {}
                connection.close()
                while handler.abandonments == 0 {}
            }
            // By then the promise is void, and keeping it is harmless.
            for promise in handler.promises { promise.keep(ServerResponse(status: 200)) }
            #expect(handler.abandonments == 1)
        }
    }

    @Test func stoppingEndsWaitingRequests() async throws {
        let handler = EchoServer()
        let daemon = try HTTPDaemon(on: try ListeningSocket(), clock: SystemClock(), handler: handler)
        let response = try await BlockingThread.run {
            let connection = try SocketConnection(port: Int(daemon.port))
            try connection.write("GET /never HTTP/1.1\r\nHost: h\r\n\r\n")
            while handler.promises.isEmpty {}
            daemon.stop()
            return try readToEnd(connection)
        }
        #expect(response == "")
        #expect(handler.abandonments == 1)
        daemon.stop()
    }

    @Test func portInUseIsReported() throws {
        let first = try ListeningSocket()
        let error = #expect(throws: HTTPDaemonError.self) { _ = try ListeningSocket(port: first.port) }
        #expect(error?.code == .addressInUse)
        let address = #expect(throws: HTTPDaemonError.self) { _ = try ListeningSocket(host: "not an address") }
        #expect(address?.code == .addressNotAvailable)
        _ = consume first
    }

    /// Four times as many connections as allowed, which send nothing or only the beginning of a request, do not block other
    /// clients.
    ///
    /// The cases run one after the other, because the clients of one case use 200 of the 1,024 files that a process can open.
    @Test(
        .serialized,
        arguments: [
            "", "GET / HT", "GET / HTTP/1.1\r\nHost: h\r\n", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nab",
        ])
    func idleConnectionsAreClosedForNewOnes(_ beginning: String) async throws {
        let limit = 50
        try await serve(sharing: ConnectionBudget(connections: limit)) { port, handler in
            try await BlockingThread.run {
                // A connection that waits for the server's response must not be closed.
                let waiting = try SocketConnection(port: Int(port))
                try waiting.write("GET /never HTTP/1.1\r\nHost: h\r\n\r\n")
                while handler.promises.isEmpty {}
                var idle: [SocketConnection] = []
                for number in 0..<(limit * 4) {
                    let connection = try SocketConnection(port: Int(port))
                    if !beginning.isEmpty { try? connection.write(beginning) }
                    idle.append(connection)
                    if number % 20 == 0 {
                        let active = try SocketConnection(port: Int(port))
                        try active.write("GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                        #expect(try readToEnd(active).hasPrefix("HTTP/1.1 200 "), "beside \(number) others")
                    }
                }
                #expect(handler.abandonments == 0)
                for promise in handler.promises { promise.keep(ServerResponse(status: 200, ending: .close)) }
                #expect(try readToEnd(waiting).hasPrefix("HTTP/1.1 200 "))
                for connection in idle { connection.close() }
            }
        }
    }

    /// Two servers share eight connections.
    ///
    /// Clients that wait for an event use at most half of them, and give way to any other request. If all clients wait for the end
    /// of their requests, one more gets only a response that is ready.
    @Test func clientsThatWaitForEventsGiveWay() async throws {
        let budget = ConnectionBudget(connections: 8)
        try await serve(sharing: budget) { port, handler in
            try await serve(sharing: budget) { other, otherHandler in
                try await BlockingThread.run {
                    func open(_ path: String, on port: UInt16) throws -> SocketConnection {
                        let connection = try SocketConnection(port: Int(port))
                        try connection.write("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                        return connection
                    }
                    func expectBusy(_ connection: SocketConnection) throws {
                        let response = try readToEnd(connection)
                        #expect(response.hasPrefix("HTTP/1.1 503 ") && response.contains("Retry-After: 1\r\n"), "\(response)")
                    }
                    var waiting: [SocketConnection] = []
                    for number in 1...4 {
                        waiting.append(try open("/event", on: number % 2 == 0 ? port : other))
                        while handler.promises.count + otherHandler.promises.count < number {}
                    }
                    try expectBusy(try open("/event", on: other))
                    // Each of these requests needs a place until its end, and the first four are free.
                    var held: [SocketConnection] = []
                    for number in 5...12 {
                        held.append(try open("/never", on: number % 2 == 0 ? port : other))
                        while handler.promises.count + otherHandler.promises.count < number {}
                    }
                    for connection in waiting { try expectBusy(connection) }
                    #expect(try readToEnd(try open("/x", on: port)).hasPrefix("HTTP/1.1 200 "))
                    try expectBusy(try open("/later", on: other))
                    for promise in handler.promises + otherHandler.promises {
                        promise.keep(ServerResponse(status: 200, ending: .close))
                    }
                    for connection in held { #expect(try readToEnd(connection).hasPrefix("HTTP/1.1 200 ")) }
                    #expect(try readToEnd(try open("/silence", on: other)) == "")
                }
            }
        }
    }

    @Test func manyConcurrentConnectionsAreAnswered() async throws {
        try await serve { port, _ in
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for index in 0..<64 {
                    let path = index.isMultiple(of: 2) ? "/later" : "/now"
                    group.addTask { try await exchange("GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", on: port) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.hasPrefix("HTTP/1.1 200 ") } == 64)
        }
    }
}
