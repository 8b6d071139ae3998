import LockstepClerkDirectory
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// Users and changes for which the target needs several requests.
@Suite("Between two requests", .limitedConcurrency, .timeLimit(.minutes(5)))
struct InterruptedUserTests {
    private static let phone = "+4915112345603"
    private static let number = RequestMatch("POST", "/v1/phone_numbers")

    /// A user with a second factor, or with an address that is neither verified nor reserved.
    private static func user(_ kind: String) -> DirectoryUser {
        var user = DirectoryUser(id: "a")
        (user.email, user.isEmailConfirmed, user.displayName) = ("a@example.com", kind == "factor", "Ada Lovelace")
        (user.passwordHash, user.createdAt) = (OddUser.importedHash, Instant(seconds: 1_500_000_000))
        if kind == "factor" {
            user.factors = [DirectoryFactor(.phone(phone)), DirectoryFactor(.phone("+4915112345604"))]
        } else {
            user.otherEmails = [DirectoryAddress("b@example.com", isConfirmed: false)]
        }
        return user
    }

    private static func source(_ users: [DirectoryUser]) -> MoveSource { MoveSource(ListedUsers(users), project: "demo") }

    private static var unclaiming: MoveChoices {
        var choices = MoveChoices(withoutWayIn: .create)
        choices.unverifiedAddresses = .unclaimed
        return choices
    }

    /// What comes after the kill.
    enum Sequel: CaseIterable { case apply, changedSource, deletedSource, undo }

