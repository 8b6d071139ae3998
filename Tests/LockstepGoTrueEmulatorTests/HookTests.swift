import LockstepCrypto
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Hooks over real HTTP: their input, the effects of their responses, and their errors.
@Suite(.limitedConcurrency)
final class HookTests {
    private let hooks: EmulatorServer<ScriptedServer>
    private var script: ScriptedServer { hooks.emulator }

    init() throws { hooks = try ScriptedServer.start() }

    deinit { hooks.stop() }

    private func hook(_ path: String) -> HookSettings.Hook {
        HookSettings.Hook(
            address: "\(hooks.base)/\(path)", secrets: [Secret("v1,whsec_c2VjcmV0LW9mLXRoZS1ob29r"), Secret("v1,whsec_b3RoZXI=")])
    }

    @Test func messagesAreSigned() async throws {
        let emulator = try TestEmulator { $0.hooks.sendSMS = hook("sms") }
        #expect(try await emulator.post("/otp", ["phone": "+15551234567", "channel": "pigeon"]).status == 200)
        let request = try #require(script.requests("sms").first)
        let id = try #require(request.headers["webhook-id"])
        let time = try #require(request.headers["webhook-timestamp"])
        let signed = Array("\(id).\(time).".utf8) + request.body
        let signatures = ["secret-of-the-hook", "other"].map {
            "v1," + Base64.encode(HashFunction.sha256.authenticate(signed, key: Array($0.utf8)))
        }
        #expect(request.headers["webhook-signature"] == signatures.joined(separator: ", "))
        #expect(request.json["metadata"]?["name"] == "send-sms")
        #expect(request.json["metadata"]?["ip_address"] == "127.0.0.1")
        #expect(request.json["metadata"]?["uuid"]?.string?.count == 36)
        #expect(request.json["sms"]?["phone"] == "15551234567")
        let code = try #require(request.json["sms"]?["otp"]?.string)
        let delivery = try #require(emulator.server.panel.deliveries.entries.first)
        #expect(delivery.event == "send-sms" && delivery.address == hooks.base + "/sms" && delivery.outcome == .success(200))
        #expect(!JSON.array(emulator.server.panel.shownDeliveries).text().contains(code))
        let body: JSON = ["type": "sms", "phone": "+15551234567", "token": .string(code)]
        #expect(try await emulator.post("/verify", body).status == 200)
    }

    /// A page changes one setting at a time: the address first, then the switch.
    @Test func hookSettingsAreChangedOneByOne() async throws {
        let emulator = try TestEmulator()
        let admin = emulator.administrator
        func value(_ name: String) -> JSON? { admin.shownSettings().first { $0.name == name }?.value }
        try admin.patchSettings(["GOTRUE_HOOK_SEND_SMS_URI": .string(hooks.base + "/sms")])
        #expect(value("GOTRUE_HOOK_SEND_SMS_URI") == .string(hooks.base + "/sms"))
        _ = try await emulator.post("/otp", ["phone": "+15551234567"])
        #expect(script.requests("sms").isEmpty)
        try admin.patchSettings(["GOTRUE_HOOK_SEND_SMS_ENABLED": true])
        _ = try await emulator.post("/otp", ["phone": "+15551234568"])
        #expect(script.requests("sms").count == 1)
        try admin.patchSettings(["GOTRUE_HOOK_SEND_SMS_ENABLED": false])
        #expect(value("GOTRUE_HOOK_SEND_SMS_URI") == .string(hooks.base + "/sms"))
    }

