import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A control route repeats a call about an event.
@Suite("Repeated deliveries", .limitedConcurrency)
struct DeliveryAgainTests {
    private static let signing = WebhookSigning(id: "msg_1", secrets: ["whsec_MDEyMzQ1Njc4OWFiY2RlZg=="], prefixes: ["svix"])

    private func again(_ number: String, _ server: EmulatorServer<NotesEmulator>) async throws -> TestResponse {
        try await send("POST", "/__lockstep/deliveries/\(number)/again", to: server, headers: server.control)
    }

    @Test("a repeated call is signed again and is a separate delivery")
    func repeatsACall() async throws {
        try await withServer { server async throws in
            let statuses = [500, 200]
            try await OtherServer.with(answering: { request in
                .empty(status: request.headers["svix-timestamp"] == nil ? statuses[0] : statuses[1])
            }) { listener, base async throws in
                let call = OutgoingRequest(
                    "POST", base + "/hook", body: Array(#"{"type": "user.made"}"#.utf8), event: "user.made", isNotice: true,
                    signing: Self.signing)
                _ = try await call.run(in: server.environment)
                let response = try await again("1", server)
                #expect(response.status == 201, "\(response.raw)")
                #expect(response.json["number"] == 2 && response.json["attempt"] == 2 && response.json["status"] == 200)
                let requests = listener.requests
                #expect(requests.map(\.body) == [call.body, call.body])
                #expect(requests.last?.headers["svix-id"] == "msg_1")
                let stamp = try #require(requests.last?.headers["svix-timestamp"])
                let expected = WebhookSignature(
                    id: "msg_1", body: call.body, secrets: Self.signing.secrets, at: server.environment.now,
                    in: server.environment)
                #expect(abs((Int64(stamp) ?? 0) - (Int64(expected.stamp) ?? 0)) <= 60)
                #expect(requests.last?.headers["svix-signature"]?.hasPrefix("v1,") == true)
                let listed = try await send("GET", "/__lockstep/deliveries?after=1", to: server, headers: server.control).json
                #expect(listed["deliveries"]?.array?.count == 1 && listed["last"] == 2)
            }
        }
    }

    @Test("a missing listener is the outcome of the delivery, not an error of the route")
    func reportsAMissingListener() async throws {
        try await withServer { server async throws in
            let call = OutgoingRequest("POST", "https://hook.example", body: [], event: "user.made", isNotice: true)
            _ = try await call.run(in: server.environment)
            let response = try await again("1", server)
            #expect(response.status == 201 && response.json["failure"]?.string?.isEmpty == false)
        }
    }

    @Test("a call that decides a request, and one without a stored body, get 409 with the reason")
    func rejectsCallsThatCannotBeRepeated() async throws {
        try await withServer { server async throws in
            _ = try await OutgoingRequest("POST", "x", event: "before-user-created").run(in: server.environment)
            let body = [UInt8](repeating: 1, count: 20_000)
            _ = try await OutgoingRequest("POST", "x", body: body, event: "user.made", isNotice: true).run(in: server.environment)
            let deciding = try await again("1", server)
            #expect(deciding.status == 409 && deciding.json["error"]?.string?.contains("\"before-user-created\"") == true)
            let long = try await again("2", server)
            #expect(long.status == 409 && long.json["error"]?.string?.contains("too long") == true)
            #expect(server.panel.deliveries.entries.count == 2)
        }
    }
}
