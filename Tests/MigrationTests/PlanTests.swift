import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Synchronization
import Testing

@testable import LockstepMigration

@Suite(.limitedConcurrency) struct PlanTests {
    @Test(.covers("M01", "M02", "M23", "M57")) func planCountsEveryUserAndItsSumsMatch() async throws {
        try await MoveWorld.with(users: 6) { world in
            try await world.importUsers([
                ["localId": "anonymous"],
                ["localId": "no-address", "providerUserInfo": [["providerId": "github.com", "rawId": "h1"]]],
                ["localId": "phone", "phoneNumber": "+4915112345678"],
                MoveWorld.user(10, ["emailVerified": false]),
                MoveWorld.user(11, ["rawPassword": .null, "providerUserInfo": [["providerId": "google.com", "rawId": "g1"]]]),
                MoveWorld.user(12, ["mfaInfo": [["mfaEnrollmentId": "f", "phoneInfo": "+4915112345679"]]]),
                MoveWorld.user(13, ["disabled": true, "customAttributes": "{\"role\":\"x\",\"provider\":\"y\"}"]),
                MoveWorld.user(14, ["email": "ren\u{E9}@example.com"]), MoveWorld.user(15, ["email": "rene\u{301}@example.com"]),
            ])
            // GoTrue rejects non-ASCII letters. Here both forms of the address reach the search for duplicates.
            let plan = try await world.move(try world.run()) { $0.acceptsAddress = { _ in true } }.plan()
            #expect(plan.read == 15 && plan.counted == 15 && plan.created == 11 && plan.isConsistent)
            #expect(plan.skipped == [.anonymousUser: 1])
            #expect(plan.refused == [.noAddressOrNumber: 1, .phoneFactor: 1, .addressTwice: 1])
            #expect(plan.ways == [.password: 7, .phoneCode: 1, .passwordAfterProof: 1, .provider: 1, .disabled: 1])
            #expect(plan.providers == ["google": 1])
            let claims = try #require(plan.fields.first { $0.field == .claims })
            #expect(claims.treatment == .lost && claims.reason == .reservedNames)
            #expect(PlanSummary(journal: JSON.object(plan.json).text()) == plan)
            let text = plan.text
            #expect(text.contains("15 users read, as many as the project reports"))
            #expect(text.contains("GoTrue sends 30 emails an hour by default: 1 h."))
        }
    }

    /// The users of tenants are in no list of the project.
    @Test(.covers("M55")) func tenantsAreCountedAndNeedAChoice() async throws {
        try await MoveWorld.with(users: 3) { world in
            for number in 0..<25 { try world.source.emulator.admin.createTenant(id: "empty-\(100 + number)") }
            let before = try await world.move(try world.run()).plan()
            #expect(before.tenants == [] && before.created == 3)
            try world.source.emulator.admin.createTenant(id: "shop")
            let users: JSON = ["users": [MoveWorld.user(0), MoveWorld.user(50)]]
            #expect(try await world.source.emulator.admin.importUsers(users, tenant: "shop").isEmpty)
            let error = await #expect(throws: MigrationError.self) { try await world.move(try world.run()).plan() }
            #expect(error?.code == .tenants && error?.message.contains("shop 2") == true)
            var choices = MoveChoices()
            choices.tenants = .skip
            let plan = try await world.move(try world.run(), choices).plan()
            #expect(plan.tenants == [MoveTenant(name: "shop", users: 2)] && plan.created == 3 && plan.text.contains("shop 2"))
            #expect(PlanSummary(journal: JSON.object(plan.json).text()) == plan)
            // A key that may not list them.
            try world.source.panel.fail(next: 1, "GET", "*/tenants", with: .status(403, body: ["error": ["message": "no"]]))
            try world.source.panel.fail(
                next: 3, "GET", "*/config",
                with: .changeResponse { response in
                    var copy = response
                    copy.body = Array("{\"multiTenant\":{\"allowTenants\":true},".utf8) + response.body.dropFirst()
                    return copy
                })
            let unknown = try await world.move(try world.run()).plan()
            #expect(unknown.tenants == nil && PlanSummary(journal: JSON.object(unknown.json).text()) == unknown)
        }
    }

