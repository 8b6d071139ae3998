import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@Suite(.limitedConcurrency)
struct ControlTests {
    @Test func controlRoutesNeedTheToken() async throws {
        try await withServer { server async throws in
            for (method, path) in [
                ("POST", "/clock?seconds=5"), ("POST", "/reset"), ("POST", "/faults"), ("GET", "/faults"), ("GET", "/transcript"),
                ("PUT", "/outbox"), ("GET", "/nothing"),
            ] {
                #expect(try await send(method, "/__lockstep" + path, to: server).status == 401)
                let wrong = try await send(method, "/__lockstep" + path, to: server, headers: ["Authorization": "Bearer x"])
                #expect(wrong.status == 401)
            }
        }
    }

    @Test func readyLineNamesEveryAddress() async throws {
        try await withServer { server async throws in
            let document = try JSON.parse(server.ready.text)
            #expect(document["provider"] == "notes")
            #expect(document["base"]?.string == "http://127.0.0.1:\(server.port)")
            #expect(document["vars"] == ["key": "k"])
            #expect(!server.ready.text.contains("\n"))
            for (name, method) in [("inbox", "GET"), ("sms", "GET"), ("advance", "POST"), ("reset", "POST"), ("faults", "GET")] {
                let address = try #require(document[name]?.string)
                let base = try #require(document["base"]?.string)
                var path = String(address.dropFirst(base.count)).replacing("{s}", with: "1")
                if name == "inbox" { path += "/api/v1/messages" }
                #expect(try await send(method, path, to: server, headers: server.control).status == 200, "\(name)")
            }
        }
    }

    @Test(arguments: [
        #"{"a b": "x"}"#, #"{"": "x"}"#, #"{"a": "x\r\nb: y"}"#, #"{"a": "x\u0000"}"#, #"{"a\n": "x"}"#,
        #"{"a": 5}"#, #"{"é": "x"}"#,
        #"{"Content-Length": "3"}"#,
    ])
    func faultWithAnInvalidHeaderIsRejected(_ headers: String) async throws {
        try await withServer { server async throws in
            let fault = #"{"effect": "status", "status": 503, "headers": "# + headers + "}"
            let answer = try await send("POST", "/__lockstep/faults", to: server, headers: server.control, body: fault)
            #expect(answer.status == 400)
            #expect(server.panel.faults.isEmpty)
        }
    }

    @Test func clockAdvancesOnRequest() async throws {
        try await withServer { server async throws in
            let response = try await send("POST", "/__lockstep/clock?seconds=3600", to: server, headers: server.control)
            #expect(response.status == 200)
            #expect(server.panel.clock.offset == .seconds(3600))
            #expect(try await send("POST", "/__lockstep/clock?seconds=x", to: server, headers: server.control).status == 400)
            #expect(try await send("POST", "/__lockstep/reset", to: server, headers: server.control).status == 200)
            #expect(server.panel.clock.offset == .zero)
        }
    }

