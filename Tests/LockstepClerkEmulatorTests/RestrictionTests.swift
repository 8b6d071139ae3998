import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// The lists and the rule for subaddresses, in every flow (https://clerk.com/docs/guides/secure/restricting-access).
@Suite(.limitedConcurrency)
struct RestrictionTests {
    private static let password = TestEmulator.password

    private func emulator(_ change: (inout ClerkSettings) -> Void = { _ in }) throws -> TestEmulator {
        try TestEmulator {
            $0.restrictions.hasBlocklist = true
            change(&$0)
        }
    }

    private func block(_ emulator: TestEmulator, _ identifier: String) async throws {
        #expect(
            try await emulator.backend(.post, "/blocklist_identifiers", ["identifier": .string(identifier)]).status == 200,
            "\(identifier)")
    }

    private func allow(_ emulator: TestEmulator, _ identifier: String) async throws {
        #expect(
            try await emulator.backend(.post, "/allowlist_identifiers", ["identifier": .string(identifier)]).status == 200,
            "\(identifier)")
    }

    private func mayJoin(_ emulator: TestEmulator, _ address: String) async throws -> Bool {
        let form = HTTPForm([("email_address", address), ("password", Self.password)])
        let answer = try await emulator.device().post("/client/sign_ups", form)
        #expect(answer.status == 200 || answer.code == "not_allowed_access", "\(address)")
        return answer.status == 200
    }

    @Test func aBlockedAddressBlocksItsSubaddresses() async throws {
        let emulator = try emulator()
        try await block(emulator, "John.Doe@clerk.dev")
        for address in [
            "john.doe@clerk.dev", "JOHN.DOE@clerk.dev", "john.doe+x@clerk.dev", "john.doe#x@clerk.dev", "john.doe=x@clerk.dev",
            "john.doe+x+y@clerk.dev", "john.doe+@clerk.dev", "john.doe#a=b+c@clerk.dev",
        ] {
            #expect(try await !mayJoin(emulator, address), "\(address)")
        }
        for address in [
            "john.doe@other.dev", "john@clerk.dev", "john.doex@clerk.dev", "x+john.doe@clerk.dev", "johndoe@clerk.dev",
        ] {
            #expect(try await mayJoin(emulator, address), "\(address)")
        }
    }

    /// A blocked subaddress blocks itself and its own subaddresses.
    @Test func blockedSubaddressDoesNotBlockItsMailbox() async throws {
        let emulator = try emulator()
        try await block(emulator, "ada+spam@example.com")
        #expect(try await !mayJoin(emulator, "ada+spam@example.com"))
        #expect(try await !mayJoin(emulator, "ada+spam=2@example.com"))
        #expect(try await mayJoin(emulator, "ada@example.com"))
        #expect(try await mayJoin(emulator, "ada+spa@example.com"))
    }

    @Test func subaddressOfABlockedAddressCannotSignIn() async throws {
        let emulator = try emulator()
        for address in ["ada+home@example.com", "eve@example.com"] { try await emulator.device().signUp(address) }
        try await block(emulator, "ada@example.com")
        #expect(try await emulator.device().signIn("ada+home@example.com").code == "not_allowed_access")
        #expect(try await emulator.device().signIn("eve@example.com")["status"] == "complete")
        _ = try await emulator.backend(.patch, "/instance/restrictions", ["allowlist_blocklist_disabled_on_sign_in": true])
        #expect(try await emulator.device().signIn("ada+home@example.com")["status"] == "complete")
    }

    @Test func subdomainsAreBlockedAtEveryDepth() async throws {
        let emulator = try emulator()
        try await block(emulator, "*@*.clerk.dev")
        try await block(emulator, "*.other.dev")
        #expect(try await emulator.backend(.get, "/blocklist_identifiers").json["data"]?[0]?["identifier"] == "*@*.other.dev")
        for address in ["a@sub.clerk.dev", "a@Sub.CLERK.dev", "a@one.two.clerk.dev", "a@x.other.dev"] {
            #expect(try await !mayJoin(emulator, address), "\(address)")
        }
        for address in ["a@clerk.dev", "a@notclerk.dev", "a@clerk.dev.example", "b@other.dev"] {
            #expect(try await mayJoin(emulator, address), "\(address)")
        }
        for odd in ["*@*", "*@*.*.dev", "*@a*.dev", "*@*.", "*@", "*", "*@*.clerk"] {
            let refused = try await emulator.backend(.post, "/blocklist_identifiers", ["identifier": .string(odd)])
            #expect(refused.code == "form_param_format_invalid", "\(odd)")
        }
    }

    @Test(arguments: [
        ("ada@example.com", "ada@example.com"), ("ada@example.com", "example.com"), ("*@*.example.com", "ada@a.example.com"),
    ])
    func allowlistOverridesTheBlocklist(_ allowed: String, _ blocked: String) async throws {
        let emulator = try emulator { $0.restrictions.hasAllowlist = true }
        try await allow(emulator, allowed)
        try await block(emulator, blocked)
        let address = allowed.contains("*") ? blocked : "ada@example.com"
        let device = emulator.device()
        #expect(try await device.signUp(address)["status"] == "complete")
        #expect(try await emulator.device().signIn(address)["status"] == "complete")
        #expect(try await !mayJoin(emulator, "eve@other.dev"), "not on the allowlist")
        // A disabled list has no effect.
        _ = try await emulator.backend(.patch, "/instance/restrictions", ["allowlist": false])
        #expect(try await emulator.device().signIn(address).code == "not_allowed_access")
    }

    @Test func anInvitationDoesNotBypassTheBlocklist() async throws {
        let emulator = try emulator { $0.restrictions.hasAllowlist = true }
        try await block(emulator, "ada@example.com")
        for address in ["ada+x@example.com", "eve@example.com"] {
            _ = try await emulator.backend(.post, "/invitations", ["email_address": .string(address)])
            let ticket = String(emulator.link(to: address).split(separator: "=").last ?? "")
            let joined = try await emulator.device().post(
                "/client/sign_ups", HTTPForm([("strategy", "ticket"), ("ticket", ticket), ("password", Self.password)]))
            #expect(joined.code == (address.hasPrefix("ada") ? "not_allowed_access" : nil), "\(address)")
        }
    }

    @Test func userCannotAddAnAddressThatMayNotSignUp() async throws {
        let emulator = try emulator { $0.phoneNumber = .optional }
        let device = emulator.device()
        try await device.signUp("eve@example.com")
        try await block(emulator, "ada@example.com")
        try await block(emulator, "+4915112345678")
        func add(_ address: String) async throws -> TestResponse {
            try await device.post("/me/email_addresses", HTTPForm([("email_address", address)]))
        }
        for address in ["ada@example.com", "ada+x@example.com"] { #expect(try await add(address).code == "not_allowed_access") }
        #expect(try await device.post("/me/phone_numbers", ["phone_number": "+49 151 12345678"]).code == "not_allowed_access")
        let other = try await add("eve@other.dev")
        #expect(other.status == 200)
        // The lists are checked again at the verification.
        try await block(emulator, "other.dev")
        let path = "/me/email_addresses/\(other["id"])"
        #expect(
            try await device.post(path + "/prepare_verification", ["strategy": "email_code"]).code == "not_allowed_access")
        #expect(try await device.post(path + "/attempt_verification", ["code": "424242"]).code == "not_allowed_access")
        _ = try await emulator.backend(.patch, "/instance/restrictions", ["blocklist": false, "allowlist": true])
        #expect(try await add("bob@example.com").code == "not_allowed_access")
        // An administrator overrides the lists.
        let id = try await device.get("/me")["id"]
        let given = try await emulator.backend(
            .post, "/email_addresses", ["user_id": .string(id), "email_address": "bob@example.com", "verified": true])
        #expect(given.status == 200)
    }

    @Test func providerAccountWithABlockedAddressIsRejected() async throws {
        let key = try SigningKey.makeRSA(id: "google-1")
        let emulator = try emulator {
            $0.providers = [
                IdentityProvider(
                    name: "google", issuer: "https://accounts.google.com", audiences: ["app"],
                    keys: JSONWebKeySet(publishing: [key]).json)
            ]
        }
        func token(_ address: String) throws -> String {
            let now = emulator.server.panel.clock.now.seconds
            return try TokenWriter.sign(
                [
                    "iss": "https://accounts.google.com", "aud": "app", "sub": .string(address), "iat": .int(now),
                    "exp": .int(now + 600), "email": .string(address), "email_verified": true,
                ], with: key)
        }
        let device = emulator.device()
        try await device.signUp("eve@example.com")
        let before = HTTPForm([("strategy", "oauth_token_google"), ("token", try token("ada+1@example.com"))])
        #expect(try await device.post("/me/external_accounts", before).status == 200)
        try await block(emulator, "ada@example.com")
        let form = HTTPForm([("strategy", "oauth_token_google"), ("token", try token("ada+2@example.com"))])
        #expect(try await device.post("/me/external_accounts", form).code == "not_allowed_access")
        #expect(try await emulator.device().post("/client/sign_ups", form).code == "not_allowed_access")
        #expect(try await emulator.device().post("/client/sign_ins", before).code == "not_allowed_access")
    }

    /// `+`, `=` and `#` begin a subaddress; Gmail ignores dots.
    @Test func subaddressesAreRejectedAtSignUpAndWhenTheyAreAdded() async throws {
        let emulator = try emulator()
        let old = emulator.device()
        try await old.signUp("ada+old@example.com")
        try await emulator.device().signUp("jsmith@gmail.com")
        _ = try await emulator.backend(.patch, "/instance/restrictions", ["block_email_subaddresses": true, "blocklist": false])
        for address in [
            "bob+x@example.com", "bob=x@example.com", "bob#x@example.com", "j.smith@gmail.com", "J.S.mith@Gmail.com",
        ] {
            #expect(try await !mayJoin(emulator, address), "\(address)")
            let added = try await old.post("/me/email_addresses", HTTPForm([("email_address", address)]))
            #expect(added.code == "not_allowed_access", "\(address)")
        }
        for address in [
            "bob@example.com", "b.ob@example.com", "other.smith@gmail.com", "j.smith@example.com", "bob-x@example.com",
        ] {
            #expect(try await mayJoin(emulator, address), "\(address)")
        }
        #expect(try await emulator.device().signIn("ada+old@example.com")["status"] == "complete", "who is here already stays")
    }
}
