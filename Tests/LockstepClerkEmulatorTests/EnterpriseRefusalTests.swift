import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// What a company's provider, or who stands between, must not get away with.
@Suite(.limitedConcurrency)
struct EnterpriseRefusalTests {
    private func error(_ signIn: TestResponse) -> String? {
        signIn.response["first_factor_verification"]?["error"]?["code"]?.string
    }

    /// Cases: D06, D08.
    @Test(
        arguments: [
            ["iss": "https://issuer.invalid"], ["aud": "another app"], ["exp": 1], ["nonce": "another"], ["nonce": nil],
            ["sub": "employee-2"], ["sub": nil],
        ] as [JSONObject])
    func anIDTokenIsRightInEveryRespect(flaws: JSONObject) async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada(), flaws: flaws)
        let signIn = try await company.signIn(company.emulator.device())
        #expect(["oauth_token_exchange_error", "oauth_fetch_user_error"].contains(error(signIn)))
        #expect(signIn["status"] != "complete" && signIn.response["first_factor_verification"]?["status"] == "unverified")
        #expect(try company.emulator.admin.userCount() == 0)
    }

    @Test func anIDTokenOfAnotherKeyIsRefused() async throws {
        let company = try Company(publishes: false)
        company.issuer.emulator.expect(Company.ada())
        #expect(error(try await company.signIn(company.emulator.device())) == "oauth_token_exchange_error")
    }

    @Test func onlyTheDomainsUsersComeIn() async throws {
        let company = try Company()
        let emulator = company.emulator
        _ = try await emulator.admin.createUser(email: "eve@elsewhere.example", password: "correct horse battery")
        for (claims, code) in [
            (["email": "eve@elsewhere.example"], "enterprise_sso_email_address_domain_mismatch"),
            (["email": "eve@acme.example.evil.example"], "enterprise_sso_email_address_domain_mismatch"),
            (["email": "eve@sub.acme.example"], "enterprise_sso_email_address_domain_mismatch"),
            (["email": nil], "enterprise_sso_user_attribute_missing"),
            (["email": "no address"], "enterprise_sso_user_attribute_missing"),
        ] as [(JSONObject, String)] {
            company.issuer.emulator.expect(Company.ada(claims))
            #expect(error(try await company.signIn(emulator.device())) == code, "\(claims)")
        }
        #expect(try emulator.admin.userCount() == 1)
    }

    @Test func aRefusalIsInsideTheAttempt() async throws {
        let company = try Company()
        company.issuer.emulator.expect(.refuses)
        #expect(error(try await company.signIn(company.emulator.device())) == "oauth_access_denied")
    }

    /// Cases: C01, C03.
    @Test func aCodeIsGoodOnceAndWithItsStateOnly() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let emulator = company.emulator
        let device = emulator.device()
        func begin(_ device: Device) async throws -> (id: String, callback: String) {
            let begun = try await device.post(
                "/client/sign_ins",
                ["strategy": "enterprise_sso", "identifier": "ada@acme.example", "redirect_url": "com.example.app://callback"])
            let url = begun.response["first_factor_verification"]?["external_verification_redirect_url"]?.string ?? ""
            let page = try await emulator.send(HTTPRequest(.get, url))
            return (begun["id"], try #require(page.headers["Location"]))
        }
        let own = try await begin(device)
        let code = try #require(own.callback.split(separator: "&").first { $0.contains("code=") })
        let foreign = try await begin(emulator.device())
        let state = try #require(
            foreign.callback.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix("state=") })
        let bare = try #require(code.split(separator: "=").last)
        // A code that was made for one flow, brought with the state of another: its token has the wrong nonce.
        let mixed = emulator.server.base + "/v1/oauth_callback?code=\(bare)&\(state)"
        _ = try await emulator.send(HTTPRequest(.get, mixed))
        #expect(try emulator.admin.userCount() == 0)
        #expect(
            try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/oauth_callback?code=\(bare)&state=x")).status
                == 400)
        #expect(try await emulator.send(HTTPRequest(.get, mixed)).code == "oauth_callback_invalid")
        emulator.pass(601)
        #expect(try await emulator.send(HTTPRequest(.get, own.callback)).code == "oauth_callback_invalid")
        #expect(try await device.get("/client/sign_ins/\(own.id)")["status"] != "complete")
    }

    @Test func aProviderThatCannotBeAskedIsNamed() async throws {
        let company = try Company()
        company.issuer.stop()
        let gone = try await company.emulator.device().post(
            "/client/sign_ins",
            ["strategy": "enterprise_sso", "identifier": "ada@acme.example", "redirect_url": "com.example.app://callback"])
        #expect(gone.status == 400 && gone.code == "misconfigured_oauth_provider")
        let emulator = try TestEmulator {
            $0.enterprise.connections = [
                EnterpriseConnection(name: "far", domains: ["far.example"], issuer: "https://far.example", clientID: "app")
            ]
        }
        let far = try await emulator.device().post(
            "/client/sign_ins",
            ["strategy": "enterprise_sso", "identifier": "ada@far.example", "redirect_url": "https://app.example/"])
        #expect(far.code == "misconfigured_oauth_provider")
    }

    @Test func aBannedUserStaysOut() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        try await company.join(company.emulator.device())
        let user = try #require(try company.emulator.admin.users().first)
        try company.emulator.admin.setDisabled(true, of: user.id)
        let signIn = try await company.signIn(company.emulator.device())
        #expect(signIn["status"] != "complete" && error(signIn) == "user_banned")
    }

    /// A user's further addresses are the company's business where the connection says so.
    @Test func moreIdentificationsCanBeShut() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        try await company.join(device)
        let id = try await company.emulator.backend(.get, "/enterprise_connections").json["data"]?[0]?["id"]?.string ?? ""
        #expect(try await device.post("/me/email_addresses", ["email_address": "ada@home.example"]).status == 200)
        _ = try await company.emulator.backend(
            .patch, "/enterprise_connections/\(id)", ["disable_additional_identifications": true])
        let refused = try await device.post("/me/email_addresses", ["email_address": "ada@other.example"])
        #expect(refused.status == 422 && refused.code == "enterprise_sso_additional_identifications_disabled")
    }
}
