import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepStaging
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct PasskeyTests {
    private func register(_ stage: Stage, _ seed: String, _ bearer: String) async throws -> Stage.Answer {
        let options = try await stage.post("/passkeys/registration/options", bearer: bearer)
        return try await stage.post("/passkeys/registration/verify", Self.answer(options, seed), bearer: bearer)
    }

    private static func answer(_ options: Stage.Answer, _ seed: String) -> JSON {
        let challenge = options.json["options"]?["challenge"] ?? ""
        let credential = SoftwarePasskey(["do": "create", "seed": .string(seed), "challenge": challenge]).credential
        return ["challenge_id": .string(options["challenge_id"]), "credential": credential]
    }

    private func rename(_ stage: Stage, _ id: String, _ body: JSON, _ bearer: String) async throws -> Stage.Answer {
        try await stage.send(
            HTTPRequest(.patch, stage.server.base + "/passkeys/\(id)", headers: Stage.headers(bearer), body: .json(body)))
    }

    @Test func aNameAsksForNoSecondFactor() async throws {
        let stage = try Stage()
        let bearer = try await stage.person()["access_token"]
        let passkey = try await register(stage, "a", bearer)
        try stage.administrator.addTOTPFactor(to: Stage.claims(bearer)["sub"]?.string ?? "")
        let renamed = try await rename(stage, passkey["id"], ["friendly_name": "Laptop"], bearer)
        #expect(renamed.status == 200 && renamed["friendly_name"] == "Laptop")
        #expect(try await stage.get("/passkeys", bearer: bearer).json[0]?["friendly_name"] == "Laptop")
        let deleted = try await stage.delete("/passkeys/\(passkey["id"])", bearer: bearer)
        #expect(deleted.status == 403 && deleted.code == "insufficient_aal")
        let options = try await stage.post("/passkeys/registration/options", bearer: bearer)
        #expect(options.status == 403 && options.code == "insufficient_aal")
    }

    @Test func namesAreCountedByScalars() async throws {
        let stage = try Stage()
        let bearer = try await stage.person()["access_token"]
        let passkey = try await register(stage, "a", bearer)
        let long: JSON = ["friendly_name": .string(String(repeating: "e\u{301}", count: 61))]
        #expect(try await rename(stage, passkey["id"], long, bearer)["msg"] == "friendly_name must be 120 characters or less")
        let nobody = try await rename(stage, "x", [:], bearer)
        #expect(nobody.status == 404 && nobody["msg"] == "Passkey not found", "The id is looked at before the body.")
    }

    @Test func oneMoreThanAllowedIsRefusedAtTheEndToo() async throws {
        let stage = try Stage { $0.passkeys.maximum = 1 }
        let bearer = try await stage.person()["access_token"]
        let first = try await stage.post("/passkeys/registration/options", bearer: bearer)
        let second = try await stage.post("/passkeys/registration/options", bearer: bearer)
        #expect(try await stage.post("/passkeys/registration/verify", Self.answer(first, "a"), bearer: bearer).status == 200)
        for code in ["too_many_passkeys", "webauthn_challenge_not_found"] {
            let refused = try await stage.post("/passkeys/registration/verify", Self.answer(second, "b"), bearer: bearer)
            #expect(refused.code == code)
        }
        #expect(try await stage.post("/passkeys/registration/options", bearer: bearer).code == "too_many_passkeys")
    }

    @Test func whatIsMissingIsToldInOrder() async throws {
        let stage = try Stage()
        for (body, message) in [
            ([:], "challenge_id is required"), (["challenge_id": "x"], "credential is required"),
            (["challenge_id": "x", "credential": [:]], "challenge_id must be a valid UUID"),
        ] as [(JSON, String)] {
            #expect(try await stage.post("/passkeys/authentication/verify", body)["msg"] == message)
        }
    }

    @Test func anExpiredChallengeIsUsedUp() async throws {
        let stage = try Stage()
        let options = try await stage.post("/passkeys/authentication/options")
        stage.server.panel.advance(by: .seconds(301))
        let body: JSON = ["challenge_id": .string(options["challenge_id"]), "credential": [:]]
        for code in ["webauthn_challenge_expired", "webauthn_challenge_not_found"] {
            #expect(try await stage.post("/passkeys/authentication/verify", body).code == code)
        }
    }
}
