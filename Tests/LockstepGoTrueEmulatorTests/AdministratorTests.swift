import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepStaging
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct AdministratorTests {
    @Test func makesBansAndDeletesUsers() async throws {
        let stage = try Stage()
        let account = try stage.administrator.createUser(
            email: "Ada@example.com", password: "Correct-Horse-1", metadata: ["name": "Ada"])
        #expect(try stage.administrator.account(email: "ada@example.com")?.id == account.id)
        #expect(try await stage.signIn("ada@example.com").status == 200)
        #expect(try stage.administrator.countSessions(of: account.id) == 1)
        try stage.administrator.disable(account.id, for: .seconds(60))
        #expect(try await stage.signIn("ada@example.com").code == "user_banned")
        stage.server.panel.advance(by: .seconds(61))
        #expect(try await stage.signIn("ada@example.com").status == 200)
        try stage.administrator.setDisabled(true, of: account.id)
        stage.server.panel.advance(by: .seconds(86_400 * 365))
        #expect(try await stage.signIn("ada@example.com").code == "user_banned")
        try stage.administrator.setDisabled(false, of: account.id)
        #expect(try await stage.signIn("ada@example.com").status == 200)
        try stage.administrator.revokeSessions(of: account.id)
        #expect(try stage.administrator.countSessions(of: account.id) == 0)
        try stage.administrator.deleteUser(account.id)
        #expect(try stage.administrator.userCount() == 0)
    }

    @Test func leavesAddressesToBeProven() async throws {
        let stage = try Stage()
        let account = try stage.administrator.createUser(
            email: "ada@example.com", password: "Correct-Horse-1", isConfirmed: false)
        #expect(try await stage.signIn("ada@example.com").code == "email_not_confirmed")
        try stage.administrator.confirmEmail(of: account.id)
        #expect(try await stage.signIn("ada@example.com").status == 200)
        try stage.administrator.setPassword("Battery-Staple-2", of: account.id)
        #expect(try await stage.signIn("ada@example.com").code == "invalid_credentials")
        #expect(try await stage.signIn("ada@example.com", "Battery-Staple-2").status == 200)
    }

    @Test func givesASecondFactor() async throws {
        let stage = try Stage()
        let account = try stage.administrator.createUser(email: "ada@example.com", password: "Correct-Horse-1")
        let secret = try stage.administrator.addTOTPFactor(to: account.id)
        let session = try await stage.signIn("ada@example.com")
        let factor = session.json["user"]?["factors"]?[0]?["id"]?.string ?? ""
        let bearer = session["access_token"]
        let challenge = try await stage.post("/factors/\(factor)/challenge", bearer: bearer)
        let code = AuthenticatorApp(secret: secret.reveal()).code(at: stage.server.environment.now)
        let body: JSON = ["challenge_id": .string(challenge["id"]), "code": .string(code)]
        let raised = try await stage.post("/factors/\(factor)/verify", body, bearer: bearer)
        #expect(raised.status == 200)
        try stage.administrator.removeFactors(of: account.id)
        #expect(try await stage.get("/user", bearer: raised["access_token"]).json["factors"] == nil)
    }

    @Test func forgetsEverythingOnReset() async throws {
        let stage = try Stage()
        try stage.administrator.createUser(email: "ada@example.com")
        stage.administrator.change { $0.signIn.isSignUpDisabled = true }
        let body: JSON = ["email": "eve@example.com", "password": "Correct-Horse-1"]
        #expect(try await stage.post("/signup", body).code == "signup_disabled")
        try stage.server.panel.reset()
        #expect(try stage.administrator.userCount() == 0)
        #expect(try await stage.post("/signup", body).status == 200, "A switch goes back too.")
    }
}
