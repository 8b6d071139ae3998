import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Webhooks that lead to other hosts, listeners with harmful responses, and repeated deliveries.
@Suite(.limitedConcurrency, .timeLimit(.minutes(20)))
struct WebhookAttackTests {
    private func start(_ address: String) throws -> TestEmulator {
        try TestEmulator {
            $0.webhookURL = address
            $0.organizations.isEnabled = true
        }
    }

    /// Creates an organization, and waits until the listener has this many requests.
    private func tell(_ emulator: TestEmulator, _ listener: ScriptedServer, until count: Int) async throws {
        for index in 0..<200 where listener.requests("hook").count < count {
            _ = try await emulator.backend(.post, "/organizations", ["name": .string("Acme \(index)")])
        }
        #expect(listener.requests("hook").count >= count)
    }

    @Test(arguments: [
        "http://169.254.169.254/", "http://[::1]:8080/hook", "http://127.0.0.1.nip.io/", "http://localhost@evil.example/",
        "https://127.0.0.1/hook", "http://2130706433/",
    ])
    func settingsWithAnotherHostAreRejected(_ address: String) {
        #expect(throws: (any Error).self, "\(address)") { try ClerkSettings(text: "WEBHOOK_URL=\(address)") }
    }

    /// A delivery that gets a redirect has failed.
    ///
    /// It is sent to the same listener again, and nowhere else.
    @Test func aRedirectOfADeliveryIsNotFollowed() async throws {
        let (listener, second) = (try ScriptedServer.start(), try ScriptedServer.start())
        defer {
            listener.stop()
            second.stop()
        }
        listener.emulator.say("hook", .redirect(to: second.base + "/stolen", status: 307))
        let emulator = try start(listener.base + "/hook")
        try await tell(emulator, listener.emulator, until: 3)
        #expect(second.emulator.requests("stolen").isEmpty)
        let ids = listener.emulator.requests("hook").prefix(3).map { $0.headers["svix-id"] }
        #expect(Set(ids).count == 1, "the same delivery again, under its id")
    }

    /// A delivery keeps its id in every attempt.
    ///
    /// The listener recognizes a replay by it.
    @Test func aRepeatedDeliveryKeepsItsIDAndItsBody() async throws {
        let listener = try ScriptedServer.start()
        defer { listener.stop() }
        listener.emulator.say("hook", .empty(status: 500))
        let emulator = try start(listener.base + "/hook")
        try await tell(emulator, listener.emulator, until: 2)
        let sent = listener.emulator.requests("hook").prefix(2)
        #expect(Set(sent.map { $0.headers["svix-id"] }).count == 1 && Set(sent.map(\.body)).count == 1)
        listener.emulator.say("hook", .empty())
        // One delivery is sent at most five times, so the sixth request is another one.
        try await tell(emulator, listener.emulator, until: 6)
        #expect(Set(listener.emulator.requests("hook").map { $0.headers["svix-id"] }).count > 1)
    }

    /// A delivery that is sent to the instance itself changes nothing there and causes no delivery.
    @Test func deliverySentToTheInstanceChangesNothing() async throws {
        let listener = try ScriptedServer.start()
        defer { listener.stop() }
        let emulator = try start(listener.base + "/hook")
        try await tell(emulator, listener.emulator, until: 1)
        let sent = try #require(listener.emulator.requests("hook").first)
        let count = try await emulator.backend(.get, "/organizations").json["total_count"]
        for path in ["/v1/organizations", "/v1/users", "/webhooks", "/v1/webhooks/svix", "/v1/client/sign_ups"] {
            var headers = HTTPHeaders()
            for name in ["svix-id", "svix-timestamp", "svix-signature"] { headers[name] = sent.headers[name] }
            headers["Content-Type"] = "application/json"
            let answer = try await emulator.send(
                HTTPRequest(.post, emulator.server.base + path, headers: headers, body: .json(sent.json)))
            #expect(answer.status >= 400, "\(path)")
        }
        #expect(try await emulator.backend(.get, "/organizations").json["total_count"] == count)
        #expect(try emulator.admin.userCount() == 0)
    }

    /// An instance that is its own webhook does not call itself endlessly.
    @Test func webhookToItsOwnInstanceDoesNotLoop() async throws {
        let listener = try ScriptedServer.start()
        defer { listener.stop() }
        let emulator = try start(listener.base + "/hook")
        emulator.admin.change { $0.webhookURL = emulator.server.base + "/v1/organizations" }
        for index in 0..<3 { _ = try await emulator.backend(.post, "/organizations", ["name": .string("Acme \(index)")]) }
        #expect(try await emulator.backend(.get, "/organizations").json["total_count"] == 3)
    }
}
