import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Requests as transactions: what a refused one leaves behind, and what runs once although its endpoint runs again.
@Suite(.limitedConcurrency)
struct TransactionTests {
    private func tenants(_ stage: Stage) async throws -> [String] {
        let project = stage.server.emulator.settings.project
        let answer = try await stage.send(
            HTTPRequest(
                .get, stage.server.base + "/identitytoolkit.googleapis.com/v2/projects/\(project)/tenants",
                headers: ["Authorization": "Bearer owner"]))
        return (answer.json["tenants"]?.array ?? []).compactMap { $0["tenantId"]?.string }
    }

    /// As in Firebase's emulator, where a tenant exists once a request has named it.
    @Test(arguments: FirebaseMode.allCases)
    func aRefusedRequestLeavesTheTenantThatItNames(mode: FirebaseMode) async throws {
        let stage = try Stage(mode)
        let answer = try await stage.call(
            "accounts:signInWithPassword", ["tenantId": "blue", "email": "ada@example.com", "password": "wrong one"])
        #expect(answer.status == 400)
        let reading = try await stage.call("accounts:lookup", ["tenantId": "green", "idToken": "none"])
        #expect(reading.status == 400)
        #expect(try await tenants(stage) == ["blue", "green"])
    }

    @Test func aRefusalForAWrongPasswordIsCounted() async throws {
        let stage = try Stage { $0.limits.failedSignIns = 2 }
        _ = try await stage.signUp()
        for _ in 0..<2 { #expect(try await stage.signIn(password: "wrong one").status == 400) }
        #expect(try await stage.signIn().code == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }

    @Test func oneCodeSetsOnePasswordWhereTwoComeAtOnce() async throws {
        let stage = try Stage { $0.hashing.memoryCost = 8 }
        _ = try await stage.signUp()
        _ = try await stage.call("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let link = try #require(stage.link(to: "ada@example.com"))
        let code = try #require(link.split(separator: "&").first { $0.hasPrefix("oobCode=") }?.dropFirst(8))
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<4 {
                group.addTask {
                    let password = "another horse \(index)"
                    return try await stage.call(
                        "accounts:resetPassword", ["oobCode": .string(String(code)), "newPassword": .string(password)]
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.sorted() == [200, 400, 400, 400])
    }

    /// More passwords than a request may ask for deferred work.
    @Test func anImportHashesAllItsPasswords() async throws {
        let stage = try Stage()
        let users = (0..<20).map { index -> JSON in
            [
                "localId": .string("user-\(index)"), "email": .string("user\(index)@example.com"),
                "rawPassword": .string("horse \(index)"),
            ]
        }
        let answer = try await stage.manage("accounts:batchCreate", ["users": .array(users)])
        #expect(answer.status == 200 && answer.json["error"] == nil)
        #expect(try await stage.signIn("user19@example.com", password: "horse 19").status == 200)
    }

    /// The endpoint runs for the account, for the comparison, and for the key: the password is compared once.
    @Test func aPasswordIsComparedOnceARequest() async throws {
        let stage = try Stage { $0.signingKey = nil }
        try stage.admin.createUser(email: "ada@example.com", password: Secret(Stage.password))
        let work = stage.server.environment.passwordWork
        let before = work.count
        #expect(try await stage.signIn().status == 200)
        #expect(work.count == before + 1)
    }

    /// Settings, projects and requests have no lock in common that one could hold while it waits for the other.
    @Test func settingsChangeWhileRequestsComeAndTheServerIsReset() async throws {
        let stage = try Stage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for turn in 0..<10 {
                        let body: JSON = [
                            "tenantId": .string("tenant-\(worker)-\(turn)"), "email": "ada@example.com", "password": "wrong one",
                        ]
                        let answer = try await stage.call("accounts:signInWithPassword", body)
                        #expect(answer.status == 400)
                    }
                }
            }
            group.addTask {
                for turn in 0..<20 { try stage.admin.change { $0.limits.failedSignIns = turn } }
            }
            group.addTask {
                for _ in 0..<5 { try stage.server.panel.reset() }
            }
            try await group.waitForAll()
        }
        #expect(try await stage.signUp().status == 200)
    }
}
