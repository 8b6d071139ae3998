import LockstepCurl
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrue
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite("Temporary users", .limitedConcurrency) struct CanaryTests {
    private static let users = 3

    static func adapter(_ world: MoveWorld) throws -> GoTrueAdapter {
        GoTrueAdapter(
            try GoTrueConfiguration(url: world.target.base, key: world.target.emulator.anonKey),
            transport: CurlTransport())
    }

    private static func expectNoCanary(_ world: MoveWorld, _ folder: RunFolder, _ comment: Comment) async throws {
        #expect(try world.targetCount == users, comment)
        for try await user in try world.goTrue().all() {
            #expect(user.email?.hasSuffix("@example.com") == true, comment)
        }
        #expect(try await folder.journal.canaries().isEmpty, comment)
    }

    @Test(.covers("M25", "M30")) func signInsAreTestedForEachHashKindAndFlag() async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            let plain = try await move.verify()
            #expect(plain.hashes.map(\.kind) == ["fbscrypt 1/8"] && plain.hashes.map(\.users) == [Self.users])
            #expect(plain.hashes.allSatisfy { !$0.isReadBack && $0.isProven == nil } && plain.canaries == nil)
            let requests = world.writes.count
            let report = try await move.verify(signingInThrough: Self.adapter(world))
            #expect(report.isSuccess && report.verified == Self.users && report.others == 0, "\(report)")
            #expect(report.hashes.map(\.isProven) == [true])
            #expect(report.canaries?.checks.count == 3, "\(report)")
            #expect(world.writes.count > requests)
            try await Self.expectNoCanary(world, folder, "verified")
        }
    }

    /// A hash parameter is lost: the target stores the hash, and nobody can sign in.
    @Test(.covers("M05", "M30")) func misreadHashIsFound() async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let folder = try world.run()
            let source = try await world.move(folder).source
            var target = MoveWorld.target(try world.goTrue())
            target.hashText = { $0.goTrueText?.replacing("n=1,", with: "n=2,") }
            let move = UserMove(
                from: source, to: target, MoveChoices(), key: folder.key, journal: folder.journal, clock: HastyClock())
            _ = try await move.plan()
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            let report = try await move.verify(signingInThrough: Self.adapter(world))
            #expect(!report.isSuccess && report.hashes.map(\.isProven) == [false], "\(report)")
            try await Self.expectNoCanary(world, folder, "failed")
        }
    }

    /// A target that drops the ban, and one that verifies every address.
    @Test(.covers("M16", "M25", "M30"), arguments: ["ban", "verification"])
    func droppedFlagIsFound(_ flag: String) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let (folder, _) = try await VerifyTests.applied(world)
            let careless = CarelessDirectory(base: try world.goTrue(), drops: flag)
            let move = UserMove(
                from: try await world.move(folder).source, to: try careless.target(), MoveChoices(anonymousUsers: .skip),
                key: folder.key,
                journal: folder.journal, clock: HastyClock())
            let report = try await move.proveSignIns(through: Self.adapter(world))
            let failed = report.checks.filter { $0.result != .holds }
            #expect(failed.map(\.result) == [.fails("the user has signed in")], "\(report)")
            #expect(failed.first?.claim.contains(flag == "ban" ? "disabled" : "unverified") == true)
            try await Self.expectNoCanary(world, folder, "failed")
        }
    }

    @Test(.covers("M30"), arguments: MortalJournal.Moment.allCases)
    func killAtEachWriteLeavesNoCanary(_ moment: MortalJournal.Moment) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            for write in 1... {
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await world.move(folder, journal: mortal)
                let adapter = try Self.adapter(world)
                do throws(MigrationError) {
                    _ = try await killed.proveSignIns(through: adapter)
                    // All writes were tried.
                    #expect(write > 2)
                    break
                } catch {
                    #expect(error == MortalJournal.death)
                }
                _ = try await move.verify()
                try await Self.expectNoCanary(world, folder, "killed \(moment) write \(write)")
            }
        }
    }

    /// A process ends between the creation and the removal, as after SIGKILL.
    ///
    /// The next call removes the rest.
    @Test(.covers("M30")) func canaryOfAKilledProcessIsRemovedByTheNextCall() async throws {
        try await MoveWorld.with(users: Self.users) { world in
            for next in ["verify", "follow", "undo", "status"] {
                try world.target.panel.reset()
                let (folder, move) = try await VerifyTests.applied(world)
                let maker = CanaryMaker(move)
                let hash: Secret = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
                let canary = maker.canary("left", hash, of: nil, "x", .session)
                try await folder.journal.noteCanaries([canary.key, "8f0b6a0a-0000-4000-8000-000000000001"])
                _ = try await world.goTrue().create(canary.new)
                #expect(canary.email.hasSuffix("@canary.lockstep.invalid"))
                switch next {
                case "verify": #expect(try await move.verify().others == 0)
                case "follow": _ = try await move.follow(isDry: false)
                case "undo":
                    _ = try await move.undo(isDry: false)
                    #expect(try world.targetCount == 0)
                    continue
                default: try await move.removeCanaries()
                }
                try await Self.expectNoCanary(world, folder, "\(next)")
            }
        }
    }

    /// An edited journal: an id in its list deletes no user who was not made as a temporary user of this run.
    @Test(.covers("M30"), arguments: ["verify", "follow", "undo", "status"])
    func idInTheJournalDeletesNobody(_ next: String) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            let maker = CanaryMaker(try await world.move(try world.run()))
            let hash: Secret = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
            let foreign = maker.canary("of another run", hash, of: nil, "x", .session)
            _ = try await world.goTrue().create(foreign.new)
            let other = try await world.goTrue().create(NewDirectoryUser(email: "other@canary.lockstep.invalid"))
            let ids = [foreign.key, other.id, move.mapping.knownID(of: MoveWorld.id(0))]
            try await folder.journal.noteCanaries(ids)
            func step() async throws(MigrationError) {
                switch next {
                case "verify": _ = try await move.verify()
                case "follow": _ = try await move.follow(isDry: false)
                case "undo": _ = try await move.undo(isDry: false)
                default: try await move.removeCanaries()
                }
            }
            let error = await #expect(throws: MigrationError.self) { try await step() }
            #expect(error?.code == .journal)
            #expect(try await world.goTrue().users(ids: ids).allSatisfy { $0 != nil })
            // The run can be used again.
            try await step()
            #expect(try await world.goTrue().users(ids: [foreign.key, other.id]).allSatisfy { $0 != nil })
        }
    }

    /// A gateway that rejects the app's key, or a page in the way, has not tried a password.
    @Test(.covers("M30"), arguments: ["key", "captcha", "page", "503"])
    func onlyTheExpectedRefusalCounts(_ obstacle: String) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            var adapter = try Self.adapter(world)
            switch obstacle {
            case "key":
                adapter = GoTrueAdapter(
                    try GoTrueConfiguration(url: world.target.base + "/auth/v1", key: "sb_publishable_of_another_project"),
                    transport: CurlTransport())
            case "captcha":
                let answer = EmulatorResponse.json(["error_code": "captcha_failed", "msg": "captcha protection"], status: 400)
                try world.target.panel.fail(next: 1000, "POST", "*/token", with: .answer(answer))
            case "page":
                let page = EmulatorResponse(status: 403, body: Array("<html>Sign in to the network</html>".utf8))
                try world.target.panel.fail(next: 1000, "POST", "*/token", with: .answer(page))
            default: try world.target.panel.fail(next: 1000, "POST", "*/token", with: .status(503))
            }
            do throws(MigrationError) {
                let report = try await move.verify(signingInThrough: adapter)
                let checks = report.canaries?.checks ?? []
                #expect(!report.isSuccess && checks.count == 3 && report.hashes.map(\.isProven) == [nil], "\(report)")
                for check in checks {
                    guard case .notTried = check.result else { return #expect(Bool(false), "\(check)") }
                }
                // No further password is sent with such a key.
                #expect(world.target.panel.transcript.entries.count { $0.request.path.hasSuffix("/token") } == 1)
            } catch {
                #expect(error.code == .stopped && ["page", "503"].contains(obstacle), "\(error)")
            }
            try await Self.expectNoCanary(world, folder, "\(obstacle)")
        }
    }

    @Test(.covers("M30"), arguments: ["POST", "DELETE"])
    func lostResponseLeavesNoCanary(_ method: String) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            try world.target.panel.fail(next: 2, method, "*/admin/users*", with: .loseResponse)
            _ = try await move.proveSignIns(through: Self.adapter(world))
            try await Self.expectNoCanary(world, folder, "\(method)")
        }
    }
}

/// A target that does not store a flag.
private struct CarelessDirectory: ForwardingDirectory {
    let base: any UserDirectory
    let drops: String

    func target() throws -> MoveTarget { MoveWorld.target(self) }

    func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        var users = users
        for index in users.indices {
            if drops == "ban" { users[index].isDisabled = false } else { users[index].isEmailConfirmed = true }
        }
        return await base.create(users)
    }
}
