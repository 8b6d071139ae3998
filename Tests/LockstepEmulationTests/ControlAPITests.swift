import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The control routes for programs and pages: lists and waiting requests.
@Suite("Control API", .limitedConcurrency)
struct ControlAPITests {
    private static func get(_ path: String, _ server: EmulatorServer<NotesEmulator>) async throws -> TestResponse {
        try await send("GET", "/__lockstep" + path, to: server, headers: server.control)
    }

    @Test("the list of routes matches the routes")
    func listsItsRoutes() async throws {
        try await withServer { server async throws in
            for path in ["", "/"] {
                let routes = try #require(try await Self.get(path, server).json["routes"]?.array)
                #expect(routes.count > 15)
                for route in routes where route["method"] == "GET" && route["path"]?.string?.contains("{") == false {
                    let target = try #require(route["path"]?.string)
                    #expect(try await send("GET", target, to: server, headers: server.control).status == 200, "\(target)")
                }
            }
        }
    }

    @Test(
        "every error is JSON with a sentence",
        arguments: [
            ("GET", "/none", 404), ("PATCH", "/clock", 405), ("GET", "/faults/x", 404), ("DELETE", "/faults/999", 404),
            ("GET", "/messages?after=-1", 400), ("GET", "/messages?wait=1e9", 400), ("GET", "/requests?status=9xx", 400),
            ("GET", "/requests?status=4yy", 400), ("GET", "/changes?after=x", 400), ("POST", "/clock?now=x", 400),
            ("PUT", "/outbox", 400), ("GET", "/requests?stauts=404", 400), ("GET", "/ready?x", 400), ("GET", "/inbox/none", 404),
            ("GET", "/inbox/api/v1/message/none", 404),
            ("GET", "/inbox/api/v1/message/none/headers", 404), ("GET", "/inbox/api/v1/message/none/raw", 404),
            ("GET", "/inbox/view/none.html", 404), ("GET", "/inbox/view/none.txt", 404), ("PATCH", "/inbox/api/v1/messages", 405),
            ("POST", "/deliveries/7/again", 404), ("POST", "/deliveries/x/again", 404),
            ("GET", "/inbox/api/v1/search?query=" + String(repeating: "a", count: 257), 400),
            ("DELETE", "/inbox/api/v1/search?query=" + String(repeating: "a", count: 257), 400),
        ])
    func returnsErrorsAsJSON(_ method: String, _ path: String, _ status: Int) async throws {
        try await withServer { server async throws in
            let response = try await send(method, "/__lockstep" + path, to: server, headers: server.control)
            #expect(response.status == status)
            #expect(response["content-type"] == "application/json")
            #expect(response.json["error"]?.string?.isEmpty == false)
        }
    }

    @Test("a request that the server rejects before its route gets JSON, on control routes only")
    func returnsEarlyErrorsAsJSON() async throws {
        try await withServer { server async throws in
            let large = String(repeating: "a", count: 2 << 20)
            for (method, path, headers, body, status) in [
                ("POST", "/faults", [:], large, 413), ("GET", "/faults", ["X-Large": String(large.prefix(60_000))], "", 431),
                ("POST", "/faults", ["Transfer-Encoding": "chunked"], "{}", 400),
                ("GET", "/faults", ["Host": "evil.example"], "", 400),
            ] as [(String, String, [String: String], String, Int)] {
                let headers = headers.merging(server.control) { $1 }
                let response = try await send(method, "/__lockstep" + path, to: server, headers: headers, body: body)
                #expect(response.status == status, "\(headers.keys) \(response.raw.prefix(300))")
                #expect(response["content-type"] == "application/json")
                #expect(response.json["error"]?.string?.isEmpty == false)
            }
            let other = try await send("POST", "/constant", to: server, body: large)
            #expect(other.status == 413 && other.json["refused"] != nil && other.json["error"] == nil)
        }
    }

