import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Domains of organizations: their verification, and the users that they admit.
@Suite(.limitedConcurrency)
struct OrganizationDomainTests {
    @Test func domainVerifiedByMailAdmitsItsUsers() async throws {
        let emulator = try TestEmulator.withOrganizations { $0.organizations.hasDomains = true }
        let (ada, _) = try await emulator.member("ada@acme.test")
        let (bob, _) = try await emulator.member("bob@acme.test")
        let path = "/organizations/\(try await ada.post("/organizations", ["name": "Acme"])["id"])"
        #expect(try await ada.post(path + "/domains", ["name": "gmail.com"]).code == "organization_domain_common")
        #expect(try await ada.post(path + "/domains", ["name": "no domain"]).code == "form_param_format_invalid")
        let made = try await ada.post(path + "/domains", ["name": "acme.test"])
        #expect(made.response["verification"] == .null)
        #expect(
            try await ada.post(path + "/domains", ["name": "acme.test"]).code
                == "organization_domain_already_exists_same_organization")
        let one = path + "/domains/\(made["id"])"
        let early = try await ada.post(one + "/update_enrollment_mode", ["enrollment_mode": "automatic_suggestion"])
        #expect(early.code == "organization_domain_ownership_not_verified")
        let foreign = try await ada.post(
            one + "/prepare_affiliation_verification", ["affiliation_email_address": "ada@example.com"])
        #expect(foreign.code == "organization_domain_mismatch")
        #expect(try await ada.post(one + "/attempt_affiliation_verification", ["code": "1"]).code == "verification_missing")
        _ = try await ada.post(one + "/prepare_affiliation_verification", ["affiliation_email_address": "boss@acme.test"])
        #expect(try await ada.post(one + "/attempt_affiliation_verification", ["code": "x"]).code == "form_code_incorrect")
        let proven = try await ada.post(
            one + "/attempt_affiliation_verification", ["code": emulator.code(to: "boss@acme.test")])
        #expect(proven.response["verification"]?["status"] == "verified")
        #expect(try await bob.get("/me/organization_suggestions").response["total_count"] == 0)
        _ = try await ada.post(one + "/update_enrollment_mode", ["enrollment_mode": "automatic_suggestion"])
        let suggestions = try await bob.get("/me/organization_suggestions").response
        let id = suggestions["data"]?[0]?["id"]?.string ?? ""
        #expect(suggestions["total_count"] == 1)
        #expect(try await bob.post("/me/organization_suggestions/\(id)/accept")["status"] == "accepted")
        #expect(
            try await bob.post("/me/organization_suggestions/\(id)/accept").code == "organization_suggestion_already_accepted")
        let requests = try await ada.get(path + "/membership_requests", query: "&status=pending").response
        let request = requests["data"]?[0]?["id"]?.string ?? ""
        #expect(try await bob.post(path + "/membership_requests/\(request)/accept").status == 403)
        #expect(try await ada.post(path + "/membership_requests/\(request)/accept")["status"] == "accepted")
        #expect(try await ada.post(path + "/membership_requests/\(request)/accept").code == "resource_not_found")
        #expect(try await bob.get("/me/organization_memberships").response["total_count"] == 1)
        _ = try await ada.post(one + "/update_enrollment_mode", ["enrollment_mode": "automatic_invitation"])
        let (carl, _) = try await emulator.member("carl@acme.test")
        let invitation = try await carl.get("/me/organization_invitations").response["data"]?[0]?["id"]?.string ?? ""
        #expect(try await carl.post("/me/organization_invitations/\(invitation)/accept")["status"] == "accepted")
        // A verified domain cannot belong to another organization.
        let (eve, _) = try await emulator.member("eve@example.com")
        let other = "/organizations/\(try await eve.post("/organizations", ["name": "Other"])["id"])"
        let claimed = try await eve.post(other + "/domains", ["name": "acme.test"])["id"]
        let proof = other + "/domains/\(claimed)/"
        _ = try await eve.post(proof + "prepare_affiliation_verification", ["affiliation_email_address": "boss@acme.test"])
        let late = try await eve.post(
            proof + "attempt_affiliation_verification", ["code": emulator.code(to: "boss@acme.test")])
        #expect(late.code == "organization_domain_already_exists")
        #expect(try await ada.call(.delete, one).response["deleted"] == true)
    }

    @Test func fullOrganizationSendsNoInvitations() async throws {
        let emulator = try TestEmulator.withOrganizations {
            $0.organizations.hasDomains = true
            $0.organizations.membershipLimit = 1
        }
        let (ada, adaID) = try await emulator.member("ada@acme.test")
        let (bob, _) = try await emulator.member("bob@acme.test")
        let id = try await ada.post("/organizations", ["name": "Acme"])["id"]
        let made = try await emulator.backend(
            .post, "/organizations/\(id)/domains",
            ["name": "acme.test", "enrollment_mode": "automatic_invitation", "verified": true])
        #expect(made.status == 200 && !adaID.isEmpty)
        #expect(try await bob.get("/me/organization_invitations").response["total_count"] == 0)
        #expect(try await emulator.backend(.patch, "/organizations/\(id)", ["max_allowed_memberships": 5]).status == 200)
        // A disabled mode creates no further invitations.
        emulator.admin.change { $0.organizations.enrollmentModes = [.manual] }
        #expect(try await bob.get("/me/organization_invitations").response["total_count"] == 0)
        emulator.admin.change { $0.organizations.enrollmentModes = [.manual, .invitation] }
        #expect(try await bob.get("/me/organization_invitations").response["total_count"] == 1)
    }

    @Test func bulkCreationNamesRejectedDomains() async throws {
        let emulator = try TestEmulator.withOrganizations { $0.organizations.hasDomains = true }
        let (ada, _) = try await emulator.member("ada@example.com")
        let path = "/organizations/\(try await ada.post("/organizations", ["name": "Acme"])["id"])/domains"
        let bulk = try await ada.post(
            path + "/bulk", HTTPForm([(name: "names", value: "acme.test"), (name: "names", value: "gmail.com")]))
        #expect(bulk.response["data"]?.array?.count == 1)
        #expect(bulk.response["errors"] == [["name": "gmail.com", "code": "organization_domain_common"]])
        #expect(try await ada.get(path, query: "&verified=true").response["total_count"] == 0)
        #expect(try await ada.get(path).response["total_count"] == 1)
        emulator.admin.change { $0.organizations.hasDomains = false }
        #expect(try await ada.get(path).code == "organization_domains_not_enabled")
    }
}
