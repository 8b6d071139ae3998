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

    @Test func filesBelongToThisUserAloneAndWaitForTheDisk() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            #expect(try FileStatus(of: run.path)?.mode == 0o700)
            for name in try Folder.names(run.path) {
                #expect(try FileStatus(of: "\(run.path)/\(name)")?.mode == 0o600, "\(name)")
            }
            #expect(try await run.journal.synchronous() == 2)
        }
    }

    @Test func secondProcessIsRefused() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            let refusal = #expect(throws: MigrationError.self) { try RunFolder.open(run.id, in: parent) }
            #expect(refusal?.code == .inUse)
            run.close()
            _ = try RunFolder.open(run.id, in: parent)
        }
    }

    @Test func journalOfANewerVersionIsRefused() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            var connection = try SQLiteConnection(.file("\(run.path)/journal.db"))
            try connection.script("PRAGMA user_version = 99")
            run.close()
            let refusal = #expect(throws: MigrationError.self) { try RunFolder.open(run.id, in: parent) }
            #expect(refusal?.code == .newerJournal)
        }
    }

    /// Cases: J16.
    @Test(arguments: ["..", "../x", "/etc", "", "a/b", "A", "a\u{0}b", "link"])
    func nameThatLeadsOutOfTheFolderIsRefused(_ name: String) async throws {
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

    /// Cases: J03.
    @Test func secondUserOfAnAddressIsRefusedAndKeepsNothing() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            let settled = try await run.journal.plan([
                Self.planned("1", "x", 1), Self.planned("2", "y", 1), Self.planned("3", "z", 2),
            ])
            #expect(settled.map(\.state) == [.planned, .refused, .planned])
            #expect(settled[1].reason == UserReason.addressTwice.rawValue)
        }
    }

    @Test func twoUsersOfOneTargetIDStopTheRun() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            let error = await #expect(throws: MigrationError.self) {
                try await run.journal.plan([Self.planned("1", "x", 1), Self.planned("2", "x", 2)])
            }
            #expect(error?.code == .collision)
            #expect(try await run.journal.counts().isEmpty)
        }
    }

    @Test func usersOfTheTargetAreAdoptedIfEqualAndRefusedIfNot() async throws {
        try await Self.with { parent in
            let run = try Self.make(in: parent)
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            try await run.journal.note([
                TargetUser(id: "x", digest: [1], claims: []), TargetUser(id: "y", digest: [2], claims: []),
                TargetUser(id: "other", digest: [3], claims: [Claim(kind: .address, digest: [9])]),
            ])
            let settled = try await run.journal.plan([
                Self.planned("1", "x", 1), Self.planned("2", "y", 2), Self.planned("3", "z", 9),
            ])
            #expect(settled.map(\.state) == [.adopted, .refused, .refused])
            #expect(settled.map(\.reason) == [nil, UserReason.idTaken.rawValue, UserReason.addressTaken.rawValue])
        }
    }
}
