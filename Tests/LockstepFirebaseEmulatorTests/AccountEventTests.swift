import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Account events for a functions emulator, over real HTTP.
@Suite(.limitedConcurrency, .timeLimit(.minutes(20)))
struct AccountEventTests {
    /// A functions emulator that returns its events to a test in order.
    private final class Functions: Emulator {
        static let provider = "functions"
        let router: Router
        private let stream: AsyncStream<(project: String, event: JSON)>

        init() {
            let (stream, queue) = AsyncStream<(project: String, event: JSON)>.makeStream()
            self.stream = stream
            var router = Router()
            router.on("POST", "/functions/projects/{project}/trigger_multicast") { request -> EmulatorResponse in
                queue.yield((request[placeholder: "project"], (try? JSON.parse(request.body)) ?? .null))
                return .json(["status": "multicast_acknowledged"])
            }
            self.router = router
        }

        func reset() {}

        /// Waits for the next events.
        func next(_ count: Int) async -> [(project: String, event: JSON)] {
            var found: [(project: String, event: JSON)] = []
            for await told in stream {
                found.append(told)
                if found.count == count { break }
            }
            return found
        }
    }

    private let functions: EmulatorServer<Functions>

    init() throws { functions = try EmulatorServer { _ in Functions() } }

    private func emulator(
        _ mode: FirebaseMode = .emulator, _ change: (inout FirebaseSettings) -> Void = { _ in }
    ) throws -> TestEmulator {
        try TestEmulator(mode) { settings in
            settings.functionsEmulator = functions.base
            change(&settings)
        }
    }

    private static let created = "providers/firebase.auth/eventTypes/user.create"
    private static let deleted = "providers/firebase.auth/eventTypes/user.delete"

    @Test(arguments: FirebaseMode.allCases)
    func createdAndDeletedAccountsAreReported(_ mode: FirebaseMode) async throws {
        defer { functions.stop() }
        let emulator = try emulator(mode)
        let user = try await emulator.signUp()
        let (project, event) = try #require(await functions.emulator.next(1).first)
        #expect(project == "demo-lockstep" && event["eventType"]?.string == Self.created)
        #expect(event["resource"] == ["name": "projects/demo-lockstep", "service": "firebaseauth.googleapis.com"])
        #expect(event["params"] == [:] && event["eventId"]?.string?.isEmpty == false)
        let data = try #require(event["data"])
        #expect(data["uid"]?.string == user["localId"] && data["email"] == "ada@example.com" && data["emailVerified"] == false)
        #expect(data["customClaims"] == [:] && data["providerData"]?[0]?["providerId"] == "password")
        #expect(data["metadata"]?["creationTime"]?.string?.hasSuffix("Z") == true)
        #expect(data["passwordHash"] == nil && data["salt"] == nil)
        _ = try await emulator.manage(
            "accounts:update",
            [
                "localId": .string(user["localId"]), "photoUrl": "https://example.com/ada",
                "customAttributes": #"{"role":"editor"}"#,
            ])
        #expect(try await emulator.call("accounts:delete", ["idToken": .string(user["idToken"])]).status == 200)
        let end = try #require(await functions.emulator.next(1).first?.event)
        #expect(end["eventType"]?.string == Self.deleted && end["eventId"] != event["eventId"])
        #expect(end["data"]?["uid"]?.string == user["localId"] && end["data"]?["customClaims"] == ["role": "editor"])
        #expect(end["data"]?["photoURL"] == "https://example.com/ada" && end["data"]?["photoUrl"] == nil)
        // The second event was sent after the first one's delivery.
        #expect(emulator.server.panel.deliveries.entries.first?.event == Self.created)
    }

