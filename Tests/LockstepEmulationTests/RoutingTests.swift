import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@Suite(.limitedConcurrency)
struct RoutingTests {
    @Test func pathsMatchWordsPlaceholdersAndRests() async throws {
        try await withServer { server async throws in
            #expect(try await send("GET", "/constant", to: server).body == "constant")
            #expect(try await send("GET", "/notes/mine", to: server).body == "mine")
            #expect(try await send("GET", "/notes/mine/", to: server).body == "mine")
            #expect(try await send("POST", "/ada:shout", to: server).body == "ADA")
            #expect(try await send("GET", "/files/a/b%2Fc", to: server).body == "a/b/c")
        }
    }

    @Test func writtenNoteIsRead() async throws {
        try await withServer { server async throws in
            #expect(try await send("PUT", "/notes/a%20b", to: server, body: "x").status == 204)
            let response = try await send("GET", "/notes/v1/notes/a%20b", to: server)
            #expect(response.json == ["name": "a b", "text": "x"])
            #expect(response["content-type"] == "application/json")
        }
    }

    @Test func mountMatchesWholePathComponents() async throws {
        try await withServer { server async throws in
            #expect(try await send("GET", "/notes/v1/constant", to: server).status == 200)
            #expect(try await send("GET", "/notes/v1x/constant", to: server).status == 404)
        }
    }

    @Test func unknownPathsAndMethodsAreRejected() async throws {
        try await withServer { server async throws in
            let unknown = try await send("GET", "/nothing/here", to: server)
            #expect(unknown.status == 404)
            #expect(unknown["x-notes"] == "1")
            let method = try await send("DELETE", "/notes/a", to: server)
            #expect(method.status == 405)
            #expect(method["allow"] == "GET, PUT")
            #expect(try await send("OPTIONS", "/nothing", to: server)["access-control-allow-origin"] == "*")
        }
    }

    @Test func errorsHaveTheProvidersFormat() async throws {
        try await withServer { server async throws in
            let gone = try await send("GET", "/notes/none", to: server)
            #expect(gone.status == 410)
            #expect(gone["x-notes"] == "1")
            let large = try await send("PUT", "/notes/a", to: server, body: String(repeating: "a", count: 1001))
            #expect(large.status == 413)
            #expect(large.json["refused"] == "bodyTooLarge")
        }
    }

    @Test func routeCanRespondNowOrLater() async throws {
        try await withServer { server async throws in
            #expect(try await send("POST", "/wait?now", to: server).body == "now")
            async let later = send("POST", "/wait", to: server)
            while server.panel.transcript.count < 1 { await Task.yield() }
            server.panel.advance(by: .seconds(3601))
            // The request can arrive after the clock was moved. It is then due an hour later.
            let nudge = Task {
                while !Task.isCancelled {
                    server.panel.advance(by: .seconds(3601))
                    await Task.yield()
                }
            }
            #expect(try await later.body == "later")
            nudge.cancel()
        }
    }

    @Test func theDateFollowsTheBackendsClock() async throws {
        let clock = ManualClock(base: FixedClock())
        clock.shiftWall(by: Instant(seconds: 784_111_777) - clock.now)
        var options = EmulatorOptions()
        options.clock = clock
        try await withServer(options) { server async throws in
            let date = try await send("GET", "/constant", to: server)["date"]
            // RFC 9110's own example, with a tolerance of a second.
            #expect(date?.hasPrefix("Sun, 06 Nov 1994 08:49:3") == true)
            clock.advance(by: .seconds(86_400))
            #expect(try await send("GET", "/constant", to: server)["date"]?.hasPrefix("Mon, 07 Nov 1994") == true)
        }
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func datesFollowTheCalendar(_ seconds: Int64, _ text: String) {
        #expect(Instant(seconds: seconds).httpDate == text)
    }
}