    @Test(.covers("M01")) func planSendsOnlyReadingRequests() async throws {
        try await MoveWorld.with(users: 5) { world in
            _ = try await world.move(try world.run()).plan()
            #expect(world.writes.isEmpty && world.target.panel.transcript.count > 0)
            let source = world.source.panel.transcript.entries.map(\.request)
            let readers = ["/accounts:query", "/accounts:lookup"]
            #expect(
                !source.isEmpty && source.allSatisfy { one in one.method == "GET" || readers.contains { one.path.hasSuffix($0) } }
            )
        }
    }

    @Test(.covers("M05")) func probeWithAWrongPasswordEndsThePlan() async throws {
        try await MoveWorld.with(users: 3) { world in
            let right = MoveChoices(probe: .init(email: "USER1@example.com", password: MoveWorld.password))
            #expect(try await world.move(try world.run(), right).plan().probe == "USER1@…")
            for (email, password) in [("user1@example.com", "Another-1"), ("nobody@example.com", MoveWorld.password)]
                as [(String, Secret)]
            {
                let choices = MoveChoices(probe: .init(email: email, password: password))
                let folder = try world.run()
                let error = await #expect(throws: MigrationError.self) { try await world.move(folder, choices).plan() }
                #expect(error?.code == .probe)
                // There is no plan that an apply could use.
                let refusal = await #expect(throws: MigrationError.self) { try await world.move(folder).apply(isPartial: true) }
                #expect(refusal?.code == .notPlanned)
            }
            #expect(world.writes.isEmpty)
        }
    }

    @Test(.covers("M54")) func higherSourceCountEndsThePlan() async throws {
        try await MoveWorld.with(users: 3) { world in
            try world.source.panel.fail(next: 10, "POST", "*/accounts:query", with: .answer(.json(["recordsCount": "4"])))
            let error = await #expect(throws: MigrationError.self) { try await world.move(try world.run()).plan() }
            #expect(error?.code == .count)
        }
    }

    @Test(.covers("M07")) func targetUsersKeepTheirAddresses() async throws {
        try await MoveWorld.with(users: 3) { world in
            var user = NewDirectoryUser(email: MoveWorld.email(1))
            user.displayName = "Another person"
            let other = try await world.goTrue().create(user)
            let plan = try await world.move(try world.run()).plan()
            #expect(plan.created == 2 && plan.refused == [.addressTaken: 1])
            #expect(try await world.goTrue().user(id: other.id).displayName == "Another person")
        }
    }

    @Test(.covers("M31")) func runStoresNoAddressHashOrPassword() async throws {
        try await MoveWorld.with(users: 3) { world in
            let folder = try world.run()
            let move = try await world.move(
                folder, MoveChoices(probe: .init(email: MoveWorld.email(1), password: MoveWorld.password)))
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            let exported = try world.source.emulator.admin.exportUsers()["users"]?[0]
            let canaries = [
                MoveWorld.email(1), "user1@", "User 1", MoveWorld.password.reveal(), exported?["passwordHash"]?.string ?? "none",
                exported?["salt"]?.string ?? "none", "$fbscrypt$", world.target.emulator.serviceRoleKey.reveal(),
            ]
            for name in try Folder.names(folder.path) {
                let bytes = try AtomicFile.read("\(folder.path)/\(name)") ?? []
                for canary in canaries {
                    // The summary contains the local part of the probe's address, for the person who gave it.
                    if canary == "user1@" { continue }
                    #expect(bytes.firstRange(of: Array(canary.utf8)) == nil, "\(name) holds \(canary)")
                }
            }
        }
    }

    /// A backend that asks for a wait of years stops the run; a short wait is told and waited for.
    @Test func backendCannotMakeARunWaitForLong() async throws {
        try await MoveWorld.with(users: 3) { world in
            // The directory itself waits after 429, by the time that really passes.
            for (seconds, status, isLong) in [
                (999_999_999, 429, true), (999_999_999, 503, true), (301, 429, true), (301, 503, true), (300, 503, false),
                (1, 429, false),
            ] {
                try world.source.panel.fail(
                    next: 1, "GET", "*/accounts:batchGet", with: .retryAfter(seconds: seconds, status: status))
                let told = Mutex<[Duration]>([])
                var move = try await world.move(try world.run())
                move.tellsWait = { wait in told.withLock { $0.append(wait) } }
                do {
                    _ = try await move.plan()
                    #expect(!isLong)
                } catch let error as MigrationError {
                    #expect(isLong && error.code == .stopped && error.message.contains("minutes"), "\(error)")
                }
                #expect(told.withLock { $0 } == (isLong || status == 429 ? [] : [.seconds(seconds)]))
            }
        }
    }

    @Test(.covers("M54")) func repeatedPageIsAnError() async throws {
        try await MoveWorld.with(users: 3) { world in
            try world.source.panel.fail(
                next: 100, "GET", "*/accounts:batchGet",
                with: .changeResponse { response in
                    var copy = response
                    copy.body =
                        Array(String(decoding: response.body, as: UTF8.self).dropLast(1).utf8)
                        + Array(",\"nextPageToken\":\"a\"}".utf8)
                    return copy
                })
            let error = await #expect(throws: MigrationError.self) { try await world.move(try world.run()).plan() }
            #expect(error?.code == .stopped)
        }
    }
}
