import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Organizations in the Backend API.
@Suite(.limitedConcurrency)
struct BackendOrganizationTests {
    private func start() throws -> TestEmulator {
        try TestEmulator {
            $0.organizations.isEnabled = true
            $0.organizations.hasDomains = true
        }
    }

    private func id(_ answer: TestResponse) -> String { answer.json["id"]?.string ?? "" }

    private func user(_ emulator: TestEmulator, _ email: String) async throws -> String {
        try await emulator.admin.createUser(email: email, password: Secret(TestEmulator.password)).id
    }

    @Test func organizationsAreCreatedReadChangedAndDeleted() async throws {
        let emulator = try start()
        let ada = try await user(emulator, "ada@example.com")
        let made = try await emulator.backend(
            .post, "/organizations",
            [
                "name": "Acme", "created_by": .string(ada), "slug": "acme", "private_metadata": ["plan": 7],
                "max_allowed_memberships": 3,
            ])
        #expect(made.status == 200 && made.json["private_metadata"] == ["plan": 7] && made.json["created_by"]?.string == ada)
        #expect(made.json["max_allowed_memberships"] == 3)
        _ = try await emulator.backend(.post, "/organizations", ["name": "Beta"])
        #expect(
            try await emulator.backend(.post, "/organizations", ["name": "X", "slug": "acme"]).code == "form_identifier_exists")
        let missing = try await emulator.backend(.post, "/organizations", ["name": "X", "created_by": "user_x"])
        #expect(missing.status == 400 && missing.code == "organization_creator_not_found")
        #expect(try await emulator.backend(.get, "/organizations/acme").json["id"] == made.json["id"])
        #expect(try await emulator.backend(.get, "/organizations?query=bet").json["total_count"] == 1)
        #expect(try await emulator.backend(.get, "/organizations?user_id=\(ada)").json["data"]?[0]?["name"] == "Acme")
        let ordered = try await emulator.backend(.get, "/organizations?order_by=-members_count").json["data"]?.array ?? []
        #expect(ordered.compactMap { $0["name"]?.string } == ["Acme", "Beta"])
        #expect(try await emulator.backend(.get, "/organizations?order_by=colour").code == "form_param_value_invalid")
        let path = "/organizations/\(id(made))"
        _ = try await emulator.backend(.put, path + "/metadata", ["public_metadata": ["a": ["b": 1, "c": 2]]])
        let merged = try await emulator.backend(.patch, path + "/metadata", ["public_metadata": ["a": ["b": nil]]])
        #expect(merged.json["public_metadata"] == ["a": ["c": 2]])
        #expect(
            try await emulator.backend(.patch, path, ["name": "Acme Ltd", "admin_delete_enabled": false]).json["name"]
                == "Acme Ltd")
        let device = emulator.device()
        try await device.signIn()
        #expect(try await device.call(.delete, path).code == "organization_admin_delete_not_enabled")
        #expect(try await emulator.backend(.delete, path).json["deleted"] == true)
        #expect(try await emulator.backend(.get, path).code == "resource_not_found")
        #expect(try await emulator.backend(.get, "/users/\(ada)/organization_memberships").json["total_count"] == 0)
    }

    @Test func membersAreListedChangedAndRemoved() async throws {
        let emulator = try start()
        let ada = try await user(emulator, "ada@example.com")
        let bob = try await user(emulator, "bob@example.com")
        let path =
            "/organizations/\(id(try await emulator.backend(.post, "/organizations", ["name": "A", "created_by": .string(ada)])))"
        let made = try await emulator.backend(
            .post, path + "/memberships", ["user_id": .string(bob), "role": "org:member", "private_metadata": ["x": 1]])
        #expect(made.json["role_name"] == "Member" && made.json["private_metadata"] == ["x": 1])
        #expect(try await emulator.backend(.get, path + "/memberships?role=org:admin").json["total_count"] == 1)
        #expect(try await emulator.backend(.get, path + "/memberships?email_address=bob@example.com").json["total_count"] == 1)
        #expect(try await emulator.backend(.get, "/organization_memberships?order_by=created_at").json["total_count"] == 2)
        let metadata = try await emulator.backend(
            .patch, path + "/memberships/\(bob)/metadata", ["private_metadata": ["x": nil, "y": 2]])
        #expect(metadata.json["private_metadata"] == ["y": 2])
        #expect(
            try await emulator.backend(.delete, path + "/memberships/\(ada)").code == "organization_minimum_permissions_needed")
        #expect(
            try await emulator.backend(.patch, path + "/memberships/\(bob)", ["role": "org:admin"]).json["role"] == "org:admin")
        #expect(try await emulator.backend(.delete, path + "/memberships/\(ada)").status == 200)
        #expect(try await emulator.backend(.delete, path + "/memberships/\(ada)").code == "resource_not_found")
        _ = try await emulator.backend(.delete, "/users/\(bob)")
        #expect(try await emulator.backend(.get, path + "/memberships").json["total_count"] == 0)
    }

    @Test func invitationsAreListedPerOrganizationAndTogether() async throws {
        let emulator = try start()
        let ada = try await user(emulator, "ada@example.com")
        let path =
            "/organizations/\(id(try await emulator.backend(.post, "/organizations", ["name": "A", "created_by": .string(ada)])))"
        let made = try await emulator.backend(
            .post, path + "/invitations",
            ["email_address": "Bob@example.com", "role": "org:member", "inviter_user_id": .string(ada), "expires_in_days": 1])
        #expect(made.json["email_address"] == "bob@example.com")
        #expect(made.json["public_inviter_data"]?["identifier"] == "ada@example.com")
        #expect(made.json["url"]?.string == emulator.link(to: "bob@example.com"))
        let bulk = try await emulator.backend(
            .post, path + "/invitations/bulk",
            [
                ["email_address": "c@example.com", "role": "org:member"],
                ["email_address": "d@example.com", "role": "org:member"],
            ])
        #expect(bulk.json["total_count"] == 2)
        #expect(try await emulator.backend(.post, path + "/invitations/bulk", [:]).code == "request_body_invalid")
        #expect(try await emulator.backend(.get, path + "/invitations/\(id(made))").json["status"] == "pending")
        #expect(try await emulator.backend(.get, "/organization_invitations?query=c@example").json["total_count"] == 1)
        _ = try await user(emulator, "bob@example.com")
        let bob = try #require(try emulator.admin.user(withAddress: "bob@example.com")).id
        let own = try await emulator.backend(.get, "/users/\(bob)/organization_invitations?status=pending").json
        #expect(own["total_count"] == 1 && own["data"]?[0]?["public_organization_data"]?["name"] == "A")
        emulator.pass(2 * 86_400)
        #expect(try await emulator.backend(.get, path + "/invitations?status=expired").json["total_count"] == 1)
        #expect(try await emulator.backend(.get, path + "/invitations/pending").json["total_count"] == 2)
        #expect(try await emulator.backend(.get, path + "/invitations?status=odd").code == "form_param_value_invalid")
        let revoked = try await emulator.backend(
            .post, path + "/invitations/\(bulk.json["data"]?[0]?["id"]?.string ?? "")/revoke",
            ["requesting_user_id": .string(ada)])
        #expect(revoked.json["status"] == "revoked" && revoked.json["url"] == .null)
    }

    @Test func rolesAndPermissionsBelongToTheInstance() async throws {
        let emulator = try start()
        let ada = try await user(emulator, "ada@example.com")
        let made = try await emulator.backend(
            .post, "/organization_permissions", ["name": "Read reports", "key": "org:reports:read", "description": "r"])
        #expect(made.json["type"] == "user")
        #expect(
            try await emulator.backend(.post, "/organization_permissions", ["name": "R", "key": "org:reports:read"]).code
                == "form_already_exists")
        for key in ["reports", "org:Reports:read", "org:sys_x:read", "org:reports"] {
            let bad = try await emulator.backend(.post, "/organization_permissions", ["name": "R", "key": .string(key)])
            #expect(bad.code == "form_param_format_invalid", "\(key)")
        }
        let all = try await emulator.backend(.get, "/organization_permissions").json
        let keys = (all["data"]?.array ?? []).compactMap { $0["key"]?.string }
        #expect(keys.filter { !$0.hasPrefix("org:sys_") } == ["org:reports:read"])
        #expect(all["total_count"]?.int == Int64(keys.count) && keys.contains("org:sys_domains:read"))
        let found = try await emulator.backend(.get, "/organization_permissions?query=sys_domains:read").json["data"]
        let system = try #require(found?[0]?["id"]?.string)
        let refused = try await emulator.backend(.delete, "/organization_permissions/\(system)")
        #expect(refused.code == "organization_system_permission_not_modifiable")
        let role = try await emulator.backend(
            .post, "/organization_roles", ["name": "Auditor", "key": "org:auditor", "permissions": ["org:reports:read"]])
        #expect(role.json["permissions"]?[0]?["key"] == "org:reports:read" && role.json["is_creator_eligible"] == false)
        let path = "/organization_roles/\(id(role))"
        let permission = path + "/permissions/\(id(made))"
        #expect(try await emulator.backend(.post, permission).code == "organization_role_permission_association_exists")
        #expect(try await emulator.backend(.delete, permission).json["permissions"] == [])
        #expect(try await emulator.backend(.delete, permission).code == "organization_role_permission_association_not_found")
        let organization = id(try await emulator.backend(.post, "/organizations", ["name": "A"]))
        let join: JSON = ["user_id": .string(ada), "role": "org:auditor"]
        let outside = try await emulator.backend(.post, "/organizations/\(organization)/memberships", join)
        #expect(outside.code == "form_resource_not_found")
        _ = try await emulator.backend(.post, "/role_sets/role_set:default/roles", ["role_keys": ["org:auditor"]])
        _ = try await emulator.backend(.post, "/organizations/\(organization)/memberships", join)
        #expect(try await emulator.backend(.delete, path).code == "organization_role_assigned_members")
        _ = try await emulator.backend(.patch, path, ["key": "org:checker"])
        let members = try await emulator.backend(.get, "/organizations/\(organization)/memberships").json
        #expect(members["data"]?[0]?["role"] == "org:checker")
        let set = try await emulator.backend(.get, "/role_sets/role_set:default").json
        #expect(set["roles"]?.array?.contains { $0["key"] == "org:checker" } == true)
        let admin = try await emulator.backend(.get, "/organization_roles?query=org:admin").json["data"]?[0]?["id"]?.string ?? ""
        #expect(
            try await emulator.backend(.patch, "/organization_roles/\(admin)", ["permissions": []]).code
                == "organization_missing_creator_role_permissions")
        #expect(
            try await emulator.backend(.delete, "/organization_roles/\(admin)").code == "organization_role_default_creator_role")
    }

    @Test func roleSetsAreCreatedAndReplaced() async throws {
        let emulator = try start()
        let ada = try await user(emulator, "ada@example.com")
        #expect(try await emulator.backend(.get, "/role_sets").json["data"]?[0]?["type"] == "initial")
        _ = try await emulator.backend(.post, "/organization_roles", ["name": "Owner", "key": "org:owner"])
        let made = try await emulator.backend(
            .post, "/role_sets",
            [
                "name": "Small", "key": "role_set:small", "default_role_key": "org:owner", "creator_role_key": "org:owner",
                "roles": ["org:owner"],
            ])
        #expect(made.json["default_role"]?["key"] == "org:owner" && made.json["type"] == "custom")
        let organization = try await emulator.backend(
            .post, "/organizations", ["name": "A", "created_by": .string(ada), "role_set_key": "role_set:default"])
        let path = "/organizations/\(id(organization))/memberships"
        let missing = try await emulator.backend(
            .post, "/role_sets/role_set:default/replace", ["dest_role_set_key": "role_set:small"])
        #expect(missing.code == "organization_role_set_reassignment_mappings_missing")
        let replaced = try await emulator.backend(
            .post, "/role_sets/role_set:default/replace",
            ["dest_role_set_key": "role_set:small", "reassignment_mappings": ["org:admin": "org:owner"]])
        #expect(replaced.json["deleted"] == true)
        #expect(try await emulator.backend(.get, path).json["data"]?[0]?["role"] == "org:owner")
        _ = try await emulator.backend(.post, "/role_sets/role_set:small/roles", ["role_keys": ["org:admin"]])
        let swapped = try await emulator.backend(
            .post, "/role_sets/role_set:small/roles/replace", ["role_key": "org:owner", "to_role_key": "org:admin"])
        #expect(swapped.json["roles"]?.array?.count == 1 && swapped.json["creator_role"]?["key"] == "org:admin")
        #expect(try await emulator.backend(.get, path).json["data"]?[0]?["role"] == "org:admin")
        #expect(try await emulator.backend(.patch, "/role_sets/role_set:small", ["type": "initial"]).json["type"] == "initial")
        #expect(try await emulator.backend(.get, "/role_sets/role_set:default").code == "resource_not_found")
    }

    @Test func administratorVerifiesDomains() async throws {
        let emulator = try start()
        let one = "/organizations/\(id(try await emulator.backend(.post, "/organizations", ["name": "A"])))/domains"
        let other = "/organizations/\(id(try await emulator.backend(.post, "/organizations", ["name": "B"])))/domains"
        let made = try await emulator.backend(
            .post, one, ["name": "acme.test", "enrollment_mode": "automatic_invitation", "verified": true])
        #expect(made.json["verification"]?["status"] == "verified")
        #expect(
            try await emulator.backend(.post, other, ["name": "acme.test", "verified": true]).code
                == "organization_domain_already_exists")
        #expect(try await emulator.backend(.post, other, ["name": "acme.test", "verified": false]).status == 200)
        #expect(try await emulator.backend(.get, "/organization_domains?query=acme").json["total_count"] == 2)
        #expect(try await emulator.backend(.get, one + "?verified=true").json["total_count"] == 1)
        let changed = try await emulator.backend(
            .patch, one + "/\(id(made))", ["verified": false, "enrollment_mode": "manual_invitation"])
        #expect(changed.json["verification"] == .null && changed.json["enrollment_mode"] == "manual_invitation")
        let unknown = try await emulator.backend(.patch, one + "/\(id(made))", ["enrollment_mode": "enterprise_sso"])
        #expect(unknown.code == "organization_domain_enrollment_mode_not_enabled")
        #expect(try await emulator.backend(.delete, one + "/\(id(made))").json["deleted"] == true)
    }

    /// An unverified domain admits nobody, whatever its mode.
    @Test func unverifiedDomainSuggestsNoMembership() async throws {
        let emulator = try start()
        let path = "/organizations/\(id(try await emulator.backend(.post, "/organizations", ["name": "A"])))/domains"
        let made = try await emulator.backend(
            .post, path, ["name": "acme.test", "enrollment_mode": "automatic_suggestion", "verified": false])
        let device = emulator.device()
        try await device.signUp("ada@acme.test")
        #expect(try await device.get("/me/organization_suggestions").response["total_count"] == 0)
        _ = try await emulator.backend(.post, path + "/\(id(made))/verify_ownership")
        #expect(try await device.get("/me/organization_suggestions").response["total_count"] == 1)
    }

    /// Creators and members get the roles of their organization's role set.
    ///
    /// New organizations have the initial one.
    @Test func roleSetDecidesTheRolesOfMembers() async throws {
        let emulator = try TestEmulator { $0.organizations.isEnabled = true }
        let ada = try await emulator.admin.createUser(email: "ada@example.com", password: "correct horse battery").id
        func creatorRole() async throws -> String? {
            let made = try await emulator.backend(.post, "/organizations", ["name": "Acme", "created_by": .string(ada)])
            let path = "/organizations/\(made.json["id"]?.string ?? "")/memberships"
            return try await emulator.backend(.get, path).json["data"]?[0]?["role"]?.string
        }
        #expect(try await creatorRole() == "org:admin")
        let permissions = ["org:sys_profile:manage", "org:sys_memberships:read", "org:sys_memberships:manage"]
        let owner = try await emulator.backend(
            .post, "/organization_roles",
            ["name": "Owner", "key": "org:owner", "permissions": .array(permissions.map { .string($0) })])
        let id = owner.json["id"]?.string ?? ""
        let changed = try await emulator.backend(.patch, "/instance/organization_settings", ["creator_role_id": .string(id)])
        #expect(changed.status == 200 && changed.json["creator_role"] == "org:owner")
        #expect(try await creatorRole() == "org:owner")
        #expect(try await emulator.backend(.get, "/role_sets/role_set:default").json["creator_role"]?["key"] == "org:owner")
        #expect(try await emulator.device().get("/environment").json["organization_settings"]?["creator_role"] == "org:owner")
        #expect(try await emulator.backend(.delete, "/organization_roles/\(id)").code == "organization_role_default_creator_role")
        _ = try await emulator.backend(
            .post, "/role_sets",
            [
                "name": "Other", "key": "role_set:other", "type": "initial", "roles": ["org:admin", "org:member"],
                "default_role_key": "org:member", "creator_role_key": "org:admin",
            ])
        #expect(try await creatorRole() == "org:admin")
        let settings = try await emulator.backend(.get, "/instance/organization_settings").json
        #expect(settings["initial_role_set_key"] == "role_set:other" && settings["creator_role"] == "org:admin")
    }
}