    @Test("a malformed body of an inbox route deletes and marks nothing", arguments: ["PUT", "DELETE"])
    func malformedBodyDeletesNoMail(_ method: String) async throws {
        try await withServer { server async throws in
            _ = try await send("POST", "/mail", to: server, body: "to=ada@example.com")
            for body in ["{", "[]", #"{"IDs": "all"}"#, #"{"IDs": [1]}"#, #"{"ids": []}"#] {
                let response = try await send(
                    method, "/__lockstep/inbox/api/v1/messages", to: server, headers: server.control, body: body)
                #expect(response.status == 400 && response.json["error"]?.string?.isEmpty == false, "\(body)")
            }
            #expect(server.panel.outbox.mails.map(\.isRead) == [false])
        }
    }

    @Test("a wrong token gets 401 on every route except messages and readiness")
    func requiresTheControlToken() async throws {
        try await withServer { server async throws in
            let routes = try #require(try await Self.get("/", server).json["routes"]?.array)
            for route in routes {
                let target = try #require(route["path"]?.string)
                let status = try await send(route["method"]?.string ?? "", target, to: server).status
                let isOpen = ["/messages", "/sms", "/inbox", "/ready"].contains { target.hasSuffix($0) }
                #expect((status == 401) != isOpen, "\(target) \(status)")
            }
            #expect(try await send("GET", "/__lockstep/messages/", to: server).status == 401)
        }
    }

    @Test("mails and text messages are one list, filtered by number and by address")
    func listsMessages() async throws {
        try await withServer { server async throws in
            let outbox = server.panel.outbox
            try outbox.mail(to: "ada@example.com", subject: "S", text: "Code 1", code: "1", link: "http://x/1")
            try outbox.text(to: "+15550100", "Code 2", code: "2")
            try outbox.mail(to: "bob@example.com", subject: "S", text: "Code 3", code: "3")
            let all = try await send("GET", "/__lockstep/messages", to: server).json
            #expect(all["messages"]?.array?.map { $0["code"] } == ["1", "2", "3"])
            #expect(all["messages"]?.array?.map { $0["kind"] } == ["mail", "sms", "mail"])
            #expect(all["messages"]?.array?.first?["link"] == "http://x/1" && all["last"] == 3)
            let later = try await send("GET", "/__lockstep/messages?after=2", to: server).json
            #expect(later["messages"]?.array?.map { $0["number"] } == [3])
            let adas = try await send("GET", "/__lockstep/messages?to=ADA@example.com", to: server).json
            #expect(adas["messages"]?.array?.map { $0["number"] } == [1])
            let none = try await send("GET", "/__lockstep/messages?after=3&to=ada@example.com", to: server).json
            #expect(none == ["messages": [], "last": 3])
            // A reset deletes messages, and never reuses a number.
            try server.panel.reset()
            try outbox.text(to: "+15550100", "Code 4", code: "4")
            #expect(try await send("GET", "/__lockstep/messages", to: server).json["last"] == 4)
        }
    }

    @Test("a waiting request gets the next matching message")
    func waitsForMessages() async throws {
        try await withServer { server async throws in
            async let answer = send("GET", "/__lockstep/messages?to=ada@example.com&wait=60", to: server)
            async let other = send("GET", "/__lockstep/messages?to=bob@example.com&wait=60", to: server)
            // A waiting request is recorded at its response. So the mails follow whenever they come.
            try server.panel.outbox.mail(to: "ada@example.com", subject: "S", text: "T", code: "1")
            #expect(try await answer.json["messages"]?.array?.map { $0["code"] } == ["1"])
            try server.panel.outbox.mail(to: "bob@example.com", subject: "S", text: "T", code: "2")
            #expect(try await other.json["messages"]?.array?.map { $0["code"] } == ["2"])
        }
    }

    @Test("a waiting request gets an empty list after its time")
    func waitEndsWithAnEmptyList() async throws {
        var options = EmulatorOptions()
        let clock = ManualClock(base: SystemClock())
        options.connectionClock = clock
        try await withServer(options) { server async throws in
            async let answer = send(
                "GET", "/__lockstep/changes?after=\(server.panel.changes.number)&wait=200", to: server, headers: server.control)
            while !clock.sleeps.contains(where: { $0 > .seconds(100) }) { await Task.yield() }
            clock.advance(by: .seconds(201))
            #expect(try await answer.json["kinds"] == [])
        }
    }

