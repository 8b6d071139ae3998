import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Identity providers: ID tokens, redirects, transfers between sign-in and sign-up.
@Suite(.limitedConcurrency)
struct ProviderTests {
    private static let key = try? SigningKey.makeRSA(id: "apple-1")
    private static let foreign = try? SigningKey.makeRSA(id: "apple-1")

    private func emulator(_ change: (inout ClerkSettings) -> Void = { _ in }) throws -> TestEmulator {
        let key = try #require(Self.key)
        return try TestEmulator { settings in
            settings.providers = [
                IdentityProvider(
                    name: "apple", issuer: "https://appleid.apple.com", audiences: ["com.example.app"],
                    keys: JSONWebKeySet(publishing: [key]).json)
            ]
            change(&settings)
        }
    }

    private func token(_ emulator: TestEmulator, _ changes: JSONObject = [:], signedBy other: SigningKey? = nil) throws -> String
    {
        let now = emulator.server.panel.clock.now.seconds
        var claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": "com.example.app", "sub": "001.ada", "iat": .int(now),
            "exp": .int(now + 600),
            "email": "ada@example.com", "email_verified": true,
        ]
        for (name, value) in changes { claims[name] = value }
        return try TokenWriter.sign(claims, with: other ?? #require(Self.key))
    }

    @Test func anIDTokenSignsUpAndInAgain() async throws {
        let emulator = try emulator()
        let device = emulator.device()
        let done = try await device.post(
            "/client/sign_ups", ["strategy": "oauth_token_apple", "token": try token(emulator), "first_name": "Ada"])
        #expect(done["status"] == "complete")
        let user = done.client["sessions"]?[0]?["user"]
        #expect(user?["first_name"] == "Ada" && user?["external_accounts"]?[0]?["provider_user_id"] == "001.ada")
        #expect(user?["email_addresses"]?[0]?["verification"]?["object"] == "verification_from_oauth")
        let other = emulator.device()
        let again = try await other.post("/client/sign_ins", ["strategy": "oauth_token_apple", "token": try token(emulator)])
        #expect(again["status"] == "complete")
        #expect(again.client["sessions"]?[0]?["user"]?["id"] == user?["id"])
    }

    @Test func badTokensAreRejected() async throws {
        let emulator = try emulator()
        func refused(_ token: String) async throws -> String? {
            try await emulator.device().post("/client/sign_ins", ["strategy": "oauth_token_apple", "token": token]).parameter
        }
        #expect(try await refused(try token(emulator, signedBy: Self.foreign)) == "token")
        #expect(try await refused(try token(emulator, ["aud": "another"])) == "token")
        #expect(try await refused(try token(emulator, ["iss": "https://issuer.invalid"])) == "token")
        #expect(try await refused(try token(emulator, ["exp": 1])) == "token")
        #expect(try await refused("not a token") == "token")
        let off = try await emulator.device().post("/client/sign_ins", ["strategy": "oauth_token_google", "token": "x"])
        #expect(off.status == 400 && off.code == "oauth_provider_not_enabled")
        #expect(try emulator.admin.userCount() == 0)
    }

    @Test func signInOfAnUnknownAccountBecomesASignUp() async throws {
        let emulator = try emulator()
        let device = emulator.device()
        let unknown = try await device.post("/client/sign_ins", ["strategy": "oauth_token_apple", "token": try token(emulator)])
        #expect(unknown.response["first_factor_verification"]?["status"] == "transferable")
        #expect(unknown.response["first_factor_verification"]?["error"]?["code"] == "external_account_not_found")
        let made = try await device.post("/client/sign_ups", ["transfer": "true"])
        #expect(made["status"] == "complete")
        let other = emulator.device()
        let known = try await other.post("/client/sign_ups", ["strategy": "oauth_token_apple", "token": try token(emulator)])
        #expect(known.response["verifications"]?["external_account"]?["error"]?["code"] == "external_account_exists")
        #expect(try await other.post("/client/sign_ins", ["transfer": "true"])["status"] == "complete")
        #expect(try await emulator.device().post("/client/sign_ins", ["transfer": "true"]).code == "account_transfer_invalid")
        #expect(try emulator.admin.userCount() == 1)
    }

