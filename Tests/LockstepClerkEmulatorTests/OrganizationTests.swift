import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Organizations in the Frontend API: members, permissions, roles, the active organization of a session.
@Suite(.limitedConcurrency)
struct OrganizationTests {
    private func claims(_ answer: TestResponse) throws -> JSONObject {
        try UnverifiedToken(answer.json["jwt"]?.string ?? "").claims
    }

    @Test func anInstanceWithoutOrganizationsRejectsThem() async throws {
        let emulator = try TestEmulator()
        let (ada, _) = try await emulator.member("ada@example.com")
        #expect(try await ada.post("/organizations", ["name": "Acme"]).code == "organization_not_enabled_in_instance")
        #expect(try await ada.get("/me/organization_memberships").response == ["data": [], "total_count": 0])
        let session = try await ada.sessionID()
        #expect(
            try await ada.post("/client/sessions/\(session)/touch", ["active_organization_id": "org_x"]).code
                == "organization_not_enabled_in_instance")
    }

    @Test func creatorCanChangeAndDeleteTheOrganization() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, id) = try await emulator.member("ada@example.com")
        let made = try await ada.post("/organizations", ["name": "Acme & Söhne"])
        #expect(made.status == 200 && made["slug"] == "acme-s-hne" && made.response["members_count"] == 1)
        let path = "/organizations/\(made["id"])"
        #expect(try await ada.post("/organizations", ["name": "Other", "slug": "acme-s-hne"]).code == "form_identifier_exists")
        #expect(try await ada.post("/organizations", ["name": "Other", "slug": "a b"]).code == "form_param_format_invalid")
        #expect(try await ada.post("/organizations").code == "form_param_missing")
        let changed = try await ada.call(.patch, path, ["name": "Acme", "slug": "acme"])
        #expect(changed["name"] == "Acme" && changed["slug"] == "acme")
        let memberships = try await ada.get("/me/organization_memberships").response
        #expect(memberships["total_count"] == 1)
        #expect(memberships["data"]?[0]?["role"] == "org:admin")
        #expect(memberships["data"]?[0]?["public_user_data"]?["user_id"]?.string == id)
        #expect(try await ada.get("/me").response["organization_memberships"]?.array?.count == 1)
        // The only admin can neither leave nor give up the role.
        #expect(
            try await ada.call(.delete, "/me/organization_memberships/\(made["id"])").code
                == "organization_minimum_permissions_needed")
        #expect(
            try await ada.call(.patch, path + "/memberships/\(id)", ["role": "org:member"]).code
                == "organization_minimum_permissions_needed")
        #expect(try await ada.call(.delete, path).response["deleted"] == true)
        #expect(try await ada.get(path).code == "resource_not_found")
    }

    @Test func nonMembersAndMembersWithoutPermissionAreRejected() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, _) = try await emulator.member("ada@example.com")
        let (bob, bobID) = try await emulator.member("bob@example.com")
        let id = try await ada.post("/organizations", ["name": "Acme"])["id"]
        let path = "/organizations/\(id)"
        #expect(try await bob.get(path).code == "not_a_member_in_organization")
        #expect(try await emulator.device().get(path).code == "authentication_invalid")
        let added = try await ada.post(path + "/memberships", ["user_id": bobID, "role": "org:member"])
        #expect(added["role"] == "org:member" && added.list("permissions") == ["org:sys_memberships:read"])
        let again = try await ada.post(path + "/memberships", ["user_id": bobID, "role": "org:member"])
        #expect(again.code == "already_a_member_in_organization")
        #expect(
            try await ada.post(path + "/memberships", ["user_id": bobID, "role": "org:king"]).code == "form_resource_not_found")
        #expect(try await bob.get(path + "/memberships").response["total_count"] == 2)
        #expect(try await bob.get(path + "/memberships", query: "&query=ada").response["total_count"] == 1)
        #expect(try await bob.get(path + "/memberships", query: "&role=org:admin").response["total_count"] == 1)
        let refused = try await bob.call(.patch, path, ["name": "Mine"])
        #expect(refused.status == 403 && refused.code == "missing_organization_permission")
        #expect(refused.json["errors"]?[0]?["meta"]?["permissions"] == ["org:sys_profile:manage"])
        #expect(try await bob.call(.delete, path).code == "missing_organization_permission")
        #expect(
            try await bob.post(path + "/invitations", ["email_address": "x@example.com", "role": "org:member"]).status == 403)
        #expect(try await bob.call(.delete, "/me/organization_memberships/\(id)").response["deleted"] == true)
        #expect(try await bob.get(path).code == "not_a_member_in_organization")
    }

    @Test func theActiveOrganizationIsInTokens() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, adaID) = try await emulator.member("ada@example.com")
        let id = try await ada.post("/organizations", ["name": "Acme"])["id"]
        let session = try await ada.sessionID()
        let path = "/client/sessions/\(session)"
        #expect(try claims(try await ada.post(path + "/tokens"))["o"] == nil)
        let touched = try await ada.post(path + "/touch", ["active_organization_id": id, "intent": "select_org"])
        #expect(touched["last_active_organization_id"] == id)
        let token = try claims(try await ada.post(path + "/tokens"))
        #expect(token["o"] == ["id": .string(id), "slg": "acme", "rol": "admin"])
        #expect(token["fea"] == "")
        #expect(try claims(try await ada.post(path + "/tokens", ["organization_id": ""]))["o"] == nil)
        #expect(
            try await ada.post(path + "/tokens", ["organization_id": "org_x"]).code == "organization_not_found_or_unauthorized")
        // A custom permission of the instance is a feature and an action.
        let permission = try await emulator.backend(
            .post, "/organization_permissions", ["name": "Write invoices", "key": "org:invoices:write"])
        let role = try await emulator.backend(.get, "/organization_roles").json["data"]?.array?.first { $0["key"] == "org:admin" }
        let roleID = role?["id"]?.string ?? ""
        _ = try await emulator.backend(.post, "/organization_roles/\(roleID)/permissions/\(permission.json["id"]?.string ?? "")")
        let rich = try claims(try await ada.post(path + "/tokens"))
        #expect(rich["o"] == ["id": .string(id), "slg": "acme", "rol": "admin", "per": "write", "fpm": "1"])
        #expect(rich["fea"] == "o:invoices")
        let template = try await emulator.backend(
            .post, "/jwt_templates", ["name": "mine", "claims": ["org": "{{org.slug}}", "as": "{{org.role}}"]])
        #expect(template.status == 200)
        let own = try claims(try await ada.post(path + "/tokens/mine"))
        #expect(own["org"] == "acme" && own["as"] == "org:admin")
        // A removed member no longer has it.
        let (_, bobID) = try await emulator.member("bob@example.com")
        _ = try await ada.post("/organizations/\(id)/memberships", ["user_id": bobID, "role": "org:admin"])
        #expect(try await emulator.backend(.delete, "/organizations/\(id)/memberships/\(adaID)").status == 200)
        #expect(try claims(try await ada.post(path + "/tokens"))["o"] == nil)
        #expect(try await ada.get(path).response["last_active_organization_id"] == .null)
        // Tokens of old versions have other claims.
        _ = try await emulator.backend(
            .post, "/organizations/\(id)/memberships", ["user_id": .string(adaID), "role": "org:member"])
        _ = try await ada.post(path + "/touch", ["active_organization_id": id])
        let old = try await emulator.send(
            HTTPRequest(
                .post, "\(emulator.server.base)/v1\(path)/tokens?_is_native=1",
                headers: ["clerk-api-version": "2024-10-01", "Authorization": ada.token]))
        let oldClaims = try claims(old)
        #expect(oldClaims["org_id"]?.string == id && oldClaims["org_role"] == "org:member" && oldClaims["org_slug"] == "acme")
        #expect(oldClaims["o"] == nil)
    }

    @Test func forcedSelectionIsASessionTask() async throws {
        let emulator = try TestEmulator.withOrganizations { $0.organizations.isSelectionForced = true }
        let (ada, _) = try await emulator.member("ada@example.com")
        let session = try await ada.sessionID()
        let pending = try await ada.get("/client").response["sessions"]?[0]
        #expect(pending?["status"] == "pending" && pending?["tasks"] == [["key": "choose-organization"]])
        let id = try await ada.post("/organizations", ["name": "Acme"])["id"]
        let chosen = try await ada.post("/client/sessions/\(session)/touch", ["active_organization_id": id])
        #expect(chosen["status"] == "active")
    }

    @Test func userLimitsOnOrganizationsAreEnforced() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, id) = try await emulator.member("ada@example.com")
        _ = try await emulator.backend(.patch, "/users/\(id)", ["create_organizations_limit": 1])
        #expect(try await ada.post("/organizations", ["name": "One"]).status == 200)
        #expect(try await ada.post("/organizations", ["name": "Two"]).code == "organization_quota_exceeded")
        _ = try await emulator.backend(.patch, "/users/\(id)", ["create_organization_enabled": false])
        #expect(try await ada.post("/organizations", ["name": "Three"]).code == "user_create_organization_not_enabled")
    }

    @Test func rolesComeFromTheOrganizationsRoleSet() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, _) = try await emulator.member("ada@example.com")
        let (_, bobID) = try await emulator.member("bob@example.com")
        let path = "/organizations/\(try await ada.post("/organizations", ["name": "Acme"])["id"])"
        _ = try await emulator.backend(.post, "/organization_roles", ["name": "Auditor", "key": "org:auditor"])
        #expect(try await ada.get(path + "/roles").response["total_count"] == 2)
        #expect(
            try await ada.post(path + "/memberships", ["user_id": bobID, "role": "org:auditor"]).code
                == "form_resource_not_found")
        let invited = try await ada.post(path + "/invitations", ["email_address": "x@example.com", "role": "org:auditor"])
        #expect(invited.code == "form_resource_not_found")
        _ = try await emulator.backend(.post, "/role_sets/role_set:default/roles", ["role_keys": ["org:auditor"]])
        #expect(try await ada.get(path + "/roles").response["total_count"] == 3)
        #expect(
            try await ada.post(path + "/memberships", ["user_id": bobID, "role": "org:auditor"])["role"] == "org:auditor")
    }

    @Test func picturesAreStoredAndServed() async throws {
        let emulator = try TestEmulator.withOrganizations()
        let (ada, _) = try await emulator.member("ada@example.com")
        let path = "/organizations/\(try await ada.post("/organizations", ["name": "Acme"])["id"])/logo"
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF]
        func send(_ method: HTTPMethod, _ path: String, _ bytes: [UInt8]) async throws -> TestResponse {
            let head =
                "--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
            return try await emulator.send(
                HTTPRequest(
                    method, "\(emulator.server.base)/v1\(path)?_is_native=1", headers: ["Authorization": ada.token],
                    body: HTTPBody(
                        Array(head.utf8) + bytes + Array("\r\n--b1--\r\n".utf8), type: "multipart/form-data; boundary=b1")))
        }
        #expect(try await ada.call(.delete, path).code == "image_not_found")
        let logo = try await send(.put, path, picture)
        #expect(logo.status == 200 && logo.response["has_image"] == true)
        #expect(try await send(.put, path, Array("<svg/>".utf8)).code == "form_param_format_invalid")
        let image = try await emulator.send(HTTPRequest(.get, logo["image_url"]))
        #expect(image.status == 200 && image.headers["Content-Type"] == "image/png")
        let next = try await send(.put, path, picture)
        #expect(try await emulator.send(HTTPRequest(.get, logo["image_url"])).code == "image_not_found")
        #expect(try await emulator.send(HTTPRequest(.get, next["image_url"])).status == 200)
        #expect(try await ada.call(.delete, path).response["deleted"] == true)
        #expect(try await emulator.send(HTTPRequest(.get, logo["image_url"])).code == "image_not_found")
        #expect(try await send(.post, "/me/profile_image", picture).status == 200)
        #expect(try await ada.get("/me").response["has_image"] == true)
        #expect(try await ada.call(.delete, "/me/profile_image").status == 200)
        #expect(try await ada.get("/me").response["has_image"] == false)
        // The picture of a deleted user is removed with other expired rows.
        let own = try await send(.post, "/me/profile_image", picture)["public_url"]
        _ = try await emulator.backend(.delete, "/users/\(try await ada.get("/me")["id"])")
        emulator.pass(86_400 + 600)
        #expect(try await emulator.send(HTTPRequest(.get, own)).code == "image_not_found")
    }
}