    /// A change without an effect is an error.
    @Test func changeWithoutEffectIsAnError() throws {
        let emulator = try TestEmulator()
        let admin = emulator.administrator
        for (name, value) in [
            ("GOTRUE_SECURITY_CAPTCHA_SECRET", "x"), ("GOTRUE_MAILER_OTP_EXP", "86401"),
        ] {
            let before = admin.shownSettings().first { $0.name == name }?.value
            #expect(throws: SettingsPatchError.self, "\(name): \(before?.text() ?? "none")") {
                try admin.patchSettings([name: .string(value)])
            }
        }
    }

    @Test func onlyMessageDeliveriesCanBeRepeated() async throws {
        let emulator = try TestEmulator {
            $0.hooks.sendSMS = hook("sms")
            $0.hooks.beforeUserCreated = hook("before")
        }
        #expect(try await emulator.post("/otp", ["phone": "+15551234567"]).status == 200)
        for delivery in emulator.server.panel.deliveries.entries {
            let again = try await emulator.send(
                HTTPRequest(
                    .post, emulator.server.base + "/__lockstep/deliveries/\(delivery.number)/again",
                    headers: ["Authorization": "Bearer " + emulator.server.ready.token.reveal()]))
            #expect(again.status == (delivery.event == "send-sms" ? 201 : 409), "\(delivery.event)")
        }
        let calls = script.requests("sms")
        #expect(calls.count == 2 && calls.first?.body == calls.last?.body && script.requests("before").count == 1)
        let call = try #require(calls.last)
        let signed = Array("\(call.headers["webhook-id"] ?? "").\(call.headers["webhook-timestamp"] ?? "").".utf8) + call.body
        let signature = HashFunction.sha256.authenticate(signed, key: Array("secret-of-the-hook".utf8))
        #expect(call.headers["webhook-signature"]?.hasPrefix("v1," + Base64.encode(signature)) == true)
    }

    @Test func mailsAreSentToTheHook() async throws {
        let emulator = try TestEmulator { $0.hooks.sendEmail = hook("mail") }
        let session = try await emulator.person()
        _ = try await emulator.put("/user", ["email": "new@example.com"], bearer: session["access_token"])
        #expect(script.requests("mail").count == 1)
        let data = try #require(script.requests("mail").first?.json["email_data"])
        #expect(data["email_action_type"] == "email_change")
        #expect(data["site_url"]?.string == emulator.server.base)
        // The codes and hashes are crossed: the hash of the new address is next to the code of the old one.
        for (address, code, hash) in [("ada", "token", "token_hash_new"), ("new", "token_new", "token_hash")] {
            let text = "\(address)@example.com" + (data[code]?.string ?? "")
            #expect(data[hash]?.string == Hex.encode(HashFunction.sha224.digest(text)))
        }
        #expect(emulator.server.panel.outbox.mails(to: "new@example.com").isEmpty)
        let first: JSON = ["type": "email_change", "email": "ada@example.com", "token": data["token"] ?? ""]
        #expect(try await emulator.post("/verify", first)["code"] == "200")
        let second: JSON = ["type": "email_change", "email": "new@example.com", "token": data["token_new"] ?? ""]
        #expect(try await emulator.post("/verify", second).json["user"]?["email"] == "new@example.com")
    }

    @Test func singleConfirmationChangeHasOneCode() async throws {
        let emulator = try TestEmulator {
            $0.hooks.sendEmail = hook("mail")
            $0.mail.securesChange = false
        }
        let session = try await emulator.person()
        _ = try await emulator.put("/user", ["email": "new@example.com"], bearer: session["access_token"])
        let data = try #require(script.requests("mail").first?.json["email_data"])
        #expect(data["token_new"] == "" && data["token_hash_new"] == "")
        let body: JSON = ["type": "email_change", "token_hash": data["token_hash"] ?? ""]
        #expect(try await emulator.post("/verify", body).json["user"]?["email"] == "new@example.com")
    }

    @Test func claimsAreChanged() async throws {
        let emulator = try TestEmulator { $0.hooks.customAccessToken = hook("claims") }
        var claims: JSONObject = [
            "aud": "authenticated", "exp": 4_102_444_800, "iat": 1, "email": "", "phone": "", "role": "owner", "aal": "aal1",
            "session_id": "", "is_anonymous": false, "plan": "gold",
        ]
        claims["sub"] = .string(try emulator.administrator.createUser(email: "ada@example.com", password: "Correct-Horse-1").id)
        script.say("claims", ["claims": .object(claims)])
        let session = try await emulator.signIn("ada@example.com")
        #expect(TestEmulator.claims(session["access_token"])["plan"] == "gold")
        let asked = try #require(script.requests("claims").first?.json)
        #expect(asked["authentication_method"] == "password")
        #expect(asked["claims"]?["amr"]?[0]?["method"] == "password")
        #expect(asked["metadata"]?["name"] == "customize-access-token")
        _ = try await emulator.refresh(session["refresh_token"])
        #expect(script.requests("claims").last?.json["authentication_method"] == "token_refresh")
    }

    @Test(arguments: [
        ("{}", "output claims field is missing"), (#"{"claims":7}"#, "Error unmarshaling JSON output."),
        ("no", "Error unmarshaling JSON output."),
    ])
    func brokenClaimsAreRejected(_ answer: String, _ message: String) async throws {
        let emulator = try TestEmulator { $0.hooks.customAccessToken = hook("claims") }
        try emulator.administrator.createUser(email: "ada@example.com", password: "Correct-Horse-1")
        script.say("claims", .text(answer, contentType: "application/json"))
        let refused = try await emulator.signIn("ada@example.com")
        #expect(refused.status == 500 && refused["msg"] == message)
        #expect(
            try emulator.administrator.countSessions(of: emulator.administrator.account(email: "ada@example.com")?.id ?? "") == 0)
    }

    @Test func missingClaimsAreNamed() async throws {
        let emulator = try TestEmulator { $0.hooks.customAccessToken = hook("claims") }
        try emulator.administrator.createUser(email: "ada@example.com", password: "Correct-Horse-1")
        script.say(
            "claims", ["claims": ["aud": "a", "exp": "soon", "iat": 1, "email": "", "phone": "", "role": "r", "aal": "aal1"]])
        let message = try await emulator.signIn("ada@example.com")["msg"]
        #expect(message.hasPrefix("output claims do not conform to the expected schema: \n"))
        for line in ["(root): sub is required", "exp: Invalid type. Expected: integer, given: string"] {
            #expect(message.contains("- \(line)\n"))
        }
    }

    @Test func hookRejectsUsersBeforeCreation() async throws {
        let emulator = try TestEmulator { $0.hooks.beforeUserCreated = hook("create") }
        script.say("create", ["error": ["http_code": 418, "message": "No more of you"]])
        let calls: [(String, JSON, String?)] = [
            ("/signup", ["email": "ada@example.com", "password": "Correct-Horse-1"], nil), ("/signup", [:], nil),
            ("/otp", ["email": "ada@example.com"], nil), ("/otp", ["phone": "+15551234567"], nil),
            ("/invite", ["email": "ada@example.com"], emulator.admin),
            ("/admin/generate_link", ["type": "invite", "email": "ada@example.com"], emulator.admin),
            ("/admin/generate_link", ["type": "magiclink", "email": "ada@example.com"], emulator.admin),
        ]
        for (path, body, bearer) in calls {
            let refused = try await emulator.post(path, body, bearer: bearer)
            #expect(refused.status == 418 && refused.code == "unknown" && refused["msg"] == "No more of you", "\(path) \(body)")
            #expect(refused.response.headers["x-sb-error-code"] == nil)
        }
        #expect(try emulator.administrator.userCount() == 0)
        let user = try #require(script.requests("create").first?.json["user"])
        #expect(user["role"] == "" && user["created_at"] == "0001-01-01T00:00:00Z" && user["identities"] == [])
        let made = try await emulator.post("/admin/users", ["email": "eve@example.com"], bearer: emulator.admin)
        #expect(made.status == 200, "An administrator is not asked.")
    }

    @Test func passwordAttemptsAreReported() async throws {
        let emulator = try TestEmulator { $0.hooks.passwordVerification = hook("password") }
        let session = try await emulator.person()
        #expect(script.requests("password").last?.json["valid"] == true)
        #expect(try await emulator.signIn("ada@example.com", "wrong-horse").code == "invalid_credentials")
        #expect(script.requests("password").last?.json["valid"] == false)
        script.say("password", ["decision": "reject", "message": "Take a break", "should_logout_user": false])
        let refused = try await emulator.signIn("ada@example.com")
        #expect(refused.status == 400 && refused.code == "invalid_credentials" && refused["msg"] == "Take a break")
        #expect(try await emulator.get("/user", bearer: session["access_token"]).status == 200)
        script.say("password", ["decision": "reject", "should_logout_user": true])
        #expect(
            try await emulator.signIn("ada@example.com")["msg"] == "Further password verification attempts will be rejected.")
        #expect(try await emulator.get("/user", bearer: session["access_token"]).code == "session_not_found")
    }

    @Test func secondFactorAttemptsAreReported() async throws {
        let emulator = try TestEmulator { $0.hooks.factorVerification = hook("factor") }
        let session = try await emulator.person()
        let app = try await emulator.enrollApp(session["access_token"])
        #expect(app.session.status == 200)
        let told = try #require(script.requests("factor").first?.json)
        #expect(told["valid"] == true && told["factor_type"] == "totp" && told["factor_id"]?.string == app.id)
        script.say("factor", ["decision": "reject"])
        let refused = try await emulator.prove(app.id, app.secret, app.session["access_token"])
        #expect(refused.status == 403 && refused.code == "mfa_verification_rejected")
        #expect(try await emulator.get("/user", bearer: app.session["access_token"]).code == "session_not_found")
    }

    @Test func hookErrorsAreReported() async throws {
        let emulator = try TestEmulator { $0.hooks.sendSMS = hook("sms") }
        let long = #"{"a":""# + String(repeating: "x", count: 210_000) + #""}"#
        let cases: [(EmulatorResponse, Int, String, String)] = [
            (.empty(status: 204), 200, "", ""), (.json([:], status: 202), 200, "", ""),
            (.json(["error": ["http_code": 400]]), 200, "", ""),
            (.json(["error": ["message": "no"]]), 500, "unexpected_failure", "no"),
            (.json([:], status: 400), 500, "unexpected_failure", "Invalid payload sent to hook"),
            (.json([:], status: 401), 500, "unexpected_failure", "Hook requires authorization token"),
            (.json([:], status: 429), 500, "unexpected_failure", "Service currently unavailable due to hook"),
            (.json([:], status: 404), 500, "unexpected_failure", "Unexpected status code returned from hook: 404"),
            (
                EmulatorResponse(status: 200, body: Array("{}".utf8)), 400, "hook_payload_invalid_content_type",
                "Invalid Content-Type: Missing Content-Type header"
            ),
            (
                .text("{}", contentType: "text/html; charset=utf-8"), 400, "hook_payload_invalid_content_type",
                "Invalid JSON response. Received content-type: text/html; charset=utf-8"
            ),
            (
                .text(long, contentType: "application/json"), 422, "hook_payload_over_size_limit",
                "Payload size exceeded size limit of 204800 bytes"
            ),
        ]
        for (index, (answer, status, code, message)) in cases.enumerated() {
            script.say("sms", answer)
            let got = try await emulator.post("/otp", ["phone": .string("+1555000\(1000 + index)")])
            #expect(got.status == status && got.code ?? "" == code && got["msg"] == message, "\(message)")
        }
    }

    @Test func unreachableHookIsReported() async throws {
        let port = hooks.base
        hooks.stop()
        let emulator = try TestEmulator { $0.hooks.sendSMS = HookSettings.Hook(address: port + "/sms") }
        let refused = try await emulator.post("/otp", ["phone": "+15551234567"])
        #expect(refused.status == 422 && refused.code == "hook_timeout_after_retry")
        #expect(try emulator.administrator.userCount() == 0)
    }

    @Test func factorHookErrorsAreHidden() async throws {
        let emulator = try TestEmulator {
            $0.hooks.sendSMS = hook("sms")
            $0.factors.phone.mayEnroll = true
            $0.factors.phone.mayVerify = true
        }
        let session = try await emulator.person()
        let factor = try await emulator.post(
            "/factors", ["factor_type": "phone", "phone": "+15551234567"], bearer: session["access_token"])
        #expect(try await emulator.post("/factors/\(factor["id"])/challenge", bearer: session["access_token"]).status == 200)
        #expect(script.requests("sms").last?.json["sms"]?["sms_type"] == "mfa")
        emulator.server.panel.advance(by: .seconds(61))
        script.say("sms", .json([:], status: 404))
        let refused = try await emulator.post("/factors/\(factor["id"])/challenge", bearer: session["access_token"])
        #expect(refused.status == 500 && refused["msg"] == "error invoking hook")
    }

    /// A listener compares the timestamp with its own clock, which no test has moved.
    ///
    /// The message contains the server's time.
    @Test func timestampIsTheMachinesTime() async throws {
        let emulator = try TestEmulator { $0.hooks.sendSMS = hook("sms") }
        let start = emulator.server.environment.now.seconds
        emulator.server.panel.advance(by: .seconds(86_400))
        #expect(try await emulator.post("/otp", ["phone": "+15551234567"]).status == 200)
        let request = try #require(script.requests("sms").first)
        let stamp = try #require(request.headers["webhook-timestamp"].flatMap { Int64($0) })
        #expect(abs(stamp - start) < 3600)
        #expect(request.headers["webhook-id"] != nil)
    }

    /// A hook's redirect is an ordinary response.
    ///
    /// The server calls nothing else.
    @Test func hookRedirectIsNotFollowed() async throws {
        let second = try ScriptedServer.start()
        defer { second.stop() }
        script.say("sms", .redirect(to: second.base + "/next", status: 307))
        let emulator = try TestEmulator { $0.hooks.sendSMS = hook("sms") }
        let refused = try await emulator.post("/otp", ["phone": "+15551234567"])
        #expect(refused.status == 500 && refused["msg"] == "Unexpected status code returned from hook: 307")
        #expect(second.emulator.requests("next").isEmpty)
    }

    @Test(arguments: [
        "http://169.254.169.254/", "http://[::1]:8080/", "http://127.0.0.1.nip.io/", "http://localhost@evil.example/",
    ])
    func hookAtAnotherHostIsNotCalled(_ address: String) async throws {
        #expect(throws: GoTrueSettingsError.self) {
            try GoTrueSettings(environment: [("HOOK_SEND_SMS_ENABLED", "true"), ("HOOK_SEND_SMS_URI", address)])
        }
        let emulator = try TestEmulator { $0.hooks.sendSMS = HookSettings.Hook(address: address) }
        #expect(try await emulator.post("/otp", ["phone": "+15551234567"]).code == "hook_timeout_after_retry")
    }
}
