import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// A plan's report on the settings of both sides.
@Suite(.limitedConcurrency) struct PlanSettingsTests {
    private static func fill(_ world: MoveWorld) async throws {
        try await world.importUsers([
            MoveWorld.user(1), MoveWorld.user(2, ["emailVerified": false]),
            MoveWorld.user(
                3,
                [
                    "rawPassword": .null,
                    "providerUserInfo": [["providerId": "google.com", "rawId": "g3", "email": .string(MoveWorld.email(3))]],
                ]), ["localId": "phone", "phoneNumber": "+4915112345678"],
        ])
    }

    @Test(.covers("M51")) func disabledSettingsAreCountedWithTheirUsers() async throws {
        try await MoveWorld.with(target: []) { world in
            try await Self.fill(world)
            let plan = try await world.move(try world.run()).plan()
            // One user can sign in only with the number. The other one also has an address.
            #expect(plan.refused == [.noWayIn: 1] && plan.created == 3 && plan.isConsistent)
            #expect(plan.ways == [.password: 1, .passwordAfterProof: 1, .mailLink: 1])
            #expect(
                Set(plan.obstacles.map { "\($0.kind) \($0.name ?? "") \($0.users)" }) == ["phoneOff  1", "providerOff google 1"])
            #expect(plan.text.contains("1 user has a number, and sign-in by phone is off on the target: turn it on."))
            #expect(plan.text.contains("cannot sign in on the target; \"withoutWayIn\": \"create\" creates them"))
            let all = try await world.move(try world.run(), MoveChoices(withoutWayIn: .create)).plan()
            #expect(all.created == 4 && all.ways[WayIn.none] == 1 && all.refusedCount == 0)
            // The apply does not create them either.
            let move = try await world.move(try world.run())
            try await move.plan()
            _ = try await move.apply(isPartial: true)
            _ = try await move.follow(isDry: false)
            #expect(try world.targetCount == 3)
        }
    }

    @Test func moveWorksWithDisabledSignUp() async throws {
        try await MoveWorld.with(target: MoveWorld.open + [("GOTRUE_DISABLE_SIGNUP", "true")]) { world in
            try await Self.fill(world)
            let plan = try await world.move(try world.run()).plan()
            #expect(plan.created == 4 && plan.obstacles.isEmpty)
            // No user signs up: the server accepts the administrator's requests.
            let report = try await world.move(try world.run())
            _ = try await report.plan()
            #expect(try await report.apply(isPartial: false).states[.complete] == 4)
        }
    }

    /// The server reports neither its quota nor its email limit.
    @Test func unreportedSettingsAreUnknown() async throws {
        try await MoveWorld.with { world in
            try await Self.fill(world)
            let plan = try await world.move(try world.run()).plan()
            #expect(plan.unknown == [.userQuota, .emailLimit])
            #expect(plan.text.contains("The target does not report these values: quota of users, email limit."))
            #expect(plan.emails.perHour == 30 && !plan.emails.isTold)
        }
    }

    @Test func unreadableSettingsAreUnknown() async throws {
        try await MoveWorld.with { world in
            try await Self.fill(world)
            try world.target.panel.fail(next: 10, "GET", "*/settings", with: .answer(.json(["msg": "no"], status: 403)))
            let plan = try await world.move(try world.run()).plan()
            #expect(plan.created == 4)
            #expect(plan.unknown == [.email, .phone, .password, .providers, .userQuota, .emailLimit])
        }
    }

    @Test(.covers("M51")) func settingsOfBothSidesAreReadBeforeAnyUser() async throws {
        try await MoveWorld.with(users: 3) { world in
            _ = try await world.move(try world.run()).plan()
            let source = world.source.panel.transcript.entries.map(\.request.path)
            let users = try #require(source.firstIndex { $0.contains("accounts:") })
            #expect(source[..<users].contains { $0.hasSuffix("/config") })
            #expect(world.target.panel.transcript.entries.first?.request.path.hasSuffix("/settings") == true)
        }
    }

    @Test func exceededQuotaIsReported() throws {
        var plan = PlanSummary()
        plan.created = 100
        var demands = DirectoryDemands()
        (demands.userQuota, demands.mailsPerHour) = (150, 1000)
        var source = DirectoryDemands()
        source.isSignUpOpen = true
        plan.note(demands, of: try MoveWorld.unreachableTarget(), source: source, present: 60)
        #expect(plan.isSourceOpen == true)
        #expect(plan.obstacles.map(\.users) == [10] && plan.obstacles.first?.name == "150")
        #expect(plan.emails.isTold && plan.emails.perHour == 1000 && plan.unknown.isEmpty)
    }

    /// Each shape is counted once for its users, even if a source has another provider for each user.
    @Test func numberOfPlanShapesIsLimited() {
        var shapes = PlanShapes()
        var numbers: Set<Int> = []
        for number in 0..<(PlanShapes.limit + 500) {
            let shape = PlanShape(
                fields: [], way: .provider, provider: "oidc.\(number)", hashKind: nil, obstacles: [], uses: [.providers])
            numbers.insert(shapes.number(of: shape))
        }
        #expect(shapes.all.count == PlanShapes.limit + 1 && numbers.count == PlanShapes.limit + 1)
    }
}