    @Test("each kind of change is reported once, also to a waiting request")
    func reportsEachChangeOnce() async throws {
        try await withServer { server async throws in
            func kinds(after number: Int) async throws -> Set<String> {
                let news = try await Self.get("/changes?after=\(number)", server).json
                return Set(news["kinds"]?.array?.compactMap(\.string) ?? [])
            }
            let changes: [(String, () async throws -> Void)] = [
                ("messages", { try server.panel.outbox.text(to: "+1", "T") }),
                ("requests", { _ = try await send("GET", "/constant", to: server) }),
                ("clock", { _ = try await send("POST", "/__lockstep/clock?seconds=1", to: server, headers: server.control) }),
                ("faults", { try server.panel.fail(with: .close) }),
            ]
            for (kind, change) in changes {
                let number = server.panel.changes.number
                try await change()
                #expect(try await kinds(after: number) == [kind])
                #expect(try await kinds(after: server.panel.changes.number) == [])
            }
            // A number of an earlier server at this address.
            #expect(
                try await kinds(after: 1_000_000)
                    == Set(["messages", "requests", "deliveries", "faults", "clock", "settings", "rows"]))
            let number = server.panel.changes.number
            async let waited = Self.get("/changes?after=\(number)&wait=60", server)
            server.panel.advance(by: .seconds(1))
            #expect(try await waited.json["kinds"] == ["clock"])
        }
    }

    @Test("requests are found by number, path, method and status, with their duration")
    func findsRequests() async throws {
        try await withServer { server async throws in
            for path in ["/constant", "/notes/none", "/nothing"] { _ = try await send("GET", path, to: server) }
            _ = try await send("PUT", "/notes/a", to: server, body: "x")
            func found(_ query: String) async throws -> [JSON?] {
                try await Self.get("/requests?\(query)", server).json["requests"]?.array?.map { $0["path"] } ?? []
            }
            #expect(try await found("") == ["/constant", "/notes/none", "/nothing", "/notes/a"])
            #expect(try await found("after=2") == ["/nothing", "/notes/a"])
            #expect(try await found("path=/notes/*") == ["/notes/none", "/notes/a"])
            #expect(try await found("method=put") == ["/notes/a"])
            #expect(try await found("status=4xx") == ["/notes/none", "/nothing"])
            #expect(try await found("status=410") == ["/notes/none"])
            let first = try await Self.get("/requests", server).json["requests"]?.array?.first
            #expect(try #require(first?["milliseconds"]?.double) > 0)
            async let next = Self.get("/requests?after=4&wait=60", server)
            _ = try await send("GET", "/constant", to: server)
            #expect(try await next.json["last"] == 5)
        }
    }

    @Test("a fault is shown, released and removed by its id")
    func controlsAFaultByItsID() async throws {
        try await withServer { server async throws in
            var ids: [String] = []
            for effect in ["hold", "close"] {
                let made = try await send(
                    "POST", "/__lockstep/faults", to: server, headers: server.control,
                    body: #"{"path": "/constant", "effect": "\#(effect)"}"#)
                #expect(made.json["effect"]?.string == effect)
                ids.append(try #require(made.json["id"]?.string))
            }
            #expect(Set(ids).count == 2)
            async let held = send("GET", "/constant", to: server)
            await server.panel.faults[0].waitUntilTriggered()
            #expect(try await Self.get("/faults/\(ids[0])", server).json["strikes"] == 1)
            let released = try await send(
                "POST", "/__lockstep/faults/\(ids[0])/release", to: server, headers: server.control)
            #expect(released.status == 200)
            #expect(try await held.body == "constant")
            #expect(try await send("DELETE", "/__lockstep/faults/\(ids[1])", to: server, headers: server.control).status == 204)
            #expect(try await send("GET", "/constant", to: server).body == "constant")
            #expect(try await Self.get("/faults", server).json.array?.map { $0["id"]?.string } == [ids[0]])
        }
    }
}
