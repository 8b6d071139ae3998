import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct FaultTests {
    @Test func faultAffectsOnlyTheNextMatches() async throws {
        try await withServer { server async throws in
            let fault = try server.panel.fail(
                next: 2, "GET", "/const*", with: .status(503, body: ["a": 1], headers: ["X-A": "b"]))
            #expect(try await send("POST", "/ada:shout", to: server).status == 200)
            let first = try await send("GET", "/constant", to: server)
            #expect(first.status == 503)
            #expect(first.json == ["a": 1])
            #expect(first["x-a"] == "b")
            #expect(try await send("GET", "/notes/v1/constant", to: server).status == 503)
            #expect(try await send("GET", "/constant", to: server).status == 200)
            #expect(fault.strikes == 2)
        }
    }

    /// The same rule as for the control routes.
    @Test(arguments: [
        ("a b", "x"), ("", "x"), ("a", "x\r\nb: y"), ("a", "x\0"), ("a\n", "x"), ("\u{e9}", "x"), ("a:", "x"),
        ("Content-Length", "3"), ("transfer-encoding", "chunked"), ("CONNECTION", "close"),
    ])
    func invalidHeadersAreRejected(_ name: String, _ value: String) async throws {
        try await withServer { server async throws in
            let headers = Headers([(name, value)])
            for effect in [
                FaultEffect.status(503, headers: headers),
                .answer(EmulatorResponse(status: 200, headers: headers, body: [])),
            ] {
                #expect(throws: HeaderError.self) { try server.panel.fail(with: effect) }
            }
            #expect(server.panel.faults.isEmpty)
            #expect(try await send("GET", "/constant", to: server).status == 200)
        }
    }

    @Test func patternWithAQueryMatchesTheQuery() async throws {
        try await withServer { server async throws in
            try server.panel.fail("GET", "/constant?*b=2*", with: .retryAfter(seconds: 7))
            #expect(try await send("GET", "/constant?a=1", to: server).status == 200)
            let response = try await send("GET", "/constant?a=1&b=2&c=3", to: server)
            #expect(response.status == 429)
            #expect(response["retry-after"] == "7")
        }
    }

    @Test func faultBeforeTheHandlerDoesNothing() async throws {
        try await withServer { server async throws in
            for effect in [FaultEffect.close, .captivePortal, .emptyResponse, .status(500)] {
                try server.panel.fail("PUT", with: effect)
                _ = try await send("PUT", "/notes/a", to: server, body: "x")
            }
            #expect(try await send("GET", "/notes/a", to: server).status == 410)
        }
    }

    @Test func lostResponseKeepsTheEffect() async throws {
        try await withServer { server async throws in
            try server.panel.fail("PUT", with: .loseResponse)
            #expect(try await send("PUT", "/notes/a", to: server, body: "x").raw == "")
            #expect(try await send("GET", "/notes/a", to: server).json["text"] == "x")
        }
    }

    @Test func responsesAreTruncatedAndCorrupted() async throws {
        try await withServer { server async throws in
            _ = try await send("PUT", "/notes/a", to: server, body: "x")
            try server.panel.fail("GET", with: .truncateResponse(after: 5))
            let cut = try await send("GET", "/notes/a", to: server)
            #expect(cut.body == #"{"nam"#)
            #expect(cut["content-length"] == "23")
            try server.panel.fail("GET", with: .breakResponse)
            let broken = try await send("GET", "/notes/a", to: server)
            #expect(broken["content-length"] == String(broken.body.utf8.count))
            #expect(broken.json == .null)
            try server.panel.fail("GET", with: .captivePortal)
            let portal = try await send("GET", "/notes/a", to: server)
            #expect(portal.status == 200)
            #expect(portal["content-type"]?.hasPrefix("text/html") == true)
        }
    }

    @Test func heldRequestContinuesWhenReleased() async throws {
        try await withServer { server async throws in
            let hold = try server.panel.fail("PUT", with: .hold)
            async let response = send("PUT", "/notes/a", to: server, body: "x")
            await hold.waitUntilTriggered()
            #expect(try await send("GET", "/notes/a", to: server).status == 410)
            hold.release()
            #expect(try await response.status == 204)
            #expect(try await send("GET", "/notes/a", to: server).status == 200)
        }
    }

    @Test func responseIsHeldAfterTheEffect() async throws {
        try await withServer { server async throws in
            let hold = try server.panel.fail("PUT", with: .holdResponse)
            async let response = send("PUT", "/notes/a", to: server, body: "x")
            await hold.waitUntilTriggered()
            while try await send("GET", "/notes/a", to: server).status != 200 {}
            hold.release()
            #expect(try await response.status == 204)
        }
    }

    @Test func hungRequestEndsWithoutAResponse() async throws {
        try await withServer { server async throws in
            let hang = try server.panel.fail(with: .hang)
            async let response = send("GET", "/constant", to: server)
            await hang.waitUntilTriggered()
            try server.panel.reset()
            #expect(try await response.raw == "")
        }
    }

    @Test func delayUsesTheBackendsClock() async throws {
        try await withServer { server async throws in
            let delay = try server.panel.fail(with: .delay(.seconds(3600)))
            async let response = send("GET", "/constant", to: server)
            await delay.waitUntilTriggered()
            let nudge = Task {
                while !Task.isCancelled {
                    server.panel.advance(by: .seconds(3600))
                    await Task.yield()
                }
            }
            #expect(try await response.body == "constant")
            nudge.cancel()
        }
    }

    @Test func stoppingEndsHeldRequests() async throws {
        let server = try EmulatorServer { try NotesEmulator(in: $0) }
        let hold = try server.panel.fail(with: .hang)
        async let response = send("GET", "/constant", to: server)
        await hold.waitUntilTriggered()
        server.stop()
        #expect(try await response.raw == "")
    }

    @Test(arguments: [
        ("*", "/a", true), ("/a*c", "/abc", true), ("/a*c", "/abcd", false), ("/a**b*", "/axxbyy", true),
        ("/a*b*b", "/ab", false),
        ("", "/a", false), ("/users/*/factors", "/users/1/factors", true),
    ])
    func patternsMatchPaths(_ pattern: String, _ path: String, _ expected: Bool) {
        #expect(RequestMatch(nil, pattern).matches(EmulatorRequest(method: "GET", target: path)) == expected)
    }
}
