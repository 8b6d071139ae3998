import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The owner of an address when identities also have one, and the links that a user's new address makes invalid.
@Suite(.limitedConcurrency)
final class IdentityTests {
    private let provider: EmulatorServer<ScriptedServer>

    init() throws { provider = try ScriptedServer.start() }

    deinit { provider.stop() }

    private func emulator(_ change: (inout GoTrueSettings) -> Void = { _ in }) throws -> TestEmulator {
        try TestEmulator {
            $0.providers["keycloak"] = ProviderSettings(clients: ["app"], secret: "secret", issuer: provider.base + "/realm")
            $0.signIn.allowsManualLinking = true
            $0.mail.securesChange = false
            change(&$0)
        }
    }

    /// Opens the provider's page, and returns as this person.
    private func comeBack(_ emulator: TestEmulator, as person: JSON, linkingTo bearer: String? = nil) async throws -> String {
        provider.emulator.say("userinfo", person)
        let path = bearer == nil ? "/authorize" : "/user/identities/authorize"
        let there = try await emulator.get(path + "?provider=keycloak", bearer: bearer)
        let address = try #require(there.response.headers["location"])
        let state = try #require(address.split(separator: "&").first { $0.hasPrefix("state=") })
        return try await emulator.get("/callback?code=c&\(state)").response.headers["location"] ?? ""
    }

    private static func person(_ subject: String, _ email: String, isVerified: Bool = true) -> JSON {
        ["sub": .string(subject), "email": .string(email), "email_verified": .bool(isVerified)]
    }

    /// A user who signed up with the provider as `old@example.com` and is now `new@example.com`.
    private func mover(_ emulator: TestEmulator) async throws -> String {
        _ = try await comeBack(emulator, as: Self.person("1", "old@example.com"))
        let id = try #require(try emulator.administrator.account(email: "old@example.com")?.id)
        let moved = try await emulator.put("/admin/users/\(id)", ["email": "new@example.com"], bearer: emulator.admin)
        #expect(moved["email"] == "new@example.com")
        return id
    }

    @Test func addressOfAnIdentityIsTaken() async throws {
        let emulator = try emulator()
        let id = try await mover(emulator)
        let fake = try await emulator.post("/signup", ["email": "old@example.com", "password": "Correct-Horse-1"])
        #expect(fake.status == 200 && fake.json["identities"] == [] && fake["id"] != id)
        let made = try await emulator.post("/admin/users", ["email": "old@example.com"], bearer: emulator.admin)
        #expect(made.status == 422 && made.code == "email_exists")
        let session = try await emulator.person()
        let taken = try await emulator.put("/user", ["email": "old@example.com"], bearer: session["access_token"])
        #expect(taken.status == 422 && taken.code == "email_exists")
        let link: JSON = ["type": "email_change_new", "email": "ada@example.com", "new_email": "old@example.com"]
        #expect(try await emulator.post("/admin/generate_link", link, bearer: emulator.admin).code == "email_exists")
    }

    @Test func changeToTheOwnAddressIsRejected() async throws {
        let emulator = try emulator()
        _ = try await emulator.person()
        let link: JSON = ["type": "email_change_new", "email": "ada@example.com", "new_email": "Ada@example.com"]
        #expect(try await emulator.post("/admin/generate_link", link, bearer: emulator.admin).code == "email_exists")
    }

    @Test func verifiedAddressFindsTheIdentity() async throws {
        let emulator = try emulator()
        let id = try await mover(emulator)
        #expect(try await comeBack(emulator, as: Self.person("2", "old@example.com")).contains("#access_token="))
        let user = try await emulator.get("/admin/users/\(id)", bearer: emulator.admin)
        #expect(user.json["identities"]?.array?.count == 3, "The administrator's change has made one for the new address.")
        #expect(try await emulator.audit("?query=action:identity_linked").first?["payload"]?["log_type"] == "user")
    }

    @Test func ambiguousAddressSignsNobodyIn() async throws {
        let emulator = try emulator()
        _ = try await emulator.person()
        let unproven = Self.person("1", "ada@example.com", isVerified: false)
        #expect(try await comeBack(emulator, as: unproven).contains("provider_email_needs_verification"))
        let back = try await comeBack(emulator, as: Self.person("2", "ada@example.com"))
        #expect(back.contains("error=server_error&error_code=unexpected_failure"))
        #expect(back.contains("Multiple+accounts+with+the+same+email+address"))
    }

    @Test func guestMustVerifyTheAddressOfALinkedIdentity() async throws {
        let emulator = try emulator()
        let guest = try await emulator.post("/signup")
        let person = Self.person("1", "ada@example.com", isVerified: false)
        let back = try await comeBack(emulator, as: person, linkingTo: guest["access_token"])
        #expect(back.contains("error=server_error&error_code=email_not_confirmed"))
        #expect(back.contains("A+confirmation+email+has+been+sent+to+your+keycloak+email"))
        #expect(emulator.server.panel.outbox.takeMail(to: "ada@example.com")?.link != nil)
        let user = try await emulator.get("/user", bearer: guest["access_token"])
        #expect(user["email"] == "ada@example.com" && user.json["is_anonymous"] == true)
    }

    @Test func guestCannotLinkAnIdentityWithoutAnAddress() async throws {
        let emulator = try emulator { $0.providers["keycloak"]?.allowsNoEmail = true }
        let guest = try await emulator.post("/signup")
        let back = try await comeBack(emulator, as: ["sub": "1"], linkingTo: guest["access_token"])
        #expect(back.contains("error_description=Error+sending+confirmation+email"))
        #expect(try await emulator.get("/user", bearer: guest["access_token"]).json["identities"] == [])
    }

    @Test(arguments: [(true, false), (false, false), (false, true)])
    func unlinkingPromotesAnAddressAndVoidsEarlierLinks(_ isVerified: Bool, _ confirmsByItself: Bool) async throws {
        let emulator = try emulator { $0.mail.confirmsByItself = confirmsByItself }
        let bearer = try await emulator.person()["access_token"]
        for person in [
            Self.person("1", "x@example.com", isVerified: false), Self.person("2", "y@example.com", isVerified: isVerified),
        ] {
            #expect(try await comeBack(emulator, as: person, linkingTo: bearer).contains("#access_token="))
        }
        _ = try await emulator.post("/recover", ["email": "ada@example.com"])
        let letter = try #require(emulator.server.panel.outbox.takeMail(to: "ada@example.com"))
        _ = try await emulator.put("/user", ["phone": "+15551234567"], bearer: bearer)
        let identities = try await emulator.get("/user", bearer: bearer).json["identities"]?.array ?? []
        let own = try #require(identities.first { $0["provider"] == "email" }?["identity_id"]?.string)
        #expect(try await emulator.delete("/user/identities/\(own)", bearer: bearer).status == 200)
        let user = try await emulator.get("/user", bearer: bearer)
        #expect(user["email"] == (isVerified ? "y@example.com" : "x@example.com"), "A proven address comes first.")
        #expect((user.json["email_confirmed_at"] != nil) == (isVerified || confirmsByItself))
        #expect(user.json["user_metadata"]?["email_verified"] == .bool(isVerified || confirmsByItself))
        #expect(user.json["new_phone"] == nil && user.json["recovery_sent_at"] == nil)
        let body: JSON = ["type": "recovery", "email": .string(user["email"]), "token": .string(letter.code ?? "")]
        #expect(try await emulator.post("/verify", body).code == "otp_expired")
    }
}
