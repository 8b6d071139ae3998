import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Limits of the Backend API: the size of metadata, the lifetime of invitations, hashers.
@Suite(.limitedConcurrency)
struct BackendLimitTests {
    /// Metadata whose text has this many bytes: `{"a":"…"}`.
    private static func metadata(_ bytes: Int) -> JSON { ["a": .string(String(repeating: "x", count: bytes - 8))] }

    private func expectLimit(_ call: (JSON) async throws -> TestResponse, _ name: String) async throws {
        #expect(try await call(Self.metadata(8192)).status == 200, "\(name)")
        let refused = try await call(Self.metadata(8193))
        #expect(refused.status == 422 && refused.code == "form_param_exceeds_allowed_size", "\(name)")
        #expect(refused.parameter == name)
    }

    @Test(arguments: ["public_metadata", "private_metadata", "unsafe_metadata"])
    func aUsersMetadataHas8KBAtMost(_ name: String) async throws {
        let emulator = try TestEmulator()
        var count = 0
        try await expectLimit(
            { metadata in
                count += 1
                return try await emulator.backend(
                    .post, "/users",
                    ["email_address": [.string("ada\(count)@example.com")], "password": "correct horse battery", name: metadata])
            }, name)
        #expect(try emulator.admin.userCount() == 1)
        let id = try await emulator.backend(.get, "/users").json[0]?["id"]?.string ?? ""
        for method in [HTTPMethod.put, .patch] {
            try await expectLimit({ try await emulator.backend(method, "/users/\(id)/metadata", [name: $0]) }, name)
        }
        // The limit applies to the merged value, not to the request's part.
        let grown = try await emulator.backend(.patch, "/users/\(id)/metadata", [name: ["b": "c"]])
        #expect(grown.code == "form_param_exceeds_allowed_size")
        #expect(try await emulator.backend(.get, "/users/\(id)").json[name]?.object?["b"] == nil)
    }

    @Test(arguments: ["public_metadata", "private_metadata"])
    func anOrganizationsMetadataHas8KBAtMost(_ name: String) async throws {
        let emulator = try TestEmulator.withOrganizations()
        try await expectLimit({ try await emulator.backend(.post, "/organizations", ["name": "Acme", name: $0]) }, name)
        let one = try await emulator.backend(.get, "/organizations").json["data"]?[0]?["id"]?.string ?? ""
        for method in [HTTPMethod.put, .patch] {
            try await expectLimit({ try await emulator.backend(method, "/organizations/\(one)/metadata", [name: $0]) }, name)
        }
        let user = try await emulator.member("ada@example.com").id
        let path = "/organizations/\(one)/memberships"
        try await expectLimit(
            { metadata in
                let made = try await emulator.backend(
                    .post, path, ["user_id": .string(user), "role": "org:member", name: metadata])
                if made.status == 200 { _ = try await emulator.backend(.delete, path + "/\(user)") }
                return made
            }, name)
        _ = try await emulator.backend(.post, path, ["user_id": .string(user), "role": "org:member"])
        try await expectLimit({ try await emulator.backend(.patch, path + "/\(user)/metadata", [name: $0]) }, name)
        var count = 0
        try await expectLimit(
            { metadata in
                count += 1
                return try await emulator.backend(
                    .post, "/organizations/\(one)/invitations",
                    ["email_address": .string("b\(count)@example.com"), "role": "org:member", name: metadata])
            }, name)
    }

    @Test func anInvitationsMetadataHas8KBAtMost() async throws {
        let emulator = try TestEmulator()
        var count = 0
        try await expectLimit(
            { metadata in
                count += 1
                return try await emulator.backend(
                    .post, "/invitations", ["email_address": .string("b\(count)@example.com"), "public_metadata": metadata])
            }, "public_metadata")
    }

    @Test func anExpiredInvitationIsExpiredInListsToo() async throws {
        let emulator = try TestEmulator.withOrganizations()
        func invite(_ address: String, days: Int64) async throws -> TestResponse {
            try await emulator.backend(
                .post, "/invitations", ["email_address": .string(address), "expires_in_days": .int(days)])
        }
        let old = try await invite("old@example.com", days: 1)
        let new = try await invite("new@example.com", days: 9)
        #expect(old.json["status"] == "pending" && old.json["url"] != nil)
        let organization = try await emulator.backend(.post, "/organizations", ["name": "Acme"]).json["id"]?.string ?? ""
        let path = "/organizations/\(organization)/invitations"
        let member = try await emulator.backend(
            .post, path, ["email_address": "old@example.com", "role": "org:member", "expires_in_days": 1])
        emulator.pass(2 * 86_400)
        func ids(_ query: String) async throws -> [JSON?] {
            try await emulator.backend(.get, "/invitations" + query).json.array?.map { $0["id"] } ?? []
        }
        #expect(try await ids("?status=expired") == [old.json["id"]])
        #expect(try await ids("?status=pending") == [new.json["id"]])
        let all = try await emulator.backend(.get, "/invitations").json.array ?? []
        let shown = try #require(all.first { $0["id"] == old.json["id"] })
        #expect(all.count == 2 && shown["status"] == "expired" && shown["url"] == nil)
        let organizations = try await emulator.backend(.get, path + "?status=expired").json["data"]?.array
        #expect(organizations?.count == 1 && organizations?[0]["status"] == "expired")
        // An expired invitation is not pending, so it cannot be revoked for an organization. Another one can be created.
        #expect(
            try await emulator.backend(.post, path + "/\(member.json["id"]?.string ?? "")/revoke").code
                == "organization_invitation_not_pending")
        #expect(try await invite("old@example.com", days: 1).status == 200)
    }

    @Test func aWaitlistEntryShowsItsExpiredInvitation() async throws {
        let emulator = try TestEmulator { $0.signUpMode = .waitlist }
        let joined = try await emulator.device().post("/waitlist", ["email_address": "ada@example.com"])
        _ = try await emulator.backend(.post, "/waitlist_entries/\(joined.json["id"]?.string ?? "")/invite")
        emulator.pass(31 * 86_400)
        let entry = try await emulator.backend(.get, "/waitlist_entries").json["data"]?[0]
        #expect(entry?["invitation"]?["status"] == "expired")
    }

    /// Clerk asks Amazon once for such a password.
    ///
    /// The emulator reports that it does not support this, with a code that is not Clerk's.
    @Test func unsupportedHasherIsRejectedByName() async throws {
        let emulator = try TestEmulator()
        let body: JSON = [
            "email_address": ["ada@example.com"], "password_digest": "awscognito#eu-1_pool#client#ada@example.com",
            "password_hasher": "awscognito",
        ]
        let refused = try await emulator.backend(.post, "/users", body)
        #expect(refused.status == 501 && refused.code == "lockstep_hasher_not_built" && refused.parameter == "password_hasher")
        #expect(try emulator.admin.userCount() == 0)
        let id = try await emulator.member("eve@example.com").id
        let change: JSON = ["password_digest": "awscognito#a#b#c", "password_hasher": "awscognito"]
        #expect(try await emulator.backend(.patch, "/users/\(id)", change).code == "lockstep_hasher_not_built")
        let unknown: JSON = ["password_digest": "x", "password_hasher": "rot13"]
        #expect(try await emulator.backend(.patch, "/users/\(id)", unknown).code == "form_param_value_invalid")
    }
}
