import LockstepClerkEmulator
import LockstepCrypto
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Synchronization
import Testing

/// Events for the instance's webhook, sent over a socket to a listener on this machine.
@Suite(.limitedConcurrency, .timeLimit(.minutes(20)))
struct WebhookTests {
    /// A received delivery: the body, and the headers that sign it.
    struct Delivery: Sendable {
        let body: [UInt8]
        let id: String
        let stamp: String
        let signature: String
        var json: JSON { (try? JSON.parse(body)) ?? .null }
        var type: String { json["type"]?.string ?? "" }
    }

    private func start(
        _ listener: EmulatorServer<Listener>, _ change: (inout ClerkSettings) -> Void = { _ in }
    ) throws -> TestEmulator {
        try TestEmulator {
            $0.webhookURL = listener.base + "/hook"
            $0.organizations.isEnabled = true
            change(&$0)
        }
    }

    @Test func signUpIsReportedInASignedDelivery() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener)
        let device = emulator.device()
        try await device.signUp()
        let deliveries = await listener.emulator.next(2)
        #expect(Set(deliveries.map(\.type)) == ["user.created", "session.created"])
        let user = try #require(deliveries.first { $0.type == "user.created" })
        #expect(user.json["object"] == "event")
        #expect(user.json["data"]?["email_addresses"]?[0]?["email_address"] == "ada@example.com")
        #expect(user.json["data"]?["id"]?.string == (try await device.get("/me")["id"]))
        let key = try #require(Base64.decode(emulator.server.emulator.webhookSecret.reveal().dropFirst("whsec_".count)))
        for delivery in deliveries {
            let text = Array("\(delivery.id).\(delivery.stamp).".utf8) + delivery.body
            #expect(delivery.signature == "v1," + Base64.encode(HashFunction.sha256.authenticate(text, key: key)))
        }
        #expect(Set(deliveries.map(\.id)).count == 2)
    }

    @Test func organizationsAndTheirMembersAreReported() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener)
        let ada = try await emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password)).id
        #expect(await listener.emulator.next(1).map(\.type) == ["user.created"])
        let made = try await emulator.backend(.post, "/organizations", ["name": "Acme", "created_by": .string(ada)])
        let path = "/organizations/\(made.json["id"]?.string ?? "")"
        #expect(Set(await listener.emulator.next(2).map(\.type)) == ["organization.created", "organizationMembership.created"])
        _ = try await emulator.backend(.post, path + "/invitations", ["email_address": "b@example.com", "role": "org:member"])
        #expect(await listener.emulator.next(1).map(\.type) == ["organizationInvitation.created"])
        _ = try await emulator.backend(.patch, path, ["name": "Acme Ltd"])
        let update = await listener.emulator.next(1)
        #expect(update.map(\.type) == ["organization.updated"] && update.first?.json["data"]?["name"] == "Acme Ltd")
        _ = try await emulator.backend(.delete, path)
        #expect(await listener.emulator.next(1).map(\.type) == ["organization.deleted"])
        _ = try await emulator.backend(.patch, "/users/\(ada)", ["first_name": "Ada"])
        #expect(await listener.emulator.next(1).map(\.type) == ["user.updated"])
        _ = try await emulator.backend(.delete, "/users/\(ada)")
        #expect(await listener.emulator.next(1).first?.json["data"]?["deleted"] == true)
    }

    /// Svix's libraries compare the timestamp with the listener's own clock, which no test has moved.
    ///
    /// The body contains the instance's time.
    @Test func timestampIsTheMachinesTime() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener)
        emulator.pass(86_400)
        _ = try await emulator.backend(.post, "/organizations", ["name": "Acme"])
        let told = try #require(await listener.emulator.next(1).first)
        let now = SystemClock().now.seconds
        #expect(abs((Int64(told.stamp) ?? 0) - now) < 300)
        #expect((told.json["timestamp"]?.int ?? 0) / 1000 > now + 80_000)
    }

    /// A listener that rejects timestamps older than five minutes accepts it.
    ///
    /// The id stays the same, so the listener can recognize a repetition.
    @Test func repeatedDeliveryIsSignedAgain() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener)
        let headers: HTTPHeaders = ["Authorization": "Bearer " + emulator.server.ready.token.reveal()]
        let deliveries = emulator.server.base + "/__lockstep/deliveries"
        _ = try await emulator.backend(.post, "/organizations", ["name": "Acme"])
        let first = try #require(await listener.emulator.next(1).first)
        let listed = try await emulator.send(HTTPRequest(.get, deliveries + "?wait=60", headers: headers))
        let number = try #require(listed.json["deliveries"]?[0]?["number"]?.int)
        let again = try await emulator.send(HTTPRequest(.post, deliveries + "/\(number)/again", headers: headers))
        #expect(again.status == 201 && again.json["event"] == "organization.created" && again.json["attempt"] == 2)
        let second = try #require(await listener.emulator.next(1).first)
        #expect(second.id == first.id && second.body == first.body)
        let key = try #require(Base64.decode(emulator.server.emulator.webhookSecret.reveal().dropFirst("whsec_".count)))
        let text = Array("\(second.id).\(second.stamp).".utf8) + second.body
        #expect(second.signature == "v1," + Base64.encode(HashFunction.sha256.authenticate(text, key: key)))
    }

    @Test func messagesInvitationsRolesAndDomainsAreReported() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener) { $0.organizations.hasDomains = true }
        let invited =
            try await emulator.backend(.post, "/invitations", ["email_address": "eve@example.com"]).json["id"]?.string ?? ""
        var told = await listener.emulator.next(2, withMessages: true)
        #expect(Set(told.map(\.type)) == ["email.created", "invitation.created"])
        let mail = told.first { $0.type == "email.created" }?.json["data"]
        #expect(mail?["to_email_address"] == "eve@example.com" && mail?["slug"] == "invitation")
        _ = try await emulator.backend(.post, "/invitations/\(invited)/revoke")
        #expect(await listener.emulator.next(1).map(\.type) == ["invitation.revoked"])
        _ = try await emulator.backend(
            .post, "/users",
            ["phone_number": ["+14155552671"], "email_address": ["ada@example.com"], "password": .string(TestEmulator.password)])
        _ = await listener.emulator.next(1)
        _ = try await emulator.device().post("/client/sign_ins", ["identifier": "+14155552671", "strategy": "phone_code"])
        told = await listener.emulator.next(1, withMessages: true)
        #expect(told.first?.type == "sms.created" && told.first?.json["data"]?["user_id"]?.string?.hasPrefix("user_") == true)

        let role =
            try await emulator.backend(.post, "/organization_roles", ["name": "Buyer", "key": "org:buyer"]).json["id"]?.string
            ?? ""
        let permission =
            try await emulator.backend(
                .post, "/organization_permissions", ["name": "Buy", "key": "org:shop:buy"]
            ).json["id"]?.string ?? ""
        _ = try await emulator.backend(.post, "/organization_roles/\(role)/permissions/\(permission)")
        _ = try await emulator.backend(.delete, "/organization_roles/\(role)")
        _ = try await emulator.backend(.delete, "/organization_permissions/\(permission)")
        #expect(
            await listener.emulator.next(5).map(\.type)
                == ["role.created", "permission.created", "role.updated", "role.deleted", "permission.deleted"])
        let acme = try await emulator.backend(.post, "/organizations", ["name": "Acme"]).json["id"]?.string ?? ""
        let path = "/organizations/\(acme)/domains"
        let domain = try await emulator.backend(.post, path, ["name": "acme.example"]).json["id"]?.string ?? ""
        _ = try await emulator.backend(.patch, path + "/\(domain)", ["verified": false])
        _ = try await emulator.backend(.delete, path + "/\(domain)")
        #expect(
            await listener.emulator.next(4).map(\.type)
                == [
                    "organization.created", "organizationDomain.created", "organizationDomain.updated",
                    "organizationDomain.deleted",
                ])
    }

    @Test func rejectedDeliveryIsRetriedAndFailedRequestSendsNone() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener)
        listener.emulator.refuse(1)
        _ = try await emulator.backend(.post, "/organizations", ["name": "Acme"])
        let first = await listener.emulator.next(1)
        // A failed request is rolled back with its events. The next request sends the remaining ones.
        #expect(try await emulator.backend(.post, "/organizations", ["name": "X", "slug": "acme"]).status == 422)
        let again = await listener.emulator.next(1)
        #expect(first.first?.id == again.first?.id && again.first?.type == "organization.created")
        _ = try await emulator.backend(.post, "/organizations", ["name": "Beta"])
        #expect(await listener.emulator.next(1).first?.json["data"]?["name"] == "Beta")
    }

    /// A request that ends while the listener still holds the event triggers the retry after the failure.
    @Test func requestDuringAFailedDeliveryTriggersARetry() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener)
        listener.emulator.refuse(1)
        listener.emulator.onDelivery { _ in
            for _ in 0..<3 { _ = try? await emulator.backend(.get, "/organizations") }
        }
        _ = try await emulator.backend(.post, "/organizations", ["name": "Acme"])
        let told = await listener.emulator.next(2)
        #expect(Set(told.map(\.id)).count == 1)
    }

    @Test(arguments: [
        "https://example.com/hook", "http://example.com/hook", "nowhere", "http://localhost.evil.example/hook",
        "http://127.0.0.1.evil.example/", "http://[::1]:80/hook", "http://localhost:0/", "http://127.0.0.1@evil.example/",
    ])
    func webhooksAreSentOnlyToThisMachine(url: String) {
        #expect(throws: ClerkSettingsError.self) { try ClerkSettings(text: "WEBHOOK_URL=\(url)") }
        var settings = ClerkSettings()
        settings.webhookURL = url
        #expect(throws: ClerkSettingsError.self) { try settings.check() }
    }

    /// A listener calls the Backend API.
    ///
    /// This call must not wait for the delivery itself.
    @Test func listenerCanCallTheInstanceDuringADelivery() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener)
        listener.emulator.onDelivery { delivery in
            guard delivery.type == "organization.created" else { return }
            for index in 0..<12 {
                let address = JSON.string("u\(index)@example.com")
                let user: JSON = ["email_address": [address], "password": .string(TestEmulator.password)]
                _ = try? await emulator.backend(.post, "/users", user)
            }
        }
        _ = try await emulator.backend(.post, "/organizations", ["name": "Acme"])
        #expect(await listener.emulator.next(1).map(\.type) == ["organization.created"])
        #expect(try emulator.admin.userCount() == 12)
        #expect(await listener.emulator.next(12).allSatisfy { $0.type == "user.created" })
    }

    @Test func endedSessionIsReportedOnceAsADocumentedEvent() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener) { $0.isSingleSession = false }
        let device = emulator.device()
        try await device.signUp()
        _ = await listener.emulator.next(2)
        let session = try await device.get("/client").response["last_active_session_id"]?.string ?? ""
        _ = try await emulator.backend(.post, "/sessions/\(session)/revoke")
        #expect(await listener.emulator.next(1).map(\.type) == ["session.revoked"])
        _ = try await device.call(.delete, "/client/sessions")
        _ = try await emulator.backend(.post, "/organizations", ["name": "Acme"])
        #expect(await listener.emulator.next(1).map(\.type) == ["organization.created"])
    }

    @Test func aReplacedSessionIsReportedAsEnded() async throws {
        let listener = try Listener.start()
        defer { listener.stop() }
        let emulator = try start(listener) { $0.isSingleSession = true }
        _ = try await emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        let device = emulator.device()
        // A sign-in that starts before a sign-up and ends after it.
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])
        let former = try await device.signUp("eve@example.com")["created_session_id"]
        _ = await listener.emulator.next(3)
        let done = try await device.post(
            "/client/sign_ins/\(begun["id"])/attempt_first_factor", ["strategy": "password", "password": TestEmulator.password])
        #expect(done["status"] == "complete")
        let told = await listener.emulator.next(2)
        #expect(Set(told.map(\.type)) == ["session.ended", "session.created"])
        #expect(told.first { $0.type == "session.ended" }?.json["data"]?["id"]?.string == former)
    }
}

