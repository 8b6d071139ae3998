import LockstepClerkEmulator
import LockstepCrypto
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Attempts to bypass a company's provider: other verifications of its domain's addresses, and other sign-in methods of its
/// users.
@Suite(.limitedConcurrency)
struct EnterpriseBypassTests {
    private static let key = try? SigningKey.makeRSA(id: "google-1")

    /// A company whose connection is inactive until ``open(_:)``, and a user of its domain.
    private func company(_ change: (inout ClerkSettings) -> Void = { _ in }) async throws -> (Company, user: String) {
        let company = try Company(change)
        company.issuer.emulator.expect(Company.ada())
        try await setActive(false, company)
        let ada = try await company.emulator.admin.createUser(email: "ada@acme.example", password: "correct horse battery")
        _ = try await company.emulator.backend(.patch, "/users/\(ada.id)", ["username": "ada1"])
        return (company, ada.id)
    }

    private func setActive(_ isActive: Bool, _ company: Company) async throws {
        let id = try #require(try await company.emulator.backend(.get, "/enterprise_connections").json["data"]?[0]?["id"]?.string)
        let changed = try await company.emulator.backend(.patch, "/enterprise_connections/\(id)", ["active": .bool(isActive)])
        #expect(changed.json["active"] == .bool(isActive))
    }

    private func hasSession(_ device: Device) async throws -> Bool {
        try await device.get("/client").response["sessions"]?.array?.isEmpty == false
    }

    @Test func aPasskeyDoesNotBypassTheProvider() async throws {
        let company = try Company { $0.passkeys.isEnabled = true }
        company.issuer.emulator.expect(Company.ada())
        let ada = company.emulator.device()
        try await company.join(ada)
        func answer(_ kind: String, _ verification: JSON?) throws -> String {
            let options = try JSON.parse(verification?["nonce"]?.string ?? "")
            let spec: JSON = ["do": .string(kind), "seed": "a", "challenge": options["challenge"] ?? ""]
            return SoftwarePasskey(spec).credential.text()
        }
        let made = try await ada.post("/me/passkeys")
        let proven = try await ada.post(
            "/me/passkeys/\(made["id"])/attempt_verification",
            ["strategy": "passkey", "public_key_credential": try answer("create", made.response["verification"])])
        #expect(proven.response["verification"]?["status"] == "verified")
        let device = company.emulator.device()
        let begun = try await device.post("/client/sign_ins", ["strategy": "passkey"])
        let ended = try await device.post(
            "/client/sign_ins/\(begun["id"])/attempt_first_factor",
            [
                "strategy": "passkey",
                "public_key_credential": try answer("get", begun.response["first_factor_verification"]),
            ])
        #expect(ended.code == "sign_in_must_use_enterprise_connection_identifier")
        #expect(try await !hasSession(device))
    }

    /// A public provider can say that an address is verified.
    ///
    /// The emulator nevertheless asks the company's provider and merges nothing.
    @Test func anotherProviderDoesNotBypassTheCompanyProvider() async throws {
        let key = try #require(Self.key)
        let (company, user) = try await company {
            $0.providers = [
                IdentityProvider(
                    name: "google", issuer: "https://accounts.google.com", audiences: ["app"],
                    keys: JSONWebKeySet(publishing: [key]).json)
            ]
        }
        try await setActive(true, company)
        let emulator = company.emulator
        let now = emulator.server.panel.clock.now.seconds
        let token = try TokenWriter.sign(
            [
                "iss": "https://accounts.google.com", "aud": "app", "sub": "g-1", "iat": .int(now), "exp": .int(now + 600),
                "email": "ada@acme.example", "email_verified": true,
            ], with: key)
        for strategy in ["oauth_token_google", "google_one_tap"] {
            let device = emulator.device()
            let refused = try await device.post("/client/sign_ins", ["strategy": strategy, "token": token])
            #expect(refused.code == "strategy_for_user_invalid", "\(strategy)")
            #expect(try await !hasSession(device))
        }
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ins", ["strategy": "oauth_google", "redirect_url": "com.example.app://callback"])
        let url = begun.response["first_factor_verification"]?["external_verification_redirect_url"]?.string ?? ""
        let page = try await emulator.send(HTTPRequest(.get, url + "&sub=g-1&email=ada%40acme.example"))
        let back = try await emulator.send(HTTPRequest(.get, page.headers["Location"] ?? ""))
        #expect(back.headers["Location"] == "com.example.app://callback")
        let seen = try await device.get("/client/sign_ins/\(begun["id"])")
        #expect(seen.response["first_factor_verification"]?["error"]?["code"] == "strategy_for_user_invalid")
        #expect(try await !hasSession(device))
        // A sign-up that finds a known user does not help either.
        let other = emulator.device()
        let known = try await other.post("/client/sign_ups", ["strategy": "oauth_token_google", "token": token])
        #expect(known.response["verifications"]?["external_account"]?["status"] == "transferable")
        #expect(try await other.post("/client/sign_ins", ["transfer": "true"]).code == "strategy_for_user_invalid")
        #expect(try await emulator.backend(.get, "/users/\(user)").json["external_accounts"] == [])
    }

