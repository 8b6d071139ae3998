import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct PasswordTests {
    @Test func rejectedChangeUsesUpTheNonce() async throws {
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

    /// Go's bcrypt accepts a NUL and hashes it like every other character.
    @Test(arguments: ["Correct\0Horse-1", "Correct-Horse\0", "\0Correct-Horse-1"])
    func passwordCanContainANUL(_ password: String) async throws {
        let emulator = try TestEmulator { $0.mail.confirmsByItself = true }
        let body: JSON = ["email": "ada@example.com", "password": .string(password)]
        #expect(try await emulator.post("/signup", body).status == 200)
        #expect(try await emulator.signIn("ada@example.com", password).status == 200)
        for wrong in [password.replacing("\0", with: ""), password + "\0x", String(password.prefix { $0 != "\0" }) + "x"] {
            #expect(try await emulator.signIn("ada@example.com", wrong).code == "invalid_credentials")
        }
        let bearer = try await emulator.signIn("ada@example.com", password)["access_token"]
        #expect(try await emulator.put("/user", ["password": "Other\0Horse-2"], bearer: bearer).status == 200)
        #expect(try await emulator.signIn("ada@example.com", "Other\0Horse-2").status == 200)
        let made: JSON = ["email": "eve@example.com", "password": .string(password), "email_confirm": true]
        #expect(try await emulator.post("/admin/users", made, bearer: emulator.admin).status == 200)
        #expect(try await emulator.signIn("eve@example.com", password).status == 200)
    }
}
