import LockstepContracts
import LockstepCurl
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrue
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// What a sign-in on the target leaves there is no difference from the source.
@Suite("Traces of sign-ins", .limitedConcurrency) struct SignInTraceTests {
    private static let photo = "https://example.com/own.png"
    private static let users = [20, 21, 22]

    /// A verified user, an unverified one, and one who signs in with a password.
    private static func fill(_ world: MoveWorld) async throws {
        try await world.importUsers([
            MoveWorld.user(20, ["photoUrl": .string(photo)]),
            MoveWorld.user(21, ["emailVerified": false, "photoUrl": .string(photo)]),
            MoveWorld.user(22),
        ])
    }

    /// Runs a test with a target on which users sign in with Google.
    private static func with(
        _ rows: RowsTarget?, _ body: (MoveWorld, UserMove, RunFolder, _ google: (Int) async throws -> Void) async throws -> Void
    ) async throws {
        let keys = try TokenIssuer.Keys()
        let provider = try IssuerServer.start(publishing: keys.published)
        defer { provider.stop() }
        let issuer = TokenIssuer(.google, issuer: provider.base, audience: "app", keys: keys, clock: SystemClock())
        try await MoveWorld.with(mirror: try rows.map { try GoTrueRows(Secret($0.address)) }) { settings in
            settings.providers["google"] = ProviderSettings(clients: ["app"], secret: "secret", issuer: provider.base)
        } _: { world in
            try await fill(world)
            let folder = try world.run()
            let move = UserMove(
                from: try await world.move(folder).source, to: try rows?.target() ?? MoveWorld.target(world.goTrue()),
                MoveChoices(), key: folder.key, journal: folder.journal, clock: HastyClock())
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            let adapter = try CanaryTests.adapter(world)
            try await body(world, move, folder) { number in
                let subject = IdentitySubject(id: "g-\(number)", email: MoveWorld.email(number), name: "Name at Google")
                let client = AuthClient(adapter: adapter, store: MemorySessionStore())
                let step = try await client.signIn(
                    with: .idToken(.google, token: try await issuer.idToken(for: subject, flaw: nil)))
                try #require(step.session?.user.id == move.mapping.knownID(of: MoveWorld.id(number)))
            }
        }
    }

    @Test(arguments: [false, true]) func signInsWithAProviderAreNoDifference(_ writesRows: Bool) async throws {
        let rows = writesRows ? try await RowsTarget() : nil
        try await Self.with(rows) { world, move, folder, google in
            for number in [20, 21] { try await google(number) }
            try await UndoTests.signIn(world, 22)
            for _ in 0..<2 {
                let report = try await move.verify()
                #expect(report.isSuccess && report.verified == 3, "\(report)")
            }
            // Later changes of the source are copied, and the provider's data stays. The provider has also renamed one user.
            for number in [20, 21] {
                try await FirebaseLookUp.update(MoveWorld.id(number), in: world) { changes in
                    changes.appMetadata = ["role": "admin"]
                    if number == 20 { changes.displayName = "Renamed" }
                }
            }
            let report = try await move.follow(isDry: false)
            #expect(report.changed == 2 && report.isSuccess, "\(report)")
            #expect(try await move.follow(isDry: false).total == 0)
            for number in [20, 21] {
                let user = try await world.goTrue().user(id: move.mapping.knownID(of: MoveWorld.id(number)))
                #expect(user.displayName == (number == 20 ? "Renamed" : "Name at Google"), "\(user)")
                #expect(user.appMetadata["role"] == "admin", "\(user)")
                #expect(user.userMetadata["iss"] != nil && user.isEmailConfirmed, "\(user)")
            }
            #expect(try await move.verify().isSuccess)
            #expect(try await folder.journal.counts() == [.verified: 3])
        }
    }

    /// What the users change themselves remains a difference.
    @Test(arguments: [false, true]) func ownChangeAfterASignInIsADifference(_ writesRows: Bool) async throws {
        let rows = writesRows ? try await RowsTarget() : nil
        try await Self.with(rows) { world, move, _, google in
            for number in [20, 21] { try await google(number) }
            try await UndoTests.signIn(world, 22)
            for number in [20, 22] {
                var changes = DirectoryChanges()
                (changes.displayName, changes.userMetadata) = ("Another name", ["theme": "dark"])
                _ = try await world.goTrue().update(move.mapping.knownID(of: MoveWorld.id(number)), changes)
            }
            let report = try await move.verify()
            #expect(report.differing.map(\.sourceID).sorted() == [MoveWorld.id(20), MoveWorld.id(22)], "\(report)")
            #expect(report.differing.allSatisfy { $0.fields == ["name", "user data"] }, "\(report)")
            #expect(report.differing.allSatisfy { !$0.isSourceChanged })
        }
    }
}
