import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct PasskeyTests {
    private func register(_ emulator: TestEmulator, _ seed: String, _ bearer: String) async throws -> TestEmulator.TestResponse {
        let options = try await emulator.post("/passkeys/registration/options", bearer: bearer)
        return try await emulator.post("/passkeys/registration/verify", Self.answer(options, seed), bearer: bearer)
    }

    private static func answer(_ options: TestEmulator.TestResponse, _ seed: String) -> JSON {
        let challenge = options.json["options"]?["challenge"] ?? ""
        let credential = SoftwarePasskey(["do": "create", "seed": .string(seed), "challenge": challenge]).credential
        return ["challenge_id": .string(options["challenge_id"]), "credential": credential]
    }

    private func rename(_ emulator: TestEmulator, _ id: String, _ body: JSON, _ bearer: String) async throws
        -> TestEmulator.TestResponse
    {
        try await emulator.send(
            HTTPRequest(
                .patch, emulator.server.base + "/passkeys/\(id)", headers: TestEmulator.headers(bearer), body: .json(body)))
    }

    @Test func renamingNeedsNoSecondFactor() async throws {
        let emulator = try TestEmulator()
        let bearer = try await emulator.person()["access_token"]
        let passkey = try await register(emulator, "a", bearer)
        let id = TestEmulator.claims(bearer)["sub"]?.string ?? ""
        try emulator.administrator.addFactor(DirectoryFactor(.authenticatorApp(secret: nil)), to: id)
        let renamed = try await rename(emulator, passkey["id"], ["friendly_name": "Laptop"], bearer)
        #expect(renamed.status == 200 && renamed["friendly_name"] == "Laptop")
        #expect(try await emulator.get("/passkeys", bearer: bearer).json[0]?["friendly_name"] == "Laptop")
        let deleted = try await emulator.delete("/passkeys/\(passkey["id"])", bearer: bearer)
        #expect(deleted.status == 403 && deleted.code == "insufficient_aal")
        let options = try await emulator.post("/passkeys/registration/options", bearer: bearer)
        #expect(options.status == 403 && options.code == "insufficient_aal")
    }

    @Test func namesAreCountedByScalars() async throws {
        let emulator = try TestEmulator()
        let bearer = try await emulator.person()["access_token"]
        let passkey = try await register(emulator, "a", bearer)
        let long: JSON = ["friendly_name": .string(String(repeating: "e\u{301}", count: 61))]
        #expect(try await rename(emulator, passkey["id"], long, bearer)["msg"] == "friendly_name must be 120 characters or less")
        let nobody = try await rename(emulator, "x", [:], bearer)
        #expect(nobody.status == 404 && nobody["msg"] == "Passkey not found", "The id is looked at before the body.")
    }

    @Test func passkeyLimitIsCheckedAtTheEndAgain() async throws {
        let emulator = try TestEmulator { $0.passkeys.maximum = 1 }
        let bearer = try await emulator.person()["access_token"]
        let first = try await emulator.post("/passkeys/registration/options", bearer: bearer)
        let second = try await emulator.post("/passkeys/registration/options", bearer: bearer)
        #expect(try await emulator.post("/passkeys/registration/verify", Self.answer(first, "a"), bearer: bearer).status == 200)
        for code in ["too_many_passkeys", "webauthn_challenge_not_found"] {
            let refused = try await emulator.post("/passkeys/registration/verify", Self.answer(second, "b"), bearer: bearer)
            #expect(refused.code == code)
        }
        #expect(try await emulator.post("/passkeys/registration/options", bearer: bearer).code == "too_many_passkeys")
    }

    @Test func missingMembersAreReportedInOrder() async throws {
        let emulator = try TestEmulator()
        for (body, message) in [
            ([:], "challenge_id is required"), (["challenge_id": "x"], "credential is required"),
            (["challenge_id": "x", "credential": [:]], "challenge_id must be a valid UUID"),
        ] as [(JSON, String)] {
            #expect(try await emulator.post("/passkeys/authentication/verify", body)["msg"] == message)
        }
    }

    @Test func anExpiredChallengeIsUsedUp() async throws {
        let emulator = try TestEmulator()
        let options = try await emulator.post("/passkeys/authentication/options")
        emulator.server.panel.advance(by: .seconds(301))
        let body: JSON = ["challenge_id": .string(options["challenge_id"]), "credential": [:]]
        for code in ["webauthn_challenge_expired", "webauthn_challenge_not_found"] {
            #expect(try await emulator.post("/passkeys/authentication/verify", body).code == code)
        }
    }

    /// The real server's library warns about a decreasing count, and the server ignores the warning.
    @Test func decreasingCountSignsIn() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        _ = try await register(emulator, "a", session["access_token"])
        for count in [9, 3, 0, 9] {
            let options = try await emulator.post("/passkeys/authentication/options")
            let spec: JSON = [
                "do": "get", "seed": "a", "challenge": options.json["options"]?["challenge"] ?? "", "count": .int(Int64(count)),
                "user": session.json["user"]?["id"] ?? "",
            ]
            let body: JSON = ["challenge_id": .string(options["challenge_id"]), "credential": SoftwarePasskey(spec).credential]
            let answer = try await emulator.post("/passkeys/authentication/verify", body)
            #expect(answer.status == 200, "count \(count)")
            // The response works once: its challenge is used up.
            #expect(try await emulator.post("/passkeys/authentication/verify", body).code == "webauthn_challenge_not_found")
        }
    }
}
