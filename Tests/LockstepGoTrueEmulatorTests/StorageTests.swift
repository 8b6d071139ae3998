import Foundation
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct StorageTests {
    @Test func usersAndSessionsSurviveARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gotrue-\(SystemRandomness().uuid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestEmulator(storage: .folder(folder.path))
        try first.administrator.createUser(email: "ada@example.com", password: "Correct-Horse-1")
        let session = try await first.signIn("ada@example.com")
        first.server.stop()
        let second = try TestEmulator(storage: .folder(folder.path))
        #expect(try await second.get("/user", bearer: session["access_token"]).status == 200)
        let body = try await second.post("/token?grant_type=refresh_token", ["refresh_token": .string(session["refresh_token"])])
        #expect(body.status == 200)
    }

    @Test func endedSessionsStayEndedAfterARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gotrue-\(SystemRandomness().uuid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestEmulator(storage: .folder(folder.path))
        let old = try await first.person()
        let spent = try await first.refresh(old["refresh_token"])
        let living = try await first.refresh(spent["refresh_token"])
        let other = try await first.person("bob@example.com")
        #expect(try await first.post("/logout?scope=global", bearer: other["access_token"]).status == 204)
        _ = try await first.post("/recover", ["email": "ada@example.com"])
        let mail = try #require(first.server.panel.outbox.takeMail(to: "ada@example.com"))
        let used: JSON = ["type": "recovery", "email": "ada@example.com", "token": .string(mail.code ?? "")]
        #expect(try await first.post("/verify", used).status == 200)
        first.server.panel.advance(by: .seconds(60))
        _ = try await first.post("/recover", ["email": "ada@example.com"])
        let waiting = try #require(first.server.panel.outbox.takeMail(to: "ada@example.com")?.code)
        let now = first.server.environment.now
        first.server.stop()

        let second = try TestEmulator(storage: .folder(folder.path))
        second.server.panel.advance(by: now - second.server.environment.now)
        #expect(try await second.get("/user", bearer: other["access_token"]).code == "session_not_found")
        #expect(try await second.refresh(other["refresh_token"]).code == "refresh_token_not_found")
        #expect(try await second.post("/verify", used).code == "otp_expired")
        // In the original a guess uses nothing up, neither before a restart nor after it.
        let wrong: JSON = ["type": "recovery", "email": "ada@example.com", "token": "000000"]
        #expect(try await second.post("/verify", wrong).code == "otp_expired")
        let right: JSON = ["type": "recovery", "email": "ada@example.com", "token": .string(waiting)]
        #expect(try await second.post("/verify", right).status == 200)
        second.server.panel.advance(by: .seconds(60))
        #expect(try await second.refresh(old["refresh_token"]).code == "refresh_token_already_used")
        // The reuse has ended the family.
        second.server.panel.advance(by: .seconds(60))
        #expect(try await second.refresh(living["refresh_token"]).code == "refresh_token_already_used")
    }
}