    @Test func earlierLinkDoesNotBypassTheProvider() async throws {
        let (company, _) = try await company()
        let emulator = company.emulator
        let verifier = "a-verifier-that-only-this-device-knows-0123456789"
        let challenge = Base64.encode(HashFunction.sha256.digest(Array(verifier.utf8)), .url)
        func mailed(_ device: Device, _ more: HTTPForm) async throws -> String {
            let begun = try await device.post("/client/sign_ins", ["identifier": "ada@acme.example"])
            let path = "/client/sign_ins/\(begun["id"])/prepare_first_factor"
            #expect(try await device.post(path, HTTPForm(more.pairs + [("strategy", "email_link")])).status == 200)
            return emulator.link(to: "ada@acme.example")
        }
        let native: HTTPForm = [
            "redirect_uri": "com.example.app://callback", "code_challenge": challenge, "code_challenge_method": "S256",
        ]
        func complete(_ device: Device, _ link: String) async throws -> TestResponse {
            let query = Percent.decodeForm(link.split(separator: "?").last ?? "") ?? []
            return try await device.post(
                "/client/magic_links/complete",
                HTTPForm(query.map { (name: $0.name, value: $0.value) } + [(name: "code_verifier", value: verifier)]))
        }
        let (approved, late, page) = (emulator.device(), emulator.device(), emulator.device())
        let ticket = try #require(try await complete(approved, try await mailed(approved, native)).json["ticket"]?.string)
        #expect(!ticket.isEmpty)
        let lateLink = try await mailed(late, native)
        let pageLink = try await mailed(page, ["redirect_url": "https://app.example.com/"])
        try await setActive(true, company)
        #expect(
            try await approved.post("/client/sign_ins", ["strategy": "ticket", "ticket": ticket]).code
                == "strategy_for_user_invalid")
        #expect(try await complete(late, lateLink).code == "approval_token_invalid")
        let opened = try await emulator.send(HTTPRequest(.get, pageLink))
        #expect(opened.headers["Location"]?.contains("__clerk_status=failed") == true)
        for device in [approved, late, page] { #expect(try await !hasSession(device)) }
    }

    @Test func earlierCodeVerifiesNoAddressOfTheDomain() async throws {
        let company = try Company { $0.emailVerification = [.code, .link] }
        try await setActive(false, company)
        let emulator = company.emulator
        let device = emulator.device()
        try await device.signUp("eve@home.example")
        func add(_ address: String, _ form: HTTPForm) async throws -> String {
            let path = "/me/email_addresses/\(try await device.post("/me/email_addresses", ["email_address": address])["id"])"
            #expect(try await device.post(path + "/prepare_verification", form).status == 200)
            return path
        }
        let coded = try await add("eve@acme.example", ["strategy": "email_code"])
        let linked = try await add(
            "eve2@acme.example", ["strategy": "email_link", "redirect_url": "https://app.example.com/"])
        try await setActive(true, company)
        let code: HTTPForm = ["code": emulator.code(to: "eve@acme.example")]
        #expect(try await device.post(coded + "/attempt_verification", code).code == "strategy_for_user_invalid")
        let opened = try await emulator.send(HTTPRequest(.get, emulator.link(to: "eve2@acme.example")))
        #expect(opened.headers["Location"]?.contains("__clerk_status=failed") == true)
        for path in [coded, linked] {
            #expect(try await device.get(path).response["verification"]?["status"] != "verified", "\(path)")
        }
    }

    @Test func userNameGetsNoCodeForTheDomain() async throws {
        let (company, _) = try await company { $0.username = .optional }
        let emulator = company.emulator
        let before = emulator.device()
        let sent = try await before.prepare("email_code", "ada1")
        #expect(sent.status == 200)
        let code: HTTPForm = ["strategy": "email_code", "code": emulator.code(to: "ada@acme.example")]
        try await setActive(true, company)
        let device = emulator.device()
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada1"])
        #expect(begun.strategies("supported_first_factors") == ["password"])
        let mails = emulator.server.panel.outbox.mails(to: "ada@acme.example").count
        let path = "/client/sign_ins/\(begun["id"])/prepare_first_factor"
        #expect(try await device.post(path, ["strategy": "email_code"]).code == "strategy_for_user_invalid")
        #expect(emulator.server.panel.outbox.mails(to: "ada@acme.example").count == mails)
        #expect(
            try await before.post("/client/sign_ins/\(sent["id"])/attempt_first_factor", code).code
                == "strategy_for_user_invalid")
        #expect(try await !hasSession(before))
    }

    /// An administrator's ticket overrides the provider.
    ///
    /// An invitation that reached the mailbox is a verification by mail.
    @Test func onlyAnAdministratorsTicketBypassesTheProvider() async throws {
        let (company, user) = try await company { $0.organizations.isEnabled = true }
        let emulator = company.emulator
        try await setActive(true, company)
        #expect(try await company.signIn(emulator.device())["status"] == "complete")
        let token = try #require(
            try await emulator.backend(.post, "/sign_in_tokens", ["user_id": .string(user)]).json["token"]?.string)
        let device = emulator.device()
        #expect(try await device.post("/client/sign_ins", ["strategy": "ticket", "ticket": token])["status"] == "complete")
        let (boss, _) = try await emulator.member("boss@home.example")
        let organization = try await boss.post("/organizations", ["name": "Acme"])["id"]
        _ = try await boss.post(
            "/organizations/\(organization)/invitations", ["email_address": "ada@acme.example", "role": "org:member"])
        let link = emulator.link(to: "ada@acme.example")
        let ticket = Percent.decodeForm(link.split(separator: "?").last ?? "")?.first { $0.name == "ticket" }?.value ?? ""
        #expect(!ticket.isEmpty)
        let invited = try await emulator.device().post("/client/sign_ins", ["strategy": "ticket", "ticket": ticket])
        #expect(invited.code == "strategy_for_user_invalid")
        // After a sign-in with the provider, the user accepts it.
        let other = emulator.device()
        _ = try await company.signIn(other)
        let waiting = try #require(try await other.get("/me/organization_invitations").response["data"]?[0]?["id"]?.string)
        #expect(try await other.post("/me/organization_invitations/\(waiting)/accept")["status"] == "accepted")
    }
}
