import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Connections that administrators of organizations manage themselves, for their own domains.
@Suite(.limitedConcurrency)
struct EnterpriseOrganizationTests {
    /// An organization that is active in the session of its creator's device, with a domain for its connection.
    private func organization(_ emulator: TestEmulator) async throws -> (device: Device, path: String, id: String) {
        let device = emulator.device()
        try await device.signUp("ada@home.example")
        let id = try await device.post("/organizations", ["name": "Acme"])["id"]
        let session = try #require(try await device.get("/client").response["last_active_session_id"]?.string)
        _ = try await device.post("/client/sessions/\(session)/touch", ["active_organization_id": id])
        _ = try await emulator.backend(
            .post, "/organizations/\(id)/domains",
            ["name": "acme.example", "enrollment_mode": "enterprise_sso", "verified": true])
        return (device, "/organizations/\(id)/enterprise_connections", id)
    }

    private func company() throws -> Company {
        try Company {
            $0.enterprise.connections = []
            $0.enterprise.isSelfServed = true
            $0.organizations.isEnabled = true
            $0.organizations.hasDomains = true
            $0.organizations.enrollmentModes.insert(.enterprise)
        }
    }

    private func form(_ company: Company) -> HTTPForm {
        [
            "provider": "oidc_custom", "domains": "acme.example", "oidc_client_id": "app", "oidc_client_secret": "secret",
            "oidc_discovery_url": company.issuer.base + "/.well-known/openid-configuration",
        ]
    }

    @Test func anAdministratorOfAnOrganizationConnectsIt() async throws {
        let company = try company()
        company.issuer.emulator.expect(Company.ada())
        let emulator = company.emulator
        let (device, path, id) = try await organization(emulator)
        let made = try await device.post(path, form(company))
        #expect(made.status == 201 && made["name"] == "home.example" && made["organization_id"] == id)
        #expect(made.response["active"] == false && made.response["oauth_config"]?["client_id"] == "app")
        #expect(made.response["oauth_config"]?["redirect_uri"]?.string == emulator.server.base + "/v1/oauth_callback")
        #expect(try await device.get(path).response == [])
        let changed = try await device.call(.patch, path + "/\(made["id"])", ["active": "true", "name": "Acme SSO"])
        #expect(changed.response["active"] == true && changed["name"] == "Acme SSO")

        // Its users are its members from their first sign-in.
        let employee = emulator.device()
        let joined = try await company.join(employee)
        let memberships = joined.client["sessions"]?[0]?["user"]?["organization_memberships"]
        #expect(memberships?.array?.count == 1)
        #expect(memberships?[0]?["organization"]?["id"]?.string == id)
        #expect(memberships?[0]?["role"] == "org:member")
        let session = try #require(try await employee.get("/client").response["last_active_session_id"]?.string)
        #expect(try await employee.get(path).code == "self_serve_sso_no_active_organization")
        _ = try await employee.post("/client/sessions/\(session)/touch", ["active_organization_id": id])
        #expect(try await employee.get(path).response[0]?["id"]?.string == made["id"])
        #expect(try await employee.get("/me/enterprise_connections").response[0]?["id"]?.string == made["id"])
        #expect(try await employee.post(path, form(company)).code == "missing_organization_permission")
        #expect(try await employee.call(.delete, path + "/\(made["id"])").code == "missing_organization_permission")
        #expect(try await device.call(.delete, path + "/\(made["id"])").response["deleted"] == true)
        #expect(try await employee.get("/me").response["enterprise_accounts"] == [])
    }

