import Foundation
import LockstepPrimitives
import LockstepSQLite
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite(.limitedConcurrency) struct JournalTests {
    private static func with(_ body: (String) async throws -> Void) async throws {
        let parent = try Folder.makeTemporary(prefix: "lockstep-journal")
        defer {
            for run in RunFolder.list(in: parent) { try? Folder.remove("\(parent)/\(run)") }
            try? Folder.remove(parent)
        }
        try await body(parent)
    }

    private static func make(in parent: String) throws -> RunFolder {
        try RunFolder.make(in: parent, clock: SystemClock(), randomness: SystemRandomness())
    }

    private static func planned(_ source: String, _ target: String, _ address: UInt8) -> PlannedUser {
        PlannedUser(
            sourceID: source, targetID: target, state: .planned, reason: nil, digest: [1],
            claims: [Claim(kind: .address, digest: [address])])
    }

    @Test(.covers("M11", "M31")) func filesArePrivateAndSyncedToDisk() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            #expect(try await run.journal.synchronous() == 2)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            #expect(try FileStatus(of: run.path)?.mode == 0o700)
            for name in try Folder.names(run.path) {
                #expect(try FileStatus(of: "\(run.path)/\(name)")?.mode == 0o600, "\(name)")
            }
            // A plan does not wait for the disk. All later writes do.
            #expect(try await run.journal.synchronous() == 1)
            try await run.journal.finishPlan("{}")
            #expect(try await run.journal.synchronous() == 2)
        }
    }

    @Test func secondProcessIsRejected() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            let refusal = #expect(throws: MigrationError.self) { try RunFolder.open(run.id, in: parent) }
            #expect(refusal?.code == .inUse)
            // It can look on, and writes nothing.
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            let onlooker = try RunFolder.open(run.id, in: parent, looksOn: true)
            let head = try await onlooker.journal.head()
            #expect(onlooker.isInUse && head?.source == "a")
            await #expect(throws: MigrationError.self) { try await onlooker.journal.noteCanaries(["x"]) }
            onlooker.close()
            run.close()
            _ = try RunFolder.open(run.id, in: parent)
        }
    }

    @Test(arguments: [(99, MigrationError.Code.newerJournal), (1, .olderJournal), (2, .olderJournal)])
    func journalOfAnotherVersionIsRejected(_ version: Int, _ code: MigrationError.Code) async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            var connection = try SQLiteConnection(.file("\(run.path)/journal.db"))
            try connection.script("PRAGMA user_version = \(version)")
            run.close()
            let refusal = #expect(throws: MigrationError.self) { try RunFolder.open(run.id, in: parent) }
            #expect(refusal?.code == code)
        }
    }

    /// Two users of the source who are one user of the target, which makes the ids: the error names both.
    @Test(.covers("M32")) func sharedMadeIDStopsTheRun() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            let users = ["1", "2"].map {
                PlannedUser(sourceID: $0, targetID: nil, state: .planned, reason: nil, digest: [1], claims: [])
            }
            let settled = try await Self.settle(run.journal, users)
            #expect(settled.map(\.state) == [.planned, .planned] && settled.allSatisfy { $0.targetID == nil })
            try await run.journal.settle([Settlement(settled[0].number, .complete, targetID: "user_x")])
            let error = await #expect(throws: MigrationError.self) {
                try await run.journal.settle([Settlement(settled[1].number, .complete, targetID: "user_x")])
            }
            #expect(error?.code == .collision && error?.message.contains("\"1\" and \"2\"") == true)
            let rows = try await run.journal.users(sourceIDs: ["1", "2"])
            #expect(rows.map(\.targetID) == ["user_x", nil] && rows.map(\.state) == [.complete, .planned])
        }
    }

    @Test(arguments: ["..", "../x", "/etc", "", "a/b", "A", "a\u{0}b", "link"])
    func runNameOutsideTheFolderIsRejected(_ name: String) async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            defer { run.close() }
            if name == "link" {
                try FileManager.default.createSymbolicLink(atPath: "\(parent)/link", withDestinationPath: run.path)
            }
            defer { if name == "link" { try? AtomicFile.remove("\(parent)/link") } }
            #expect(throws: MigrationError.self) { try RunFolder.open(name, in: parent) }
        }
    }

    /// Plans users, and returns the journal's result for each.
    private static func settle(_ journal: SQLiteJournal, _ users: [PlannedUser]) async throws -> [JournalUser] {
        try await journal.plan(users)
        _ = try await journal.settlePlan()
        return try await journal.users(in: Set(UserState.allCases), after: 0, limit: 1_000_000)
    }

    private static func claiming(_ source: String, _ claims: [Claim]) -> PlannedUser {
        PlannedUser(sourceID: source, targetID: source, state: .planned, reason: nil, digest: [1], claims: claims)
    }

    @Test(.covers("M07")) func secondUserOfAnAddressIsRejectedWithoutClaims() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            let address = Claim(kind: .address, digest: [1])
            let number = Claim(kind: .number, digest: [1])
            let identity = Claim(kind: .identity, digest: [1])
            let settled = try await Self.settle(
                run.journal,
                [
                    Self.claiming("1", [address]), Self.claiming("2", [address, number]), Self.claiming("3", [number, identity]),
                    Self.claiming("4", [identity]), Self.claiming("5", [Claim(kind: .identity, digest: [2])]),
                ])
            #expect(settled.map(\.sourceID) == ["1", "2", "3", "4", "5"])
            #expect(settled.map(\.state) == [.planned, .refused, .planned, .refused, .planned])
            let reasons: [UserReason?] = [nil, .addressTwice, nil, .identityTwice, nil]
            #expect(settled.map(\.reason) == reasons.map { $0?.rawValue })
            #expect(settled.map(\.firstSourceID) == [nil, "1", nil, "3", nil])
        }
    }

    /// More contested values than one page of them contains, in the order of the users.
    @Test func firstUserOfAnAddressIsCreated() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            let users = (0..<2500).map { number -> PlannedUser in
                let (place, group) = (UInt8(number % 250), UInt8(number / 250))
                let claims = [Claim(kind: .address, digest: [place]), Claim(kind: .number, digest: [group, place])]
                return Self.claiming("\(10_000 + number)", claims)
            }
            let settled = try await Self.settle(run.journal, users)
            #expect(settled.prefix(250).allSatisfy { $0.state == .planned })
            #expect(settled.dropFirst(250).allSatisfy { $0.state == .refused && $0.reason == "addressTwice" })
            #expect(settled.count == 2500)
        }
    }

    @Test(.covers("M32")) func repeatedTargetIDStopsTheRun() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            try await run.journal.plan([Self.planned("1", "x", 1), Self.planned("2", "x", 2)])
            let error = await #expect(throws: MigrationError.self) { try await run.journal.settlePlan() }
            #expect(error?.code == .collision && error?.message.contains("\"x\"") == true)
            #expect(try await run.journal.head()?.plan == nil)
        }
    }

    @Test func repeatedSourceUserStopsTheRun() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            try await run.journal.plan([Self.planned("1", "x", 1), Self.planned("2", "y", 2), Self.planned("1", "x", 1)])
            let error = await #expect(throws: MigrationError.self) { try await run.journal.settlePlan() }
            #expect(error?.code == .count && error?.message.contains("\"1\"") == true)
        }
    }

    @Test func targetUsersAreAdoptedIfEqualAndRejectedIfNot() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            try await run.journal.note([
                TargetUser(id: "x", digest: [1], claims: []), TargetUser(id: "y", digest: [2], claims: []),
                TargetUser(id: "other", digest: [3], claims: [Claim(kind: .address, digest: [9])]),
                // Look-ups find a user again.
                TargetUser(id: "other", digest: [3], claims: [Claim(kind: .address, digest: [9])]),
            ])
            let settled = try await Self.settle(
                run.journal, [Self.planned("1", "x", 1), Self.planned("2", "y", 2), Self.planned("3", "z", 9)])
            #expect(settled.map(\.state) == [.adopted, .refused, .refused])
            #expect(settled.map(\.reason) == [nil, UserReason.idTaken.rawValue, UserReason.addressTaken.rawValue])
        }
    }

    /// The plan's temporary data are removed with it, and a run that is planned again starts over.
    @Test func planKeepsNoAddressDigestAndCanBeRepeated() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            for _ in 0..<2 {
                try await run.journal.begin(RunHead(source: "a", target: "b"))
                let settled = try await Self.settle(run.journal, [Self.planned("1", "x", 1), Self.planned("2", "y", 1)])
                #expect(settled.map(\.state) == [.planned, .refused])
                try await run.journal.finishPlan("{}")
            }
            var connection = try SQLiteConnection(.file("\(run.path)/journal.db"))
            #expect(try connection.value("SELECT count(*) FROM claims", as: Int.self) == 0)
            let indexes: [String] = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
            {
                row throws(SQLiteError) in try row[0]
            }
            #expect(Set(indexes) == ["users_by_source", "users_by_target", "users_by_state"])
        }
    }
}
