import LockstepClerkEmulator
import LockstepCrypto
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Sign-ins and sign-ups with a company's provider, which runs on this machine.
@Suite(.limitedConcurrency)
struct EnterpriseTests {
    @Test func domainUserSignsUpAndInWithTheProvider() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@acme.example"])
        #expect(begun["status"] == "needs_identifier")
        #expect(begun.strategies("supported_first_factors") == ["enterprise_sso"])
        let factor = begun.response["supported_first_factors"]?[0]
        #expect(factor?["enterprise_connection_name"] == "acme" && factor?["enterprise_connection_id"]?.string != nil)
        // Like clerk-js: the factor is prepared on the existing sign-in.
        let sent = try await device.post(
            "/client/sign_ins/\(begun["id"])/prepare_first_factor",
            ["strategy": "enterprise_sso", "redirect_url": "com.example.app://callback"])
        #expect(try await company.visit(sent.response["first_factor_verification"]) == "com.example.app://callback")
        let seen = try await device.get("/client/sign_ins/\(begun["id"])").response["first_factor_verification"]
        #expect(seen?["status"] == "transferable" && seen?["error"]?["code"] == "external_account_not_found")
        let done = try await device.post("/client/sign_ups", ["transfer": "true"])
        #expect(done["status"] == "complete")
        #expect(done.client["last_authentication_strategy"] == "enterprise_sso")
        let user = done.client["sessions"]?[0]?["user"]
        #expect(user?["first_name"] == "Ada" && user?["email_addresses"]?[0]?["email_address"] == "ada@acme.example")
        #expect(user?["email_addresses"]?[0]?["verification"]?["status"] == "verified")
        #expect(user?["email_addresses"]?[0]?["matches_sso_connection"] == true)
        #expect(user?["external_accounts"] == [])
        let account = user?["enterprise_accounts"]?[0]
        #expect(account?["provider_user_id"] == "employee-1" && account?["active"] == true && account?["protocol"] == "oauth")
        #expect(account?["enterprise_connection"]?["name"] == "acme")