/// A server that receives deliveries, and returns them to a test in order.
final class Listener: Emulator {
    static let provider = "listener"
    private let stream: AsyncStream<WebhookTests.Delivery>
    private let queue: AsyncStream<WebhookTests.Delivery>.Continuation
    private let refusals = Mutex(0)
    private let reaction = Mutex<(@Sendable (WebhookTests.Delivery) async -> Void)?>(nil)

    init() { (stream, queue) = AsyncStream.makeStream() }

    static func start() throws -> EmulatorServer<Listener> { try EmulatorServer { _ in Listener() } }

    func reset() {}

    /// Returns 500 for this many deliveries.
    func refuse(_ count: Int) { refusals.withLock { $0 = count } }

    /// Calls a function at each delivery, before the response.
    func onDelivery(_ body: @escaping @Sendable (WebhookTests.Delivery) async -> Void) { reaction.withLock { $0 = body } }

    /// Waits for the next deliveries.
    ///
    /// - `withMessages`: whether to include the events of mails and text messages.
    func next(_ count: Int, withMessages: Bool = false) async -> [WebhookTests.Delivery] {
        var found: [WebhookTests.Delivery] = []
        for await delivery in stream where withMessages || !["email.created", "sms.created"].contains(delivery.type) {
            found.append(delivery)
            if found.count == count { break }
        }
        return found
    }

    var router: Router {
        var router = Router()
        router.on(
            "POST", "/hook",
            suspending: { [self] request in
                let delivery = WebhookTests.Delivery(
                    body: request.body, id: request.headers["svix-id"] ?? "", stamp: request.headers["svix-timestamp"] ?? "",
                    signature: request.headers["svix-signature"] ?? "")
                await reaction.withLock { $0 }?(delivery)
                queue.yield(delivery)
                let isRefused = refusals.withLock { count in
                    count -= 1
                    return count >= 0
                }
                return isRefused ? .empty(status: 500) : .empty()
            })
        return router
    }
}
