import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct FactorTests {
    @Test func spacesAroundACodeAreIgnored() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        let app = try await emulator.enrollApp(session["access_token"])
        let bearer = app.session["access_token"]
        let before = try await emulator.get(
            "/admin/users/\(app.session.json["user"]?["id"]?.string ?? "")/factors", bearer: emulator.admin)
        emulator.server.panel.advance(by: .seconds(90))
        #expect(try await emulator.prove(app.id, app.secret, bearer) { " \($0) " }.status == 200)
        #expect(try await emulator.prove(app.id, app.secret, bearer) { $0 + "0" }.code == "mfa_verification_failed")
        let after = try await emulator.get(
            "/admin/users/\(app.session.json["user"]?["id"]?.string ?? "")/factors", bearer: emulator.admin)
        #expect(after.json[0]?["updated_at"] == before.json[0]?["updated_at"], "A proven factor does not change any more.")
    }

    @Test(arguments: ["", "Maps & Co", String(repeating: "long ", count: 8), String(repeating: "ü", count: 15)])
    func qrCodeContainsTheURI(_ issuer: String) async throws {
        let emulator = try TestEmulator()
        let bearer = try await emulator.person()["access_token"]
        let body: JSON = ["factor_type": "totp", "issuer": .string(issuer)]
        let enrolled = try await emulator.post("/factors", body, bearer: bearer)
        let totp = try #require(enrolled.json["totp"])
        let picture = try #require(totp["qr_code"]?.string)
        #expect(picture.hasPrefix("<?xml version=\"1.0\"?>"))
        #expect(QRReader(svg: picture)?.text == totp["uri"]?.string)
    }

    @Test func factorsNeedASession() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        let app = try await emulator.enrollApp(session["access_token"])
        var claims = try #require(TestEmulator.claims(session["access_token"]).object)
        claims["session_id"] = nil
        let token = try TestEmulator.sign(claims)
        let enrolled = try await emulator.post("/factors", ["factor_type": "totp"], bearer: token)
        #expect(enrolled.status == 500)
        #expect(enrolled["msg"] == "A valid session and a registered user are required to enroll a factor")
        let unenrolled = try await emulator.delete("/factors/\(app.id)", bearer: token)
        #expect(unenrolled.status == 500)
        #expect(unenrolled["msg"] == "A valid session and factor are required to unenroll a factor")
    }

    @Test func removedFactorLowersTheAssurance() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        let app = try await emulator.enrollApp(session["access_token"])
        let id = app.session.json["user"]?["id"]?.string ?? ""
        #expect(try await emulator.delete("/admin/users/\(id)/factors/\(app.id)", bearer: emulator.admin).status == 200)
        let claims = TestEmulator.claims(try await emulator.refresh(app.session["refresh_token"])["access_token"])
        #expect(claims["aal"] == "aal1")
        #expect(claims["amr"]?.array?.map { $0["method"]?.string } == ["password"])
    }

    @Test func missingCodeIsReportedBeforeADisabledFactor() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        let factor = try await emulator.post("/factors", ["factor_type": "totp"], bearer: session["access_token"])
        emulator.administrator.change { $0.factors.totp.mayVerify = false }
        let empty = try await emulator.post("/factors/\(factor["id"])/verify", [:], bearer: session["access_token"])
        #expect(empty["msg"] == "Code needs to be non-empty")
        let off = try await emulator.post("/factors/\(factor["id"])/verify", ["code": "1"], bearer: session["access_token"])
        #expect(off.code == "mfa_totp_verify_not_enabled")
    }

    @Test func abandonedFactorIsDeletedAlthoughTheNextIsRejected() async throws {
        let emulator = try TestEmulator { $0.factors.phone.mayEnroll = true }
        let bearer = try await emulator.person()["access_token"]
        let phone: JSON = ["factor_type": "phone", "phone": "+15551234567", "friendly_name": "phone"]
        #expect(try await emulator.post("/factors", phone, bearer: bearer).status == 200)
        #expect(
            try await emulator.post("/factors", ["factor_type": "totp", "friendly_name": "app"], bearer: bearer).status == 200)
        let again: JSON = ["factor_type": "phone", "phone": "+15551234567", "friendly_name": "app"]
        #expect(try await emulator.post("/factors", again, bearer: bearer).code == "mfa_factor_name_conflict")
        #expect(try await emulator.get("/user", bearer: bearer).json["factors"]?.array?.map { $0["factor_type"] } == ["totp"])
    }

    @Test func revokedSessionCannotStepUp() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        let body: JSON = ["factor_type": "totp"]
        let factor = try await emulator.post("/factors", body, bearer: session["access_token"])
        let next = try await emulator.refresh(session["refresh_token"])
        _ = try await emulator.refresh(next["refresh_token"])
        #expect(try await emulator.refresh(session["refresh_token"]).code == "refresh_token_already_used")
        let secret = factor.json["totp"]?["secret"]?.string ?? ""
        let refused = try await emulator.prove(factor["id"], secret, session["access_token"])
        #expect(refused.status == 500 && refused.code == "unexpected_failure")
    }

    @Test func stepUpReplacesTheOldestToken() async throws {
        let emulator = try TestEmulator { $0.refresh.reuseInterval = .seconds(10) }
        let session = try await emulator.person()
        let factor = try await emulator.post("/factors", ["factor_type": "totp"], bearer: session["access_token"])
        let second = try await emulator.refresh(session["refresh_token"])
        let third = try await emulator.refresh(second["refresh_token"])
        let child = try await emulator.refresh(session["refresh_token"])
        #expect(child.status == 200 && child["refresh_token"] != third["refresh_token"])
        let raised = try await emulator.prove(factor["id"], factor.json["totp"]?["secret"]?.string ?? "", session["access_token"])
        let again = try await emulator.refresh(third["refresh_token"])
        #expect(again["refresh_token"] == raised["refresh_token"])
        #expect(again.response.headers["sb-auth-refresh-token-reuse"] == nil)
    }

    @Test func expiredChallengeIsDeleted() async throws {
        let emulator = try TestEmulator()
        let bearer = try await emulator.person()["access_token"]
        let factor = try await emulator.post("/factors", ["factor_type": "totp"], bearer: bearer)
        let challenge = try await emulator.post("/factors/\(factor["id"])/challenge", bearer: bearer)
        emulator.server.panel.advance(by: .seconds(301))
        let body: JSON = ["challenge_id": .string(challenge["id"]), "code": "123456"]
        for code in ["mfa_challenge_expired", "mfa_factor_not_found"] {
            #expect(try await emulator.post("/factors/\(factor["id"])/verify", body, bearer: bearer).code == code)
        }
    }

    @Test func administratorCannotReuseAFactorName() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        let id = session.json["user"]?["id"]?.string ?? ""
        var factors: [String] = []
        for name in ["one", "two"] {
            let body: JSON = ["factor_type": "totp", "friendly_name": .string(name)]
            factors.append(try await emulator.post("/factors", body, bearer: session["access_token"])["id"])
        }
        let path = "/admin/users/\(id)/factors/\(factors[0])"
        let refused = try await emulator.put(path, ["friendly_name": "two"], bearer: emulator.admin)
        #expect(refused.status == 500 && refused.code == "unexpected_failure")
    }

    @Test func securityKeyEnrollsAndVerifies() async throws {
        let emulator = try TestEmulator {
            $0.factors.webAuthn.mayEnroll = true
            $0.factors.webAuthn.mayVerify = true
        }
        let session = try await emulator.person()
        let bearer = session["access_token"]
        let path = "/factors/\(try await emulator.post("/factors", ["factor_type": "webauthn"], bearer: bearer)["id"])"
        let challenge = try await emulator.post(path + "/challenge", bearer: bearer)
        let text = challenge.json["webauthn"]?["credential_options"]?["publicKey"]?["challenge"] ?? ""
        func answer(_ credential: JSON?) -> JSON {
            var answer: JSONObject = ["type": "create"]
            answer["credential_response"] = credential
            return ["challenge_id": .string(challenge["id"]), "webauthn": .object(answer)]
        }
        #expect(try await emulator.post(path + "/verify", answer(nil), bearer: bearer)["msg"] == "credential_response required")
        let foreign = SoftwarePasskey(["do": "create", "seed": "a", "challenge": "other"]).credential
        let unfitting = try await emulator.post(path + "/verify", answer(foreign), bearer: bearer)
        #expect(unfitting.status == 500 && unfitting.code == "unexpected_failure")
        let own = SoftwarePasskey(["do": "create", "seed": "a", "challenge": text]).credential
        let raised = try await emulator.post(path + "/verify", answer(own), bearer: bearer)
        #expect(TestEmulator.claims(raised["access_token"])["aal"] == "aal2")
        let again = try await emulator.post(path + "/verify", answer(own), bearer: raised["access_token"])
        #expect(again.code == "mfa_factor_not_found", "A challenge that was answered is gone.")
        let other = try await emulator.post(path + "/challenge", bearer: raised["access_token"])
        let wrong = SoftwarePasskey(["do": "get", "seed": "b", "challenge": "other"]).credential
        let body: JSON = ["challenge_id": .string(other["id"]), "webauthn": ["type": "request", "credential_response": wrong]]
        let refused = try await emulator.post(path + "/verify", body, bearer: raised["access_token"])
        #expect(refused.status == 500 && refused["msg"] == "Failed to validate WebAuthn MFA response")
        emulator.administrator.change { $0.factors.webAuthn.mayVerify = false }
        #expect(
            try await emulator.post(path + "/challenge", bearer: raised["access_token"]).code == "mfa_webauthn_verify_not_enabled"
        )
        #expect(
            try await emulator.post(path + "/verify", body, bearer: raised["access_token"]).code
                == "mfa_webauthn_enroll_not_enabled"
        )
    }

    @Test func factorMessagesUseTheirOwnTemplate() async throws {
        let emulator = try TestEmulator {
            $0.factors.phone.mayEnroll = true
            $0.factors.phone.mayVerify = true
            $0.factors.phoneTemplate = "Factor {{ .Code }}"
        }
        let bearer = try await emulator.person()["access_token"]
        let factor = try await emulator.post("/factors", ["factor_type": "phone", "phone": "+15551234567"], bearer: bearer)
        _ = try await emulator.post("/factors/\(factor["id"])/challenge", bearer: bearer)
        #expect(emulator.server.panel.outbox.shortMessages.first?.text.hasPrefix("Factor ") == true)
        emulator.server.panel.advance(by: .seconds(61))
        emulator.administrator.change { $0.sms.provider = "twilio" }
        let pigeon = try await emulator.post("/factors/\(factor["id"])/challenge", ["channel": "pigeon"], bearer: bearer)
        #expect(pigeon.code == "validation_failed")
        emulator.server.panel.outbox.isReachable = false
        let unsent = try await emulator.post("/factors/\(factor["id"])/challenge", bearer: bearer)
        #expect(unsent.status == 500 && unsent["msg"] == "error sending message")
        let otp = try await emulator.post("/otp", ["phone": "+15551234568"])
        #expect(otp.status == 422 && otp.code == "sms_send_failed")
        #expect(otp["msg"].hasPrefix("Error sending confirmation OTP to provider: "))
    }
}