    @Test func onlyVerifiedAddressesMerge() async throws {
        let emulator = try emulator()
        let ada = try await emulator.admin.createUser(email: "ada@example.com", password: "correct horse battery")
        let unproven = try token(emulator, ["email_verified": false])
        let refused = try await emulator.device().post("/client/sign_ins", ["strategy": "oauth_token_apple", "token": unproven])
        #expect(refused.response["first_factor_verification"]?["status"] == "transferable")
        let merged = try await emulator.device().post(
            "/client/sign_ins", ["strategy": "oauth_token_apple", "token": try token(emulator)])
        #expect(merged.client["sessions"]?[0]?["user"]?["id"]?.string == ada.id)
    }

    @Test func ownersSignInRevokesEarlierAccess() async throws {
        let emulator = try emulator()
        // An unverified address creates no user: the sign-up waits, and its password is rejected.
        let attacker = emulator.device()
        let begun = try await attacker.post(
            "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        _ = try await attacker.post("/client/sign_ups/\(begun["id"])/prepare_verification", ["strategy": "email_code"])
        #expect(try await emulator.device().signIn().code == "form_identifier_not_found")
        let owner = try await emulator.device().post(
            "/client/sign_ups", ["strategy": "oauth_token_apple", "token": try token(emulator)])
        #expect(owner["status"] == "complete")
        #expect(try await emulator.device().signIn().code == "strategy_for_user_invalid")
        // Even if the attacker gets the earlier code, it creates no second user with the address.
        let late = try await attacker.post(
            "/client/sign_ups/\(begun["id"])/attempt_verification",
            ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")])
        #expect(late["status"] != "complete" && late["created_session_id"].isEmpty)
        #expect(try emulator.admin.userCount() == 1)
        #expect(try await emulator.device().signIn().code == "strategy_for_user_invalid")
    }

    @Test func redirectReturnsARotatedToken() async throws {
        let emulator = try emulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["strategy": "oauth_apple", "redirect_url": "com.example.app://callback"])
        let url = begun.response["verifications"]?["external_account"]?["external_verification_redirect_url"]?.string ?? ""
        let page = try await emulator.send(HTTPRequest(.get, url + "&sub=001.ada&email=ada%40example.com&given_name=Ada"))
        let callback = page.headers["Location"] ?? ""
        #expect(callback.hasPrefix(emulator.server.base + "/v1/oauth_callback?code="))
        let back = try await emulator.send(HTTPRequest(.get, callback))
        let target = back.headers["Location"] ?? ""
        #expect(target.hasPrefix("com.example.app://callback?rotating_token_nonce="))
        let nonce = target.split(separator: "=").last.map(String.init) ?? ""
        let old = device.token
        let done = try await device.get("/client/sign_ups/\(begun["id"])", query: "&rotating_token_nonce=\(nonce)")
        #expect(done["status"] == "complete" && device.token != old)
        #expect(try emulator.admin.users().first?.firstName == "Ada")
        #expect(try await emulator.send(HTTPRequest(.get, callback)).code == "oauth_callback_invalid")
    }

    @Test func errorIsReportedInTheAttempt() async throws {
        let emulator = try emulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ins", ["strategy": "oauth_apple", "redirect_url": "com.example.app://callback"])
        let url = begun.response["first_factor_verification"]?["external_verification_redirect_url"]?.string ?? ""
        let page = try await emulator.send(HTTPRequest(.get, url + "&error=access_denied"))
        let back = try await emulator.send(HTTPRequest(.get, page.headers["Location"] ?? ""))
        #expect(back.headers["Location"] == "com.example.app://callback")
        let seen = try await device.get("/client/sign_ins/\(begun["id"])")
        #expect(seen.response["first_factor_verification"]?["error"]?["code"] == "oauth_access_denied")
    }
}
