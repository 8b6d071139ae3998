import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Invitations to organizations: mailed, accepted, revoked, and rejected if the organization is full.
@Suite(.limitedConcurrency)
struct OrganizationInvitationTests {
    @Test func invitationSignsUpAStrangerAndSignsInAUser() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, _) = try await emulator.member("ada@example.com")
        _ = try await emulator.member("carl@example.com").device.call(.delete, "/client/sessions")
        let path = "/organizations/\(try await ada.post("/organizations", ["name": "Acme"])["id"])"
        for (address, isKnown) in [("bob@example.com", false), ("carl@example.com", true)] {
            let made = try await ada.post(path + "/invitations", ["email_address": address, "role": "org:member"])
            #expect(made.status == 200 && made["status"] == "pending")
            let twice = try await ada.post(path + "/invitations", ["email_address": address, "role": "org:member"])
            #expect(twice.code == "organization_invitation_not_unique")
            let link = emulator.link(to: address)
            let ticket = String(link.split(separator: "=").last ?? "")
            let device = emulator.device()
            if isKnown {
                #expect(try await device.post("/client/sign_ups", ["strategy": "ticket", "ticket": ticket]).status == 400)
                let signIn = try await device.post("/client/sign_ins", ["strategy": "ticket", "ticket": ticket])
                #expect(signIn["status"] == "complete")
            } else {
                let early = try await device.post("/client/sign_ins", ["strategy": "ticket", "ticket": ticket])
                #expect(early.code == "organization_invitation_identification_not_exist")
                let signUp = try await device.post(
                    "/client/sign_ups", ["strategy": "ticket", "ticket": ticket, "password": TestEmulator.password])
                #expect(signUp["status"] == "complete")
            }
            let memberships = try await device.get("/me/organization_memberships").response
            #expect(memberships["data"]?[0]?["role"] == "org:member")
            let again = try await emulator.device().post("/client/sign_ins", ["strategy": "ticket", "ticket": ticket])
            #expect(again.code == "organization_invitation_already_accepted")
        }
        #expect(try await ada.get(path).response["members_count"] == 3)
        #expect(try await ada.get(path + "/invitations", query: "&status=accepted").response["total_count"] == 2)
    }

    @Test func invitationsAreListedRevokedAndAccepted() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, _) = try await emulator.member("ada@example.com")
        let (bob, _) = try await emulator.member("bob@example.com")
        let path = "/organizations/\(try await ada.post("/organizations", ["name": "Acme"])["id"])"
        let bulk = try await ada.post(
            path + "/invitations/bulk",
            HTTPForm([
                (name: "email_address", value: "bob@example.com"), (name: "email_address", value: "carl@example.com"),
                (name: "role", value: "org:member"), (name: "notify", value: "false"),
            ]))
        #expect(bulk.response.array?.count == 2)
        #expect(emulator.link(to: "carl@example.com") == "")
        let ids = bulk.response.array?.compactMap { $0["id"]?.string } ?? []
        #expect(try await ada.get(path + "/invitations/pending").response.array?.count == 2)
        let revoked = try await ada.post(path + "/invitations/\(ids.last ?? "")/revoke")
        #expect(revoked["status"] == "revoked")
        #expect(try await ada.post(path + "/invitations/\(ids.last ?? "")/revoke").code == "organization_invitation_not_pending")
        #expect(try await ada.post(path + "/invitations/orginv_x/revoke").code == "organization_invitation_not_found")
        let own = try await bob.get("/me/organization_invitations").response
        #expect(own["total_count"] == 1 && own["data"]?[0]?["public_organization_data"]?["name"] == "Acme")
        #expect(
            try await bob.post("/me/organization_invitations/\(ids.last ?? "")/accept").code
                == "organization_invitation_not_found")
        #expect(try await bob.post("/me/organization_invitations/\(ids[0])/accept")["status"] == "accepted")
        #expect(try await bob.post("/me/organization_invitations/\(ids[0])/accept").code == "organization_invitation_not_pending")
        #expect(try await ada.get(path).response["members_count"] == 2)
    }

    @Test func fullOrganizationRejectsMoreMembers() async throws {
        let emulator = try TestEmulator.withOrganizations { $0.organizations.membershipLimit = 2 }
        let (ada, _) = try await emulator.member("ada@example.com")
        let (_, bobID) = try await emulator.member("bob@example.com")
        let path = "/organizations/\(try await ada.post("/organizations", ["name": "Acme"])["id"])"
        #expect(
            try await ada.post(path + "/invitations", ["email_address": "x@example.com", "role": "org:member"]).status == 200)
        let full = try await ada.post(path + "/memberships", ["user_id": bobID, "role": "org:member"])
        #expect(full.code == "organization_membership_quota_exceeded")
        // An invited user has a place.
        emulator.pass(31 * 86_400)
        #expect(try await ada.signIn()["status"] == "complete")
        #expect(try await ada.post(path + "/memberships", ["user_id": bobID, "role": "org:member"]).status == 200)
    }
}