    /// Also guests and developers' tokens, for which no blocking function is called.
    ///
    /// Linked or imported identities are not new accounts.
    @Test func everyKindOfNewAccountIsReported() async throws {
        defer { functions.stop() }
        let emulator = try emulator()
        let guest = try await emulator.call("accounts:signUp")
        let custom: JSON = ["token": #"{"uid":"custom-1"}"#]
        for _ in 0..<2 { #expect(try await emulator.call("accounts:signInWithCustomToken", custom).status == 200) }
        let token = #"providerId=google.com&id_token={"sub":"g-1"}"#
        let federated: JSON = ["requestUri": "http://localhost", "postBody": .string(token)]
        for _ in 0..<2 { #expect(try await emulator.call("accounts:signInWithIdp", federated).status == 200) }
        let upgrade: JSON = ["idToken": .string(guest["idToken"]), "email": "ada@example.com", "password": "correct horse"]
        #expect(try await emulator.call("accounts:signUp", upgrade).status == 200)
        #expect(try await emulator.manage("accounts:batchCreate", ["users": [["localId": "imported"]]]).status == 200)
        let session = try await emulator.call("accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])["sessionInfo"]
        let codes = try await emulator.get("/emulator/v1/projects/demo-lockstep/verificationCodes").json["verificationCodes"]
        let phone: JSON = ["sessionInfo": .string(session), "code": try #require(codes?[0]?["code"])]
        #expect(try await emulator.call("accounts:signInWithPhoneNumber", phone).status == 200)
        try emulator.admin.createUser(email: "made@example.com")
        #expect(try await emulator.manage("accounts:batchDelete", ["localIds": ["custom-1"], "force": true]).status == 200)
        let told = await functions.emulator.next(6)
        #expect(told.map { $0.event["eventType"]?.string } == Array(repeating: Self.created, count: 5) + [Self.deleted])
        #expect(told[1].event["data"]?["uid"] == "custom-1" && told[5].event["data"]?["uid"] == "custom-1")
        #expect(told[2].event["data"]?["providerData"]?[0]?["rawId"] == "g-1")
        #expect(told[3].event["data"]?["phoneNumber"] == "+15555550100")
        #expect(told[4].event["data"]?["email"] == "made@example.com")
    }

    @Test func rejectedRequestsAreNotReported() async throws {
        defer { functions.stop() }
        let emulator = try emulator()
        _ = try await emulator.signUp()
        #expect(try await emulator.signUp().code == "EMAIL_EXISTS")
        #expect(try await emulator.manage("accounts:delete", ["localId": "unknown"]).code == "USER_NOT_FOUND")
        _ = try await emulator.signUp("grace@example.com")
        let told = await functions.emulator.next(2)
        #expect(told.map { $0.event["data"]?["email"] } == ["ada@example.com", "grace@example.com"])
    }

    /// The event shows the account that `beforeCreate` has changed.
    ///
    /// The first sign-in comes afterwards.
    @Test(arguments: ["displayName", "disabled"])
    func changesOfTheFirstSignInAreNotReported(_ change: String) async throws {
        defer { functions.stop() }
        let script = try ScriptedServer.start()
        defer { script.stop() }
        let emulator = try emulator()
        let triggers: JSON = [
            "beforeCreate": ["functionUri": .string(script.base + "/beforeCreate")],
            "beforeSignIn": ["functionUri": .string(script.base + "/beforeSignIn")],
        ]
        _ = try await emulator.configure(
            .patch, "config", query: ["updateMask": "blockingFunctions"], ["blockingFunctions": ["triggers": triggers]])
        script.emulator.say("beforeCreate", ["userRecord": ["updateMask": "photoUrl", "photoUrl": "https://example.com/ada"]])
        script.emulator.say(
            "beforeSignIn", ["userRecord": ["updateMask": .string(change), "displayName": "Countess", "disabled": true]])
        let status = try await emulator.signUp().status
        #expect(status == (change == "disabled" ? 400 : 200))
        let data = try #require(await functions.emulator.next(1).first?.event["data"])
        #expect(data["photoURL"] == "https://example.com/ada" && data["displayName"] == nil && data["disabled"] == nil)
    }

    @Test func testCanPauseFunctions() async throws {
        defer { functions.stop() }
        let emulator = try emulator()
        func put(_ name: String, to emulator: TestEmulator) async throws -> TestEmulator.TestResponse {
            try await emulator.send(HTTPRequest(.put, emulator.server.base + "/functions/\(name)BackgroundTriggers"))
        }
        #expect(try await put("disable", to: emulator).json == ["enabled": false])
        _ = try await emulator.signUp()
        #expect(try await put("enable", to: emulator).json == ["enabled": true])
        _ = try await emulator.signUp("grace@example.com")
        #expect(await functions.emulator.next(1).first?.event["data"]?["email"] == "grace@example.com")
        let page = HTTPRequest(
            .put, emulator.server.base + "/functions/disableBackgroundTriggers", headers: ["Origin": "https://site.example"])
        #expect(try await emulator.send(page).status == 403)
        #expect(try await put("disable", to: TestEmulator(.emulator)).status == 400, "There is none to pause.")
    }

    /// As in Firebase's emulator, which only warns: the account exists even if no function is notified.
    @Test func missingFunctionsEmulatorDoesNotFailASignUp() async throws {
        let gone = try EmulatorServer { _ in Functions() }
        gone.stop()
        defer { functions.stop() }
        let emulator = try emulator { $0.functionsEmulator = gone.base }
        #expect(try await emulator.signUp().status == 200)
        try emulator.admin.change { $0.functionsEmulator = functions.base }
        _ = try await emulator.signUp("grace@example.com")
        #expect(await functions.emulator.next(1).first?.event["data"]?["email"] == "grace@example.com")
    }
}
