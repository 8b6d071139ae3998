import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Requests as transactions: the effects of a failed one, and work that runs once although its endpoint runs again.
@Suite(.limitedConcurrency)
struct TransactionTests {
    private func tenants(_ emulator: TestEmulator) async throws -> [String] {
        let project = emulator.server.emulator.settings.project
        let response = try await emulator.send(
            HTTPRequest(
                .get, emulator.server.base + "/identitytoolkit.googleapis.com/v2/projects/\(project)/tenants",
                headers: ["Authorization": "Bearer owner"]))
        return (response.json["tenants"]?.array ?? []).compactMap { $0["tenantId"]?.string }
    }

    /// As in Firebase's emulator, where a tenant exists as soon as a request has named it.
    @Test func failedRequestCreatesTheTenantThatItNames() async throws {
        let emulator = try TestEmulator(.emulator)
        let response = try await emulator.call(
            "accounts:signInWithPassword", ["tenantId": "blue", "email": "ada@example.com", "password": "wrong one"])
        #expect(response.status == 400)
        let reading = try await emulator.call("accounts:lookup", ["tenantId": "green", "idToken": "none"])
        #expect(reading.status == 400)
        #expect(try await tenants(emulator) == ["blue", "green"])
    }

    /// Strict mode, like production, has only created tenants.
    @Test func strictModeRejectsUnknownTenants() async throws {
        let emulator = try TestEmulator(.strict)
        let sent: [(String, JSON)] = [
            ("accounts:signUp", ["tenantId": "blue", "email": "ada@example.com", "password": "correct horse"]),
            ("accounts:signInWithPassword", ["tenantId": "blue", "email": "ada@example.com", "password": "correct horse"]),
            ("accounts:sendOobCode", ["tenantId": "blue", "requestType": "PASSWORD_RESET", "email": "ada@example.com"]),
            ("accounts:lookup", ["tenantId": "blue", "idToken": "none"]),
        ]
        for (operation, body) in sent { #expect(try await emulator.call(operation, body).code == "INVALID_TENANT_ID") }
        #expect(try await emulator.manage("accounts:lookup", ["tenantId": "blue", "localId": ["x"]]).code == "TENANT_NOT_FOUND")
        let page = "/__/auth/action?tenantId=blue&mode=resetPassword&oobCode=c"
        #expect(try await emulator.get(page).status == 400)
        #expect(try await tenants(emulator) == [])
        try emulator.admin.createTenant(id: "blue")
        #expect(try await emulator.call(sent[0].0, sent[0].1).status == 200)
        #expect(try await tenants(emulator) == ["blue"])
    }

    /// The session has no user any more, and the app's configuration is right.
    @Test func sessionOfADeletedTenantIsInvalid() async throws {
        let emulator = try TestEmulator(.strict)
        let tenant = try await emulator.configure(.post, "tenants", ["displayName": "Blue", "allowPasswordSignup": true])[
            "tenantId"]
        let user = try await emulator.call(
            "accounts:signUp", ["tenantId": .string(tenant), "email": "ada@example.com", "password": "correct horse"])
        let token = JSON.string(user["idToken"])
        #expect(try await emulator.call("accounts:lookup", ["idToken": token]).status == 200)
        #expect(try await emulator.configure(.delete, "tenants/\(tenant)").status == 200)
        #expect(try await emulator.call("accounts:lookup", ["idToken": token]).code == "INVALID_ID_TOKEN")
        #expect(
            try await emulator.call("accounts:lookup", ["idToken": token, "tenantId": .string(tenant)]).code == "INVALID_ID_TOKEN"
        )
        #expect(
            try await emulator.call("accounts:lookup", ["idToken": "none", "tenantId": .string(tenant)]).code
                == "INVALID_TENANT_ID")
    }

    /// Production has only created tenants.
    ///
    /// Firebase's emulator creates the requested one.
    @Test(arguments: FirebaseMode.allCases)
    func strictModeDoesNotFindADeletedTenant(mode: FirebaseMode) async throws {
        let emulator = try TestEmulator(mode)
        let made = try await emulator.configure(.post, "tenants", ["displayName": "Blue"])
        let path = "tenants/" + made["tenantId"]
        #expect(try await emulator.configure(.get, path).status == 200)
        #expect(try await emulator.configure(.delete, path).status == 200)
        for method in [HTTPMethod.get, .patch, .delete] {
            let response = try await emulator.configure(method, path, method == .patch ? [:] : nil)
            #expect(response.status == (mode == .strict ? 404 : 200), "\(method)")
            #expect(mode != .strict || response.code == "TENANT_NOT_FOUND")
        }
    }

    @Test func failedSignInIsCounted() async throws {
        let emulator = try TestEmulator { $0.limits.failedSignIns = 2 }
        _ = try await emulator.signUp()
        for _ in 0..<2 { #expect(try await emulator.signIn(password: "wrong one").status == 400) }
        #expect(try await emulator.signIn().code == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }

    @Test func concurrentUsesOfOneCodeSetOnePassword() async throws {
        let emulator = try TestEmulator { $0.hashing.memoryCost = 8 }
        _ = try await emulator.signUp()
        _ = try await emulator.call("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let link = try #require(emulator.link(to: "ada@example.com"))
        let code = try #require(link.split(separator: "&").first { $0.hasPrefix("oobCode=") }?.dropFirst(8))
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<4 {
                group.addTask {
                    let password = "another horse \(index)"
                    return try await emulator.call(
                        "accounts:resetPassword", ["oobCode": .string(String(code)), "newPassword": .string(password)]
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.sorted() == [200, 400, 400, 400])
    }

    /// More passwords than the number of deferred works that a request can ask for.
    @Test func anImportHashesAllItsPasswords() async throws {
        let emulator = try TestEmulator()
        let users = (0..<20).map { index -> JSON in
            [
                "localId": .string("user-\(index)"), "email": .string("user\(index)@example.com"),
                "rawPassword": .string("horse \(index)"),
            ]
        }
        let response = try await emulator.manage("accounts:batchCreate", ["users": .array(users)])
        #expect(response.status == 200 && response.json["error"] == nil)
        #expect(try await emulator.signIn("user19@example.com", password: "horse 19").status == 200)
    }

    /// The endpoint runs for the account, for the comparison, and for the key.
    ///
    /// The password is compared once.
    @Test func passwordIsComparedOncePerRequest() async throws {
        let emulator = try TestEmulator { $0.signingKey = nil }
        try emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        let work = emulator.server.environment.passwordWork
        let before = work.count
        #expect(try await emulator.signIn().status == 200)
        #expect(work.count == before + 1)
    }

    /// Settings, projects and requests share no lock that one could hold while it waits for another.
    @Test func settingsChangesDuringRequestsDoNotDeadlock() async throws {
        let emulator = try TestEmulator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for turn in 0..<10 {
                        let body: JSON = [
                            "tenantId": .string("tenant-\(worker)-\(turn)"), "email": "ada@example.com", "password": "wrong one",
                        ]
                        let response = try await emulator.call("accounts:signInWithPassword", body)
                        #expect(response.status == 400)
                    }
                }
            }
            group.addTask {
                for turn in 0..<20 { try emulator.admin.change { $0.limits.failedSignIns = turn } }
            }
            group.addTask {
                for _ in 0..<5 { try emulator.server.panel.reset() }
            }
            try await group.waitForAll()
        }
        #expect(try await emulator.signUp().status == 200)
    }
}