    @Test func domainsMustBelongToTheOrganization() async throws {
        let company = try company()
        let emulator = company.emulator
        let (device, path, id) = try await organization(emulator)
        var other = form(company)
        #expect(
            try await device.post(path, HTTPForm(other.pairs + [("domains", "other.example")])).code == "form_param_value_invalid"
        )
        _ = try await emulator.backend(
            .post, "/organizations/\(id)/domains",
            ["name": "invited.example", "enrollment_mode": "automatic_invitation", "verified": true])
        _ = try await emulator.backend(
            .post, "/organizations/\(id)/domains",
            ["name": "unproven.example", "enrollment_mode": "enterprise_sso", "verified": false])
        for name in ["invited.example", "unproven.example", "other.example"] {
            #expect(
                try await device.post(path, HTTPForm(other.pairs + [("domains", name)])).code == "form_param_value_invalid",
                "\(name)")
        }
        other = ["provider": "saml_okta", "domains": "acme.example"]
        #expect(try await device.post(path, other).code == "enterprise_connection_invalid_type")
        let made = try await device.post("/me/enterprise_connections", form(company))
        #expect(made["organization_id"] == id)
        emulator.admin.change { $0.enterprise.isSelfServed = false }
        #expect(try await device.post(path, form(company)).code == "feature_not_enabled")
        // An administrator of another organization cannot reach it.
        emulator.admin.change { $0.enterprise.isSelfServed = true }
        let eve = emulator.device()
        try await eve.signUp("eve@elsewhere.example")
        let own = try await eve.post("/organizations", ["name": "Evil"])["id"]
        let session = try #require(try await eve.get("/client").response["last_active_session_id"]?.string)
        _ = try await eve.post("/client/sessions/\(session)/touch", ["active_organization_id": own])
        let foreign = "/organizations/\(own)/enterprise_connections/\(made["id"])"
        #expect(try await eve.call(.patch, foreign, ["name": "mine"]).code == "resource_not_found")
        #expect(try await eve.call(.delete, "/me/enterprise_connections/\(made["id"])").code == "resource_not_found")
        #expect(
            try await eve.call(.patch, path + "/\(made["id"])", ["name": "mine"]).code == "self_serve_sso_no_active_organization")
    }

    private func isActive(_ id: String, _ emulator: TestEmulator) async throws -> JSON? {
        try await emulator.backend(.get, "/enterprise_connections/\(id)").json["active"]
    }

    /// An organization's domain can become another's.
    ///
    /// The connection of the former owner must not come back.
    @Test(arguments: [.null, ["enrollment_mode": "manual_invitation"], ["verified": false]] as [JSON])
    func releasedDomainDisablesItsConnection(_ change: JSON) async throws {
        let company = try company()
        let emulator = company.emulator
        let (device, path, id) = try await organization(emulator)
        let made = try await device.post(path, form(company))
        let one = path + "/\(made["id"])"
        #expect(try await device.call(.patch, one, ["active": "true"]).response["active"] == true)
        let domains = "/organizations/\(id)/domains"
        let domain = try #require(try await emulator.backend(.get, domains).json["data"]?[0]?["id"]?.string)
        let given =
            try await change.isNull
            ? emulator.backend(.delete, domains + "/\(domain)") : emulator.backend(.patch, domains + "/\(domain)", change)
        #expect(given.status == 200)
        #expect(try await isActive(made["id"], emulator) == false)
        let eve = emulator.device()
        try await eve.signUp("eve@elsewhere.example")
        let other = try await eve.post("/organizations", ["name": "Other"])["id"]
        let proven: JSON = ["name": "acme.example", "enrollment_mode": "enterprise_sso", "verified": true]
        if change["enrollment_mode"] == nil {
            #expect(try await emulator.backend(.post, "/organizations/\(other)/domains", proven).status == 200)
        }
        #expect(try await device.call(.patch, one, ["active": "true"]).code == "form_param_value_invalid")
        #expect(try await isActive(made["id"], emulator) == false)
        #expect(try await device.call(.patch, one, ["name": "still ours"])["name"] == "still ours")
        #expect(try await emulator.device().signIn("bob@acme.example").code == "form_identifier_not_found")
    }

    @Test func aNewDomainOfAnActiveConnectionEndsItsEnrollment() async throws {
        let company = try company()
        let emulator = company.emulator
        let (device, path, id) = try await organization(emulator)
        let made = try await device.post(path, form(company))
        _ = try await device.call(.patch, path + "/\(made["id"])", ["active": "true"])
        let domains = "/organizations/\(id)/domains"
        _ = try await emulator.backend(
            .post, domains, ["name": "invited.example", "enrollment_mode": "automatic_invitation", "verified": true])
        let one = "/enterprise_connections/\(made["id"])"
        _ = try await emulator.backend(.patch, one, ["name": "the same domains"])
        #expect(try await emulator.backend(.get, domains).json["total_count"] == 2)
        _ = try await emulator.backend(.patch, one, ["domains": ["acme.example", "invited.example"]])
        #expect(try await emulator.backend(.get, domains).json["total_count"] == 1)
    }

    @Test func formerPathAcceptsOnlyTheActiveOrganization() async throws {
        let company = try company()
        let (device, _, id) = try await organization(company.emulator)
        let path = "/me/enterprise_connections"
        let foreign = try await device.post(path, HTTPForm(form(company).pairs + [("organization_id", "org_other")]))
        #expect(foreign.code == "self_serve_sso_no_active_organization")
        let made = try await device.post(path, HTTPForm(form(company).pairs + [("organization_id", id)]))
        #expect(made["organization_id"] == id)
        let one = path + "/\(made["id"])"
        #expect(
            try await device.call(.patch, one, ["organization_id": "org_other"]).code == "self_serve_sso_no_active_organization")
    }
}
