import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Tickets: who can use one, and when it is used up.
@Suite(.limitedConcurrency)
struct TicketTests {
    private func id(_ answer: TestResponse) -> String { answer.json["id"]?.string ?? "" }

    private func ticket(_ emulator: TestEmulator, mailedTo address: String) -> HTTPForm {
        ["strategy": "ticket", "ticket": String(emulator.link(to: address).split(separator: "=").last ?? "")]
    }

    /// An organization that has invited an address, and the path of its invitations.
    private func invite(_ emulator: TestEmulator, _ address: String) async throws -> String {
        let path = "/organizations/\(id(try await emulator.backend(.post, "/organizations", ["name": "Acme"])))"
        let made = try await emulator.backend(
            .post, path + "/invitations",
            ["email_address": .string(address), "role": "org:member", "redirect_url": "https://app.example.com/in"])
        #expect(made.status == 200)
        return path
    }

    @Test func invitationIsOnlyForAVerifiedAddress() async throws {
        let emulator = try TestEmulator { $0.organizations.isEnabled = true }
        let mallory = emulator.device()
        try await mallory.signUp("mallory@example.com")
        let user = try await mallory.get("/me")["id"]
        _ = try await mallory.post("/me/email_addresses", ["email_address": "victim@corp.example"])
        _ = try await mallory.call(.delete, "/client/sessions")
        let path = try await invite(emulator, "victim@corp.example")
        #expect(try await emulator.backend(.get, "/users/\(user)/organization_invitations").json["total_count"] == 0)
        let link = try await emulator.send(HTTPRequest(.get, emulator.link(to: "victim@corp.example")))
        #expect(link.headers["Location"]?.contains("__clerk_status=sign_up") == true)
        let refused = try await emulator.device().post("/client/sign_ins", ticket(emulator, mailedTo: "victim@corp.example"))
        #expect(refused.code == "organization_invitation_identification_not_exist")
        #expect(try await emulator.backend(.get, path + "/memberships").json["total_count"] == 0)
        #expect(try await emulator.backend(.get, path + "/invitations/pending").json["total_count"] == 1)
    }

    @Test func ticketIsUsedUpByTheSecondFactor() async throws {
        let emulator = try TestEmulator {
            $0.organizations.isEnabled = true
            $0.secondFactors = [.totp]
            $0.asksSecondFactorAfterTicket = true
        }
        let ada = emulator.device()
        try await ada.signUp()
        let secret = try await ada.post("/me/totp")["secret"]
        let now = emulator.server.panel.clock.now
        _ = try await ada.post("/me/totp/attempt_verification", ["code": Authenticator.code(secret, at: now)])
        let path = try await invite(emulator, "ada@example.com")
        let form = ticket(emulator, mailedTo: "ada@example.com")
        let (device, other) = (emulator.device(), emulator.device())
        let begun = try await device.post("/client/sign_ins", form)
        let twin = try await other.post("/client/sign_ins", form)
        #expect(begun["status"] == "needs_second_factor" && twin["status"] == "needs_second_factor")
        #expect(try await emulator.backend(.get, path + "/memberships").json["total_count"] == 0)
        func finish(_ device: Device, _ begun: TestResponse) async throws -> TestResponse {
            let code = Authenticator.code(secret, at: emulator.server.panel.clock.now)
            return try await device.post(
                "/client/sign_ins/\(begun["id"])/attempt_second_factor", ["strategy": "totp", "code": code])
        }
        #expect(try await finish(device, begun)["status"] == "complete")
        #expect(try await emulator.backend(.get, path + "/memberships").json["total_count"] == 1)
        #expect(try await finish(other, twin).code == "organization_invitation_already_accepted")
    }