    /// A stopped clock, for tests that compare times.
    @Test func theClockIsStoppedSetAndStartedAgain() async throws {
        try await withServer { server async throws in
            func clock(_ query: String) async throws -> TestResponse {
                try await send("POST", "/__lockstep/clock?\(query)", to: server, headers: server.control)
            }
            let set = try await clock("now=1767225600123")
            #expect(
                set.status == 200 && set.json["now"] == "2026-01-01T00:00:00.123Z" && set.json["stopped"] == true, "\(set.raw)")
            #expect(server.panel.clock.now == Instant(milliseconds: 1_767_225_600_123))
            #expect(try await send("GET", "/constant", to: server)["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
            #expect(try await clock("seconds=1").json["now"] == "2026-01-01T00:00:01.123Z")
            #expect(try await clock("now=0").json["now"] == "1970-01-01T00:00:00.000Z")
            #expect(server.panel.clock.isStopped)
            let running = try await clock("now=running")
            #expect(running.json["stopped"] == false && running.json["now"]?.string?.hasPrefix("1970-01-01T00:0") == true)
            for query in ["now=", "now=x", "now=-1", "now=253402300800000", "now=9223372036854775808", "now=5&seconds=5", ""] {
                let refused = try await clock(query)
                #expect(refused.status == 400 && refused.json["error"]?.string != nil, "\(query)")
            }
            _ = try await clock("now=5")
            #expect(try await send("POST", "/__lockstep/reset", to: server, headers: server.control).status == 200)
            #expect(!server.panel.clock.isStopped && server.panel.clock.offset == .zero)
        }
    }

    /// Numbers that do not fit a clock, a duration or a header are rejected, and the process continues.
    @Test func absurdNumbersAreRejectedWithAReason() async throws {
        try await withServer { server async throws in
            let numbers = [
                "1e19", "-1e19", "1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e12",
                "-1e12",
                "253402300800", "-63000000000", "inf", "nan", "-nan", "1e400", "", "1,5", "१",
            ]
            for number in numbers {
                let response = try await send("POST", "/__lockstep/clock?seconds=\(number)", to: server, headers: server.control)
                #expect(response.status == 400, "seconds=\(number): \(response.raw.prefix(40))")
                #expect(response.json["error"]?.string != nil)
                #expect(server.panel.clock.offset == .zero)
            }
            let values = [
                "1e19", "-1e19", "1e300", "-1", "9223372036854775808", "1e400", "\"5\"", "[]", "{}", "true", "1000000001",
            ]
            for effect in ["retry-after", "delay"] {
                for value in values {
                    let document = #"{"effect": "\#(effect)", "seconds": \#(value)}"#
                    let response = try await send(
                        "POST", "/__lockstep/faults", to: server, headers: server.control, body: document)
                    #expect(response.status == 400, "\(document): \(response.raw.prefix(40))")
                    #expect(response.json["error"]?.string != nil)
                }
            }
            for (name, effect) in [("status", "status"), ("status", "retry-after"), ("after", "truncate"), ("times", "close")] {
                for value in values {
                    let document = #"{"effect": "\#(effect)", "\#(name)": \#(value)}"#
                    let response = try await send(
                        "POST", "/__lockstep/faults", to: server, headers: server.control, body: document)
                    #expect(response.status == 400, "\(document): \(response.raw.prefix(40))")
                }
            }
            for query in [
                "limit=9223372036854775807&start=9223372036854775807", "limit=-9223372036854775808&start=-5", "limit=1e19",
            ] {
                #expect(try await send("GET", "/__lockstep/inbox/api/v1/messages?\(query)", to: server).status == 200)
            }
            #expect(try await send("GET", "/constant", to: server).status == 200)
        }
    }

    /// The clock can show any time from 1970 to 9999, and every response names it.
    @Test(arguments: [0, 253_402_300_700])
    func clockReachesTheEndsOfItsRange(_ second: Int64) async throws {
        try await withServer { server async throws in
            let seconds = second - server.panel.clock.now.seconds + 1
            let moved = try await send("POST", "/__lockstep/clock?seconds=\(seconds)", to: server, headers: server.control)
            #expect(moved.status == 200)
            #expect(moved["Date"]?.hasSuffix("GMT") == true)
            #expect(try await send("GET", "/constant", to: server).status == 200)
        }
    }

    /// In the process a test can move the clock anywhere.
    ///
    /// Later times are written as the last possible time.
    @Test func timesBeyondFourDigitYearsAreClamped() {
        #expect(Instant(seconds: -70_000_000_000).rfc3339.hasPrefix("0000-01-01T00:00:00"))
        #expect(Instant(seconds: 300_000_000_000).rfc3339.hasPrefix("9999-12-31T23:59:59"))
        #expect(Instant(milliseconds: .min / 2).httpDate.contains(" 0000 "))
        #expect(Instant(milliseconds: .max / 2).httpDate.contains(" 9999 "))
    }

    @Test func resetDeletesEverything() async throws {
        try await withServer { server async throws in
            _ = try await send("PUT", "/notes/a", to: server, body: "x")
            _ = try await send("POST", "/mail", to: server, body: "to=a@example.com")
            server.panel.outbox.isReachable = false
            try server.panel.fail(with: .close)
            _ = try await send("POST", "/__lockstep/reset", to: server, headers: server.control)
            #expect(server.panel.outbox.mails.isEmpty)
            #expect(server.panel.outbox.isReachable)
            #expect(server.panel.transcript.count == 0)
            #expect(try await send("GET", "/notes/a", to: server).status == 410)
        }
    }

    @Test func faultsAreCreatedAndRemovedOverHTTP() async throws {
        try await withServer { server async throws in
            let document =
                #"{"method": "get", "path": "/const*", "times": 2, "effect": "status", "status": 503, "body": {"a": 1}}"#
            #expect(
                try await send("POST", "/__lockstep/faults", to: server, headers: server.control, body: document).status == 201)
            #expect(try await send("GET", "/constant", to: server).status == 503)
            let list = try await send("GET", "/__lockstep/faults", to: server, headers: server.control).json
            #expect(list[0]?["strikes"] == 1)
            #expect(list[0]?["remaining"] == 1)
            #expect(try await send("DELETE", "/__lockstep/faults", to: server, headers: server.control).status == 204)
            #expect(try await send("GET", "/constant", to: server).status == 200)
        }
    }

    @Test(arguments: ["", "[]", #"{"effect": "explode"}"#, #"{"effect": "status"}"#, #"{"effect": "close", "times": 0}"#])
    func malformedFaultIsRejected(_ document: String) async throws {
        try await withServer { server async throws in
            let response = try await send("POST", "/__lockstep/faults", to: server, headers: server.control, body: document)
            #expect(response.status == 400)
            #expect(response.json["error"]?.string != nil)
        }
    }

    @Test func theTranscriptShowsNoSecrets() async throws {
        try await withServer { server async throws in
            let headers = [
                "Authorization": "Bearer s3cret-1", "Cookie": "c=s3cret-2", "apikey": "s3cret-3",
                "Content-Type": "application/json",
            ]
            let body =
                #"{"email": "a@example.com", "password": "s3cret-4", "deep": [{"refresh_token": "s3cret-5"}], "code": "s3cret-6"}"#
            _ = try await send("POST", "/ada:shout?access_token=s3cret-7&page=2", to: server, headers: headers, body: body)
            let text = try await send("GET", "/__lockstep/transcript", to: server, headers: server.control).body
            #expect(!text.contains("s3cret"))
            #expect(text.contains("a@example.com"))
            let entry = try JSON.parse(text)[0]
            #expect(entry?["query"] == ["access_token": "<redacted>", "page": "2"])
            #expect(entry?["path"] == "/ada:shout")
            #expect(entry?["status"] == 200)
        }
    }

    @Test func transcriptIsBoundedAndInOrder() async throws {
        try await withServer { server async throws in
            for index in 0..<520 { _ = try await send("GET", "/constant?\(index)=", to: server) }
            let entries = server.panel.transcript.entries
            #expect(server.panel.transcript.count == 520)
            #expect(entries.map(\.number) == Array(21...520))
        }
    }

    @Test func rateLimitRefillsByTheBackendsClock() async throws {
        var options = EmulatorOptions()
        options.clock = ManualClock(base: FixedClock())
        try await withServer(options) { server async throws in
            #expect(try await send("POST", "/limited", to: server).status == 204)
            #expect(try await send("POST", "/limited", to: server).status == 204)
            let refused = try await send("POST", "/limited", to: server)
            #expect(refused.status == 429)
            #expect(refused["retry-after"] == "30")
            server.panel.advance(by: .seconds(30))
            #expect(try await send("POST", "/limited", to: server).status == 204)
            #expect(try await send("POST", "/limited", to: server).status == 429)
        }
    }
}
