import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct AdministratorTests {
    @Test func createsBansAndDeletesUsers() async throws {
        let emulator = try TestEmulator()
        let account = try emulator.administrator.createUser(
            email: "Ada@example.com", password: "Correct-Horse-1", metadata: ["name": "Ada"])
        #expect(try emulator.administrator.account(email: "ada@example.com")?.id == account.id)
        #expect(try await emulator.signIn("ada@example.com").status == 200)
        #expect(try emulator.administrator.countSessions(of: account.id) == 1)
        try emulator.administrator.disable(account.id, for: .seconds(60))
        #expect(try await emulator.signIn("ada@example.com").code == "user_banned")
        emulator.server.panel.advance(by: .seconds(61))
        #expect(try await emulator.signIn("ada@example.com").status == 200)
        try await emulator.administrator.setDisabled(true, of: account.id)
        emulator.server.panel.advance(by: .seconds(86_400 * 365))
        #expect(try await emulator.signIn("ada@example.com").code == "user_banned")
        try await emulator.administrator.setDisabled(false, of: account.id)
        #expect(try await emulator.signIn("ada@example.com").status == 200)
        try emulator.administrator.revokeSessions(of: account.id)
        #expect(try emulator.administrator.countSessions(of: account.id) == 0)
        try emulator.administrator.deleteUser(account.id)
        #expect(try emulator.administrator.userCount() == 0)
    }

    @Test func createsUsersWithUnverifiedAddresses() async throws {
        let emulator = try TestEmulator()
        let account = try emulator.administrator.createUser(
            email: "ada@example.com", password: "Correct-Horse-1", isConfirmed: false)
        #expect(try await emulator.signIn("ada@example.com").code == "email_not_confirmed")
        try emulator.administrator.confirmEmail(of: account.id)
        #expect(try await emulator.signIn("ada@example.com").status == 200)
        try await emulator.administrator.setPassword("Battery-Staple-2", of: account.id)
        #expect(try await emulator.signIn("ada@example.com").code == "invalid_credentials")
        #expect(try await emulator.signIn("ada@example.com", "Battery-Staple-2").status == 200)
    }

    @Test func addsASecondFactor() async throws {
        let emulator = try TestEmulator()
        let account = try emulator.administrator.createUser(email: "ada@example.com", password: "Correct-Horse-1")
        let added = try emulator.administrator.addFactor(DirectoryFactor(.authenticatorApp(secret: nil)), to: account.id)
        let session = try await emulator.signIn("ada@example.com")
        let factor = session.json["user"]?["factors"]?[0]?["id"]?.string ?? ""
        let bearer = session["access_token"]
        let challenge = try await emulator.post("/factors/\(factor)/challenge", bearer: bearer)
        let secret = try #require(added.secret)
        let code = AuthenticatorApp(secret: secret.reveal()).code(at: emulator.server.environment.now)
        let body: JSON = ["challenge_id": .string(challenge["id"]), "code": .string(code)]
        let raised = try await emulator.post("/factors/\(factor)/verify", body, bearer: bearer)
        #expect(raised.status == 200)
        #expect(try emulator.administrator.removeFactor(factor, of: account.id))
        #expect(try await emulator.get("/user", bearer: raised["access_token"]).json["factors"] == nil)
    }

    @Test func deletesEverythingOnReset() async throws {
        let emulator = try TestEmulator()
        try emulator.administrator.createUser(email: "ada@example.com")
        emulator.administrator.change { $0.signIn.isSignUpDisabled = true }
        let body: JSON = ["email": "eve@example.com", "password": "Correct-Horse-1"]
        #expect(try await emulator.post("/signup", body).code == "signup_disabled")
        try emulator.server.panel.reset()
        #expect(try emulator.administrator.userCount() == 0)
        #expect(try await emulator.post("/signup", body).status == 200, "A switch goes back too.")
    }
}
