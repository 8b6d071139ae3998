import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct AuditTests {
    @Test func usersAndAdministratorsAreDistinguished() async throws {
        let emulator = try TestEmulator()
        let made = try await emulator.post(
            "/admin/users",
            [
                "email": "ada@example.com", "phone": "+15551234567", "password": "Correct-Horse-1", "email_confirm": true,
                "user_metadata": ["full_name": "Ada"],
            ], bearer: emulator.admin)
        let entries = try await emulator.audit()
        let entry = try #require(entries.first)
        #expect(entry["ip_address"] == "")
        #expect(
            entry["payload"] == [
                "action": "user_signedup", "actor_id": "00000000-0000-0000-0000-000000000000", "actor_username": "service_role",
                "actor_via_sso": false, "log_type": "team",
                "traits": [
                    "provider": "email", "user_email": "ada@example.com", "user_id": .string(made["id"]),
                    "user_phone": "15551234567",
                ],
            ])
        _ = try await emulator.signIn("ada@example.com")
        #expect(
            try await emulator.audit().first?["payload"] == [
                "action": "login", "actor_id": .string(made["id"]), "actor_name": "Ada", "actor_username": "15551234567",
                "actor_via_sso": false, "log_type": "account", "traits": ["provider": "email"],
            ])
    }

    @Test func refreshMakesTwoEntries() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        _ = try await emulator.refresh(session["refresh_token"])
        #expect(
            try await emulator.audit().prefix(2).map { $0["payload"]?["action"]?.string } == ["token_revoked", "token_refreshed"])
    }

    @Test func auditLogIsFilteredByQuery() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        let app = try await emulator.enrollApp(session["access_token"])
        _ = try await emulator.prove(app.id, app.secret, app.session["access_token"])
        #expect(try await emulator.audit("?query=type:FACTOR").count == 5)
        #expect(try await emulator.audit("?query=action:verification").count == 2)
        #expect(try await emulator.audit("?query=author:ada@").count == (try await emulator.audit("?query=author:")).count)
        #expect(try await emulator.audit("?query=type:factor&page=2&per_page=2").count == 2)
        let verifications = try await emulator.audit("?query=action:verification_attempted")
        let verified = try #require(verifications.first)
        #expect(verified["ip_address"] == "127.0.0.1")
        #expect(verified["payload"]?["traits"]?["factor_type"] == "totp")
        for query in ["nothing:x", "action"] {
            let refused = try await emulator.get("/admin/audit?query=\(query)", bearer: emulator.admin)
            #expect(refused.status == 400 && refused["msg"] == "Invalid query scope: \(query)")
        }
        let page = try await emulator.get("/admin/audit?per_page=1", bearer: emulator.admin)
        #expect(page.response.headers["x-total-count"].flatMap { Int($0) } ?? 0 > 4)
        #expect(page.response.headers["link"]?.contains("rel=\"next\"") == true)
    }

    @Test func secondSoftDeletionChangesNothing() async throws {
        let emulator = try TestEmulator()
        let id = try emulator.administrator.createUser(email: "ada@example.com").id
        let request = HTTPRequest(
            .delete, emulator.server.base + "/admin/users/\(id)", headers: TestEmulator.headers(emulator.admin),
            body: .json(["should_soft_delete": true]))
        #expect(try await emulator.send(request).status == 200)
        let gone = try await emulator.get("/admin/users/\(id)", bearer: emulator.admin).json
        #expect(try await emulator.send(request).status == 200)
        #expect(try await emulator.get("/admin/users/\(id)", bearer: emulator.admin).json == gone)
    }
}