    @Test func abandonedSignUpKeepsTheInvitation() async throws {
        let emulator = try TestEmulator { $0.signUpMode = .restricted }
        _ = try await emulator.backend(.post, "/invitations", ["email_address": "ada@example.com"])
        let form = ticket(emulator, mailedTo: "ada@example.com")
        let first = emulator.device()
        let begun = try await first.post("/client/sign_ups", form)
        #expect(begun["status"] == "missing_requirements")
        #expect(try await emulator.backend(.get, "/invitations?status=pending").json.array?.count == 1)
        let path = "/client/sign_ups/\(begun["id"])"
        let other = try await first.call(.patch, path, ["email_address": "eve@example.com"])
        #expect(other.code == "form_param_value_invalid")
        #expect(try await first.call(.patch, path, ["email_address": ""]).code == "form_param_value_invalid")
        let second = emulator.device()
        var full = form
        full.append("password", TestEmulator.password)
        var foreign = full
        foreign.append("email_address", "eve@example.com")
        let stray = try await second.post("/client/sign_ups", foreign)
        #expect(stray.code == "form_param_value_invalid")
        #expect(try await second.post("/client/sign_ups", full)["status"] == "complete")
        #expect(try await emulator.backend(.get, "/invitations?status=accepted").json.array?.count == 1)
        let late = try await first.call(.patch, path, ["password": TestEmulator.password])
        #expect(late.code == "invitation_already_accepted")
    }

    @Test func revokedInvitationEndsAnOpenSignUp() async throws {
        let emulator = try TestEmulator { $0.signUpMode = .restricted }
        let made = try await emulator.backend(.post, "/invitations", ["email_address": "ada@example.com"])
        let device = emulator.device()
        let begun = try await device.post("/client/sign_ups", ticket(emulator, mailedTo: "ada@example.com"))
        #expect(try await emulator.backend(.post, "/invitations/\(id(made))/revoke").status == 200)
        let done = try await device.call(.patch, "/client/sign_ups/\(begun["id"])", ["password": TestEmulator.password])
        #expect(done.code == "revoked_invitation")
        #expect(try emulator.admin.user(withAddress: "ada@example.com") == nil)
    }

    @Test func signInTokenCanSelectTheOrganization() async throws {
        let emulator = try TestEmulator { $0.organizations.isEnabled = true }
        let ada = try await emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password)).id
        let own = id(try await emulator.backend(.post, "/organizations", ["name": "Acme", "created_by": .string(ada)]))
        let other = id(try await emulator.backend(.post, "/organizations", ["name": "Other"]))
        func token(_ organization: String) async throws -> TestResponse {
            try await emulator.backend(
                .post, "/sign_in_tokens", ["user_id": .string(ada), "org_id": .string(organization)])
        }
        #expect(try await token(other).code == "not_a_member_in_organization")
        let text = try await token(own).json["token"]?.string ?? ""
        let done = try await emulator.device().post("/client/sign_ins", ["strategy": "ticket", "ticket": text])
        #expect(done.client["sessions"]?[0]?["last_active_organization_id"]?.string == own)
    }

    @Test func blockedUserCannotSignInByAnyMethod() async throws {
        let emulator = try TestEmulator {
            $0.username = .optional
            $0.restrictions.hasBlocklist = true
        }
        let ada = try await emulator.backend(
            .post, "/users",
            ["email_address": ["ada@example.com"], "username": "lovelace", "password": .string(TestEmulator.password)])
        _ = try await emulator.backend(.post, "/blocklist_identifiers", ["identifier": "ada@example.com"])
        let token = try await emulator.backend(.post, "/sign_in_tokens", ["user_id": ada.json["id"] ?? .null])
        let signIn = try await emulator.device().post(
            "/client/sign_ins", ["strategy": "ticket", "ticket": token.json["token"]?.string ?? ""])
        #expect(signIn.code == "not_allowed_access")
        #expect(try await emulator.device().signIn("lovelace").code == "not_allowed_access")
        _ = try await emulator.backend(.patch, "/instance/restrictions", ["allowlist_blocklist_disabled_on_sign_in": true])
        #expect(try await emulator.device().signIn("lovelace")["status"] == "complete")
    }

    @Test func invitationsRejectUnsafeRedirectURLs() async throws {
        let emulator = try TestEmulator { $0.organizations.isEnabled = true }
        let bad: JSON = ["email_address": "ada@example.com", "redirect_url": "javascript:alert(1)"]
        #expect(try await emulator.backend(.post, "/invitations", bad).code == "prohibited_redirect_url")
        let path = "/organizations/\(id(try await emulator.backend(.post, "/organizations", ["name": "Acme"])))/invitations"
        let member: JSON = ["email_address": "ada@example.com", "role": "org:member", "redirect_url": "javascript:alert(1)"]
        #expect(try await emulator.backend(.post, path, member).code == "prohibited_redirect_url")
    }
}