        let other = company.emulator.device()
        let again = try await company.signIn(other)
        #expect(again["status"] == "complete")
        #expect(again.client["sessions"]?[0]?["user"]?["id"] == user?["id"])
        #expect(try company.emulator.admin.userCount() == 1)
        let exchange = try #require(company.issuer.emulator.exchanges.last)
        // RFC 6749, section 2.3.1: name and secret are form-encoded before they are joined.
        #expect(exchange.authorization == "Basic " + Base64.encode(Array("clerk+app:of+the+company".utf8)))
        #expect(exchange.form["code_verifier"] == nil && exchange.form["grant_type"] == "authorization_code")
    }

    @Test func redirectReturnsTheRotatedToken() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        try await company.join(device)
        let other = company.emulator.device()
        let begun = try await other.post(
            "/client/sign_ins",
            ["strategy": "enterprise_sso", "identifier": "ada@acme.example", "redirect_url": "com.example.app://callback"])
        let target = try await company.visit(begun.response["first_factor_verification"])
        #expect(target.hasPrefix("com.example.app://callback?rotating_token_nonce="))
    }

    @Test func clientWithoutASecretUsesPKCE() async throws {
        let company = try Company(secret: nil)
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        let begun = try await device.post(
            "/client/sign_ins",
            ["strategy": "enterprise_sso", "identifier": "ada@acme.example", "redirect_url": "com.example.app://callback"])
        let url = begun.response["first_factor_verification"]?["external_verification_redirect_url"]?.string ?? ""
        let query = Percent.decodeForm(url.drop { $0 != "?" }.dropFirst()) ?? []
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        #expect(value("code_challenge_method") == "S256" && value("login_hint") == "ada@acme.example")
        _ = try await company.come(from: url)
        let exchange = try #require(company.issuer.emulator.exchanges.last)
        #expect(exchange.authorization.isEmpty && exchange.form["client_id"] == "clerk app")
        #expect(Base64.encode(HashFunction.sha256.digest(exchange.form["code_verifier"] ?? ""), .url) == value("code_challenge"))
    }

    @Test func otherSignInMethodsAreDisabledForTheDomain() async throws {
        let company = try Company { $0.username = .optional }
        let emulator = company.emulator
        let ada = try await emulator.admin.createUser(email: "ada@acme.example", password: "correct horse battery")
        _ = try await emulator.backend(.patch, "/users/\(ada.id)", ["username": "ada1"])
        let device = emulator.device()
        #expect(try await device.signIn("ada@acme.example").code == "strategy_for_user_invalid")
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@acme.example"])
        #expect(begun["status"] == "needs_first_factor")
        #expect(begun.strategies("supported_first_factors") == ["enterprise_sso"])
        let path = "/client/sign_ins/\(begun["id"])"
        for strategy in ["email_code", "email_link", "reset_password_email_code"] {
            let form: HTTPForm = ["strategy": strategy, "redirect_url": "https://app.example/"]
            #expect(
                try await device.post(path + "/prepare_first_factor", form).code == "strategy_for_user_invalid", "\(strategy)")
        }
        let password: HTTPForm = ["strategy": "password", "password": TestEmulator.password]
        #expect(try await device.post(path + "/attempt_first_factor", password).code == "strategy_for_user_invalid")
        #expect(emulator.server.panel.outbox.mails(to: "ada@acme.example").isEmpty)
        // She can sign in with her user name until her first sign-in with the provider.
        #expect(try await emulator.device().signIn("ada1")["status"] == "complete")
        company.issuer.emulator.expect(Company.ada())
        #expect(try await company.signIn(emulator.device())["status"] == "complete")
        #expect(try await emulator.device().signIn("ada1").code == "sign_in_must_use_enterprise_connection_identifier")
        #expect(try await emulator.device().signIn("bob@elsewhere.example").code == "form_identifier_not_found")
    }

    /// A code that was mailed before the connection became active is invalid afterwards.
    @Test func activeConnectionVoidsEarlierCodes() async throws {
        let company = try Company()
        let emulator = company.emulator
        let connections = try await emulator.backend(.get, "/enterprise_connections").json["data"]
        let id = try #require(connections?[0]?["id"]?.string)
        _ = try await emulator.backend(.patch, "/enterprise_connections/\(id)", ["active": false])
        _ = try await emulator.admin.createUser(email: "ada@acme.example", password: "correct horse battery")
        let device = emulator.device()
        let sent = try await device.prepare("email_code", "ada@acme.example")
        let code: HTTPForm = ["strategy": "email_code", "code": emulator.code(to: "ada@acme.example")]
        #expect(
            try await emulator.device().post(
                "/client/sign_ins", ["strategy": "enterprise_sso", "identifier": "ada@acme.example"]
            ).code
                == "enterprise_sso_sign_in_connection_missing")
        _ = try await emulator.backend(.patch, "/enterprise_connections/\(id)", ["active": true])
        let path = "/client/sign_ins/\(sent["id"])/attempt_first_factor"
        #expect(try await device.post(path, code).code == "strategy_for_user_invalid")
        #expect(try await device.get("/client").response["sessions"] == [])
    }

    @Test func signUpOfTheDomainUsesTheProvider() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["email_address": "ada@acme.example", "password": TestEmulator.password])
        #expect(begun.list("missing_fields") == ["enterprise_sso"])
        let path = "/client/sign_ups/\(begun["id"])"
        _ = try await device.post(path + "/prepare_verification", ["strategy": "email_code"])
        let proven = try await device.post(
            path + "/attempt_verification",
            ["strategy": "email_code", "code": company.emulator.code(to: "ada@acme.example")])
        #expect(proven["status"] == "missing_requirements" && proven.list("missing_fields") == ["enterprise_sso"])
        let sent = try await device.call(
            .patch, path, ["strategy": "enterprise_sso", "redirect_url": "com.example.app://callback"])
        try await company.visit(sent.response["verifications"]?["external_account"])
        let done = try await device.get(path)
        #expect(done["status"] == "complete" && done.client["last_authentication_strategy"] == "enterprise_sso")
        let none = try await company.emulator.device().post(
            "/client/sign_ups",
            [
                "email_address": "bob@elsewhere.example", "strategy": "enterprise_sso",
                "redirect_url": "com.example.app://callback",
            ])
        #expect(none.code == "enterprise_sso_sign_up_connection_missing")
    }

    /// "Users can be added through invitations, enterprise connections or manual user creation"
    /// (https://clerk.com/docs/guides/secure/restricting-access).
    @Test func restrictedInstanceAcceptsUsersOfTheCompany() async throws {
        let company = try Company { $0.signUpMode = .restricted }
        let emulator = company.emulator
        company.issuer.emulator.expect(Company.ada())
        #expect(try await company.join(emulator.device())["status"] == "complete")
        company.issuer.emulator.expect(Company.ada(["sub": "employee-2", "email": "bob@acme.example"]))
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups",
            ["email_address": "bob@acme.example", "strategy": "enterprise_sso", "redirect_url": "com.example.app://callback"])
        let path = "/client/sign_ups/\(begun["id"])"
        #expect(try await device.call(.patch, path, ["email_address": "eve@elsewhere.example"]).code == "sign_up_mode_restricted")
        #expect(try await device.call(.patch, path, ["email_address": ""]).code == "sign_up_mode_restricted")
        try await company.visit(begun.response["verifications"]?["external_account"])
        #expect(try await device.get(path)["status"] == "complete")
        for form in [["email_address": "eve@elsewhere.example"], ["transfer": "true"], [:]] as [HTTPForm] {
            #expect(try await emulator.device().post("/client/sign_ups", form).code == "sign_up_mode_restricted")
        }
        emulator.admin.change { $0.signUpMode = .waitlist }
        let waiting = try await emulator.device().post("/client/sign_ups", ["email_address": "carl@acme.example"])
        #expect(waiting.code == "sign_up_restricted_waitlist")
    }

    @Test func onlyVerifiedAddressesMerge() async throws {
        let company = try Company()
        let emulator = company.emulator
        let ada = try await emulator.admin.createUser(email: "ada@acme.example", password: "correct horse battery")
        company.issuer.emulator.expect(Company.ada(["email_verified": false]))
        let unproven = try await company.signIn(emulator.device())
        #expect(unproven.response["first_factor_verification"]?["status"] == "transferable")
        company.issuer.emulator.expect(Company.ada(["email_verified": nil]))
        let merged = try await company.signIn(emulator.device())
        #expect(merged["status"] == "complete" && merged.client["sessions"]?[0]?["user"]?["id"]?.string == ada.id)
        // From now on the account is identified by its id at the provider, not by its address.
        company.issuer.emulator.expect(Company.ada(["email": "countess@acme.example"]))
        #expect(try await company.signIn(emulator.device()).client["sessions"]?[0]?["user"]?["id"]?.string == ada.id)
        #expect(try emulator.admin.userCount() == 1)
    }

    @Test func namesAreSyncedIfTheConnectionAsks() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        try await company.join(company.emulator.device())
        company.issuer.emulator.expect(Company.ada(["family_name": "King"]))
        let renamed = try await company.signIn(company.emulator.device())
        #expect(renamed.client["sessions"]?[0]?["user"]?["last_name"] == "King")
        let id = try #require(try await company.emulator.backend(.get, "/enterprise_connections").json["data"]?[0]?["id"]?.string)
        _ = try await company.emulator.backend(.patch, "/enterprise_connections/\(id)", ["sync_user_attributes": false])
        company.issuer.emulator.expect(Company.ada(["family_name": "Byron"]))
        let kept = try await company.signIn(company.emulator.device())
        #expect(kept.client["sessions"]?[0]?["user"]?["last_name"] == "King")
        #expect(kept.client["sessions"]?[0]?["user"]?["enterprise_accounts"]?[0]?["last_name"] == "Byron")
    }

    @Test func providerVerifiesAnAddressAndASession() async throws {
        let company = try Company()
        let device = company.emulator.device()
        try await device.signUp("ada@home.example")
        let added = try await device.post("/me/email_addresses", ["email_address": "ada@acme.example"])["id"]
        let path = "/me/email_addresses/\(added)/prepare_verification"
        #expect(try await device.post(path, ["strategy": "email_code"]).code == "strategy_for_user_invalid")
        let form: HTTPForm = ["strategy": "enterprise_sso", "redirect_url": "com.example.app://callback"]
        company.issuer.emulator.expect(Company.ada(["sub": "employee-2", "email": "eve@acme.example"]))
        try await company.visit(try await device.post(path, form).response["verification"])
        let refused = try await device.get("/me/email_addresses/\(added)").response["verification"]
        #expect(refused?["status"] == "unverified")
        #expect(refused?["error"]?["code"] == "enterprise_sso_account_already_connected")
        company.issuer.emulator.expect(Company.ada())
        try await company.visit(try await device.post(path, form).response["verification"])
        let user = try await device.get("/me").response
        #expect(user["enterprise_accounts"]?[0]?["email_address"] == "ada@acme.example")
        #expect(user["email_addresses"]?.array?.allSatisfy { $0["verification"]?["status"] == "verified" } == true)

        let session = try #require(try await device.get("/client").response["last_active_session_id"]?.string)
        let verify = "/client/sessions/\(session)/verify"
        let begun = try await device.post(verify, ["level": "first_factor"])
        #expect(begun.strategies("supported_first_factors").contains("enterprise_sso"))
        company.issuer.emulator.expect(Company.ada(["sub": "employee-2", "email": "eve@acme.example"]))
        try await company.visit(
            try await device.post(verify + "/prepare_first_factor", form).response["first_factor_verification"])
        #expect(
            try await device.post(verify + "/attempt_first_factor", ["strategy": "password", "password": "wrong one"]).status
                == 422)
        company.issuer.emulator.expect(Company.ada())
        try await company.visit(
            try await device.post(verify + "/prepare_first_factor", form).response["first_factor_verification"])
        let over = try await device.post(verify + "/prepare_first_factor", form)
        #expect(over.code == "invalid_action_for_session_reverification")
    }
}
