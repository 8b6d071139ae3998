import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Attacks by a company's provider, or by someone between it and the instance.
@Suite(.limitedConcurrency)
struct EnterpriseRefusalTests {
    private func error(_ signIn: TestResponse) -> String? {
        signIn.response["first_factor_verification"]?["error"]?["code"]?.string
    }

    @Test(
        arguments: [
            (["iss": "https://issuer.invalid"], "oauth_token_exchange_error"),
            (["aud": "another app"], "oauth_token_exchange_error"),
            (["exp": 1], "oauth_token_exchange_error"), (["nonce": "another"], "oauth_token_exchange_error"),
            (["nonce": nil], "oauth_token_exchange_error"), (["sub": "employee-2"], "oauth_fetch_user_error"),
            (["sub": nil], "oauth_fetch_user_error"),
        ] as [(JSONObject, String)])
    func everyClaimOfTheIDTokenIsChecked(flaws: JSONObject, code: String) async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        // Ada is known, so an accepted code would create a session.
        try await company.join(company.emulator.device())
        company.issuer.emulator.expect(Company.ada(), flaws: flaws)
        let device = company.emulator.device()
        let signIn = try await company.signIn(device)
        #expect(error(signIn) == code)
        #expect(signIn.response["first_factor_verification"]?["status"] == "unverified")
        #expect(try await device.get("/client").response["sessions"] == [])
        #expect(try company.emulator.admin.userCount() == 1)
    }

    @Test func anIDTokenOfAnotherKeyIsRejected() async throws {
        let company = try Company(publishes: false)
        company.issuer.emulator.expect(Company.ada())
        #expect(error(try await company.signIn(company.emulator.device())) == "oauth_token_exchange_error")
    }

    @Test func onlyUsersOfTheDomainSignIn() async throws {
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

    @Test func errorIsReportedInTheAttempt() async throws {
        let company = try Company()
        company.issuer.emulator.expect(.refuses)
        #expect(error(try await company.signIn(company.emulator.device())) == "oauth_access_denied")
    }

    @Test func codeWorksOnceAndOnlyWithItsState() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let emulator = company.emulator
        // Ada is known, so an accepted code would create a session.
        try await company.join(emulator.device())
        let device = emulator.device()
        let other = emulator.device()
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
        let foreign = try await begin(other)
        let state = try #require(
            foreign.callback.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix("state=") })
        let bare = try #require(code.split(separator: "=").last)
        // A code of one flow with the state of another one: its token has the wrong nonce.
        let mixed = emulator.server.base + "/v1/oauth_callback?code=\(bare)&\(state)"
        _ = try await emulator.send(HTTPRequest(.get, mixed))
        #expect(error(try await other.get("/client/sign_ins/\(foreign.id)")) == "oauth_token_exchange_error")
        #expect(try await other.get("/client").response["sessions"] == [])
        #expect(
            try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/oauth_callback?code=\(bare)&state=x")).status
                == 400)
        #expect(try await emulator.send(HTTPRequest(.get, mixed)).code == "oauth_callback_invalid")
        emulator.pass(601)
        #expect(try await emulator.send(HTTPRequest(.get, own.callback)).code == "oauth_callback_invalid")
        #expect(try await device.get("/client/sign_ins/\(own.id)")["status"] != "complete")
    }

    @Test func unreachableProviderIsNamed() async throws {
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

    @Test func bannedUserIsRejected() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        try await company.join(company.emulator.device())
        let user = try #require(try company.emulator.admin.users().first)
        try await company.emulator.admin.setDisabled(true, of: user.id)
        let signIn = try await company.signIn(company.emulator.device())
        #expect(signIn["status"] != "complete" && error(signIn) == "user_banned")
    }

    /// If the connection says so, the company manages further addresses of a user.
    @Test func connectionCanDisableFurtherAddresses() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        try await company.join(device)
        let id = try #require(try await company.emulator.backend(.get, "/enterprise_connections").json["data"]?[0]?["id"]?.string)
        #expect(try await device.post("/me/email_addresses", ["email_address": "ada@home.example"]).status == 200)
        _ = try await company.emulator.backend(
            .patch, "/enterprise_connections/\(id)", ["disable_additional_identifications": true])
        let refused = try await device.post("/me/email_addresses", ["email_address": "ada@other.example"])
        #expect(refused.status == 422 && refused.code == "enterprise_sso_additional_identifications_disabled")
    }

    // MARK: Changes during a flow

    private func connection(_ company: Company) async throws -> String {
        let id = try #require(
            try await company.emulator.backend(.get, "/enterprise_connections").json["data"]?[0]?["id"]?.string)
        return "/enterprise_connections/\(id)"
    }

    @Test(arguments: [true, false])
    func removedConnectionCreatesNoUserOrSession(isDeleted: Bool) async throws {
        let company = try Company()
        let emulator = company.emulator
        company.issuer.emulator.expect(Company.ada())
        let path = try await connection(company)
        func end() async throws -> Int {
            try await isDeleted
                ? emulator.backend(.delete, path).status : emulator.backend(.patch, path, ["active": false]).status
        }
        let unknown = emulator.device()
        #expect(try await company.signIn(unknown).response["first_factor_verification"]?["status"] == "transferable")
        let under = emulator.device()
        let begun = try await under.post(
            "/client/sign_ins",
            ["strategy": "enterprise_sso", "identifier": "ada@acme.example", "redirect_url": "com.example.app://callback"])
        // A known user of that provider, who signs up with another address.
        try await company.join(emulator.device())
        let known = emulator.device()
        let signUp = try await known.post(
            "/client/sign_ups",
            [
                "email_address": "countess@acme.example", "strategy": "enterprise_sso",
                "redirect_url": "com.example.app://callback",
            ])
        try await company.visit(signUp.response["verifications"]?["external_account"])
        let seen = try await known.get("/client/sign_ups/\(signUp["id"])").response["verifications"]?["external_account"]
        #expect(seen?["status"] == "transferable")
        #expect(try await end() == 200)

        let made = try await unknown.post("/client/sign_ups", ["transfer": "true"])
        #expect(made.code == "enterprise_sso_sign_up_connection_missing")
        let transferred = try await known.post("/client/sign_ins", ["transfer": "true"])
        #expect(transferred.code == "enterprise_sso_sign_in_connection_missing")
        #expect(try await company.visit(begun.response["first_factor_verification"]) == "com.example.app://callback")
        #expect(
            error(try await under.get("/client/sign_ins/\(begun["id"])")) == "enterprise_sso_sign_in_connection_missing")
        for device in [unknown, known, under] { #expect(try await device.get("/client").response["sessions"] == []) }
        #expect(try emulator.admin.userCount() == 1)
    }

    /// An error at the completion of the sign-up is reported in the attempt, and nothing of the sign-up remains.
    @Test func signUpErrorIsReportedInTheAttempt() async throws {
        let company = try Company {
            $0.phoneNumber = .optional
            $0.verifiesPhoneAtSignUp = false
        }
        let emulator = company.emulator
        company.issuer.emulator.expect(Company.ada())
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups",
            [
                "email_address": "ada@acme.example", "phone_number": "+15555550123", "strategy": "enterprise_sso",
                "redirect_url": "com.example.app://callback",
            ])
        let bob: JSON = [
            "phone_number": ["+15555550123"], "email_address": ["bob@home.example"], "password": .string(TestEmulator.password),
        ]
        #expect(try await emulator.backend(.post, "/users", bob).status == 200)
        #expect(try emulator.admin.userCount() == 1)
        let verification = begun.response["verifications"]?["external_account"]
        #expect(try await company.visit(verification) == "com.example.app://callback")
        let seen = try await device.get("/client/sign_ups/\(begun["id"])")
        #expect(seen["status"] == "missing_requirements")
        #expect(seen.response["verifications"]?["external_account"]?["error"]?["code"] == "form_identifier_exists")
        #expect(try await device.get("/client").response["sessions"] == [])
        #expect(try emulator.admin.userCount() == 1)
    }

    // MARK: Reverification

    /// A session of Ada, who signed in with her company's provider, and the path of its reverification.
    private func session(_ company: Company) async throws -> (device: Device, path: String) {
        company.emulator.admin.change { $0.asksAgain = true }
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        try await company.join(device)
        let path = try await "/client/sessions/\(device.sessionID())/verify"
        _ = try await device.post(path, ["level": "first_factor"])
        return (device, path)
    }

    private let toProvider: HTTPForm = ["strategy": "enterprise_sso", "redirect_url": "com.example.app://callback"]

    @Test func verificationByAnotherUserChangesNothing() async throws {
        let company = try Company()
        let (device, path) = try await session(company)
        let bob = try await company.emulator.admin.createUser(email: "bob@acme.example", password: "correct horse battery")
        company.issuer.emulator.expect(Company.ada(["sub": "employee-2", "email": "bob@acme.example"]))
        let sent = try await device.post(path + "/prepare_first_factor", toProvider)
        try await company.visit(sent.response["first_factor_verification"])
        #expect(try await device.post(path + "/prepare_first_factor", toProvider)["status"] == "needs_first_factor")
        let user = try await company.emulator.backend(.get, "/users/\(bob.id)").json
        #expect(user["enterprise_accounts"] == [] && user["first_name"] == .null)
    }

    @Test func onlyTheLastPreparedVerificationCompletes() async throws {
        let company = try Company()
        let (device, path) = try await session(company)
        let former = try await device.post(path + "/prepare_first_factor", toProvider)
        #expect(try await device.post(path + "/prepare_first_factor", ["strategy": "email_code"]).status == 200)
        try await company.visit(former.response["first_factor_verification"])
        let again = try await device.post(path + "/prepare_first_factor", toProvider)
        #expect(again["status"] == "needs_first_factor")
        // Nor does a verification that was prepared earlier.
        _ = try await device.post(path, ["level": "first_factor"])
        try await company.visit(again.response["first_factor_verification"])
        let last = try await device.post(path + "/prepare_first_factor", toProvider)
        #expect(last["status"] == "needs_first_factor")
        try await company.visit(last.response["first_factor_verification"])
        let over = try await device.post(path + "/prepare_first_factor", toProvider)
        #expect(over.code == "invalid_action_for_session_reverification")
    }
}