    @Test(.covers("M11", "M25", "M35", "M53"), arguments: ["factor", "unclaimed"], Sequel.allCases)
    func halfOfAUserIsDeletedAndTheUserMadeAnew(_ kind: String, _ sequel: Sequel) async throws {
        try await ClerkWorld.with { world in
            func move(
                _ folder: RunFolder, _ journal: (any MoveJournal)? = nil, from users: [DirectoryUser] = [Self.user(kind)]
            ) async throws -> UserMove {
                try await world.move(folder, Self.unclaiming, journal: journal, from: Self.source(users))
            }
            let new = try await move(try world.run()).mapping.map(Self.user(kind)).new
            let stages = try world.clerk().stages(of: new)
            #expect(stages.count == (kind == "factor" ? 4 : 3) && stages.last == new)
            for (stage, values) in stages.dropLast().enumerated() {
                try world.target.panel.reset()
                let folder = try world.run()
                defer { folder.close() }
                _ = try await move(folder).plan()
                // The intent is on the disk, and the process ends after some of the requests.
                let mortal = MortalJournal(folder.journal, killedAt: 1, .after)
                await #expect(throws: MortalJournal.death) { try await move(folder, mortal).apply(isPartial: false) }
                let half = try await world.clerk().create(values)
                #expect(half.isDisabled == (kind == "factor"))
                #expect(try await world.signIn("a@example.com") != "complete")
                // What only looks leaves the half, and says so.
                #expect(try await move(folder).undo(isDry: true).deleted == 1)
                #expect(try await move(folder).verify().open == 1)
                #expect(try await folder.journal.counts() == [.intended: 1] && world.targetCount == 1)
                switch sequel {
                case .apply:
                    #expect(try await move(folder).apply(isPartial: false).states == [.complete: 1], "\(stage)")
                    let found = try #require(try await world.clerk().users(externalIDs: ["a"])[0])
                    #expect(found.id != half.id && !found.isDisabled && found.email == "a@example.com")
                    let expected = kind == "factor" ? "needs_second_factor" : "form_identifier_not_found"
                    #expect(try await world.signIn("a@example.com", OddUser.password) == expected)
                case .changedSource:
                    var plain = Self.user(kind)
                    (plain.factors, plain.otherEmails, plain.isEmailConfirmed) = ([], [], true)
                    #expect(try await move(folder, from: [plain]).apply(isPartial: false).states == [.complete: 1], "\(stage)")
                    #expect(try await world.clerk().users(externalIDs: ["a"])[0]?.isDisabled == false)
                case .deletedSource:
                    #expect(try await move(folder, from: []).apply(isPartial: false).states == [.gone: 1], "\(stage)")
                case .undo: break
                }
                if sequel != .deletedSource { #expect(try await move(folder).undo(isDry: false).deleted == 1) }
                #expect(try world.targetCount == 0)
            }
        }
    }

    /// Somebody has changed the half of a user: nobody completes or deletes it.
    @Test(.covers("M11", "M35", "M53")) func changedHalfOfAUserIsNamed() async throws {
        try await ClerkWorld.with { world in
            let source = Self.source([Self.user("factor")])
            let folder = try world.run()
            _ = try await world.move(folder, from: source).plan()
            let mortal = MortalJournal(folder.journal, killedAt: 1, .after)
            let killed = try await world.move(folder, journal: mortal, from: source)
            await #expect(throws: MortalJournal.death) { try await killed.apply(isPartial: false) }
            var half = try world.clerk().stages(of: killed.mapping.map(Self.user("factor")).new)[0]
            half.displayName = nil
            (half.firstName, half.lastName) = ("Other", "Person")
            _ = try await world.clerk().create(half)
            let move = try await world.move(folder, from: source)
            #expect(try await move.apply(isPartial: false).states == [.differs: 1])
            #expect(try await move.undo(isDry: false).kept.map(\.reason) == [.changed])
            #expect(try world.targetCount == 1)
        }
    }

    @Test(.covers("M11", "M53"), arguments: [FaultEffect.loseResponse, .status(503), .close])
    func lostAnswerBetweenTwoRequestsIsResolved(_ effect: FaultEffect) async throws {
        try await ClerkWorld.with { world in
            for request in [ClerkWorld.creation, Self.number, RequestMatch("POST", "/v1/users/*/unban")] {
                try world.target.panel.reset()
                let folder = try world.run()
                defer { folder.close() }
                let move = try await world.move(folder, from: Self.source([Self.user("factor")]))
                _ = try await move.plan()
                try world.target.panel.fail(next: 1, request, with: effect)
                #expect(try await move.apply(isPartial: false).states == [.complete: 1], "\(request) \(effect)")
                #expect(try await move.verify().isSuccess && world.targetCount == 1)
            }
        }
    }

    /// Two users of the source may have one number as a second factor; and one may be taken after the plan.
    @Test(.covers("M07", "M53")) func numberOfAnotherUserIsRefusedWithoutAHalf() async throws {
        try await ClerkWorld.with { world in
            var other = Self.user("factor")
            (other, other.email) = (DirectoryUser(id: "b"), "b@example.com")
            (other.isEmailConfirmed, other.factors) = (true, [DirectoryFactor(.phone(Self.phone))])
            let folder = try world.run()
            let move = try await world.move(folder, from: Self.source([Self.user("factor"), other]))
            let plan = try await move.plan()
            #expect(plan.created == 1 && plan.refused == [.numberTwice: 1], "\(plan)")
            var stranger = NewDirectoryUser(email: "stranger@example.com", phone: Self.phone)
            stranger.isPhoneConfirmed = true
            _ = try await world.clerk().create(stranger)
            #expect(try await move.apply(isPartial: true).failures == 1)
            #expect(try world.targetCount == 1)
            #expect(try await folder.journal.users(sourceIDs: ["a"]).map(\.reason) == ["phoneAlreadyInUse"])
        }
    }

    /// By default, the plan refuses a user who could not sign in; nobody owns the address afterwards.
    @Test(.covers("M16", "M50")) func unclaimedAddressBelongsToNobody() async throws {
        try await ClerkWorld.with { world in
            var choices = MoveChoices()
            choices.unverifiedAddresses = .unclaimed
            let source = Self.source([Self.user("unclaimed")])
            let refusing = try await world.move(try world.run(), choices, from: source).plan()
            #expect(refusing.refused == [.noWayIn: 1], "\(refusing)")
            let folder = try world.run()
            let move = try await world.move(folder, Self.unclaiming, from: source)
            let plan = try await move.plan()
            #expect(plan.created == 1 && plan.fields.contains { $0.field == .address && $0.reason == .addressUnclaimed })
            _ = try await move.apply(isPartial: false)
            #expect(try await move.verify().isSuccess)
            let entries = try await world.clerk().users(externalIDs: ["a"])[0]?.fields["email_addresses"]?.array ?? []
            #expect(entries.map { $0["reserved"]?.bool } == [false, false])
            var owner = NewDirectoryUser(email: "a@example.com")
            owner.isEmailConfirmed = true
            _ = try await world.clerk().create(owner)
            #expect(try await move.verify().differing.first?.fields.contains("address") == true)
        }
    }

    /// The target rejects one of the requests of a change: the others are sent, but the user stays disabled.
    @Test(.covers("M33")) func rejectedAddressKeepsNobodyActive() async throws {
        try await ClerkWorld.with(users: 1) { world in
            let folder = try world.run()
            let move = try await world.move(folder)
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            var owner = NewDirectoryUser(email: "taken@example.com")
            owner.isEmailConfirmed = true
            let stranger = try await world.clerk().create(owner).id
            var values = UserValues()
            (values.email, values.isEmailConfirmed, values.isDisabled) = ("taken@example.com", true, true)
            for (name, isDisabled) in [("Grace Hopper", true), ("Mary Somerville", false)] {
                (values.displayName, values.isDisabled) = (name, isDisabled)
                try await world.source.emulator.admin.update(MoveWorld.id(0), values)
                let report = try await move.follow(isDry: false)
                #expect(report.changed == 1 && report.findings == [.changedInPart: 1], "\(report)")
                let found = try await world.clerk().users(externalIDs: [MoveWorld.id(0)])[0]
                #expect(found?.isDisabled == true && found?.displayName == name && found?.email == MoveWorld.email(0))
            }
            try await world.clerk().delete(stranger)
            #expect(try await move.follow(isDry: false).isSuccess)
            #expect(try await move.verify().isSuccess)
        }
    }

    /// A change of two kinds is two requests: what the first one has changed is not a change of somebody else.
    @Test(.covers("M11", "M33")) func interruptedChangeIsCompleted() async throws {
        try await ClerkWorld.with(users: 1) { world in
            let folder = try world.run()
            let move = try await world.move(folder)
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            for (number, effect) in [FaultEffect.status(503), .loseResponse, .close].enumerated() {
                var values = UserValues()
                (values.displayName, values.appMetadata) = ("Grace Hopper \(number)", ["level": .int(Int64(number))])
                try await world.source.emulator.admin.update(MoveWorld.id(0), values)
                try world.target.panel.fail(next: 1, RequestMatch("PATCH", "/v1/users/*/metadata"), with: effect)
                let report = try await move.follow(isDry: false)
                #expect(report.isSuccess && report.changed == 1, "\(effect): \(report)")
                #expect(try await move.verify().isSuccess)
            }
        }
    }
}
