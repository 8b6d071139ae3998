import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct PasswordTests {
    @Test func aNonceIsSpentByARefusalToo() async throws {
        let emulator = try TestEmulator {
            $0.passwords.requiresReauthentication = true
            $0.tokens.life = 200_000
        }
        let bearer = try await emulator.person()["access_token"]
        emulator.server.panel.advance(by: .seconds(86_401))
        #expect(try await emulator.get("/reauthenticate", bearer: bearer).status == 200)
        let nonce = try #require(emulator.server.panel.outbox.takeMail(to: "ada@example.com")?.code)
        let old: JSON = ["password": .string(TestEmulator.password), "nonce": .string(nonce)]
        #expect(try await emulator.put("/user", old, bearer: bearer).code == "same_password")
        let new: JSON = ["password": "Correct-Horse-2", "nonce": .string(nonce)]
        #expect(try await emulator.put("/user", new, bearer: bearer).code == "reauthentication_not_valid")
    }
}
