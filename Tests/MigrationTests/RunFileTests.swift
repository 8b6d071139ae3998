import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite("Files of a run", .limitedConcurrency) struct RunFileTests {
    private static func with(_ body: (RunFolder) async throws -> Void) async throws {
        let parent = try Folder.makeTemporary(prefix: "lockstep-files")
        defer {
            for run in RunFolder.list(in: parent) { try? Folder.remove("\(parent)/\(run)") }
            try? Folder.remove(parent)
        }
        let run = try RunFolder.make(in: parent, clock: SystemClock(), randomness: SystemRandomness())
        defer { run.close() }
        try await run.journal.begin(RunHead(source: "a", target: "b"))
        try await body(run)
    }

    private static func planned(_ source: String, claims: [Claim] = []) -> PlannedUser {
        PlannedUser(sourceID: source, targetID: "target-" + source, state: .planned, reason: nil, digest: [1], claims: claims)
    }

    /// Reads comma-separated values as RFC 4180 defines them.
    private static func rows(_ bytes: [UInt8]) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    field.append(byte)
                } else if index < bytes.count, bytes[index] == byte {
                    field.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), field.isEmpty {
                isQuoted = true
            } else if byte == UInt8(ascii: ",") || byte == 0x0a {
                row.append(String(decoding: field, as: UTF8.self))
                field = []
                if byte == 0x0a {
                    rows.append(row)
                    row = []
                }
            } else if byte != 0x0d {
                field.append(byte)
            }
        }
        return rows + (row.isEmpty && field.isEmpty ? [] : [row + [String(decoding: field, as: UTF8.self)]])
    }

    private static let hostile = [
        "plain", "a,b", "\"", "\"quoted\"", "one\r\ntwo", "one\ntwo", " space ", "=1+1", "+1", "-1", "@x", "\tx", "", "\u{FF1D}1",
        "\u{202E}gnp", "\u{1B}[31m", "\u{5E9}\u{1F469}", "'); DROP TABLE users; --",
    ]

    @Test(.covers("M32")) func mapContainsTheExactTargetIDs() async throws {
        try await Self.with { run in
            let many = (0..<2500).map { "user-\($0)" }
            try await run.journal.plan((Self.hostile + many).map { Self.planned($0) })
            _ = try await run.journal.settlePlan()
            #expect(try await run.writeMap().file.users == 0)
            let users = try await run.journal.users(after: 0, limit: 10_000)
            let there: [UserState] = [.complete, .verified, .adopted, .differs, .kept]
            let aside: [UserState] = [.planned, .refused, .skipped, .unknown, .gone, .undone, .intended]
            let count = Self.hostile.count
            try await run.journal.settle(
                users.enumerated().map { place, user in
                    let isThere = place < count || place % 2 == 0
                    return Settlement(user.number, isThere ? there[place % there.count] : aside[place % aside.count])
                })
            let map = try await run.writeMap()
            #expect(try FileStatus(of: map.file.path)?.mode == 0o600)
            #expect(map.formulas == 6 && map.file.path == run.map)
            let rows = Self.rows(try #require(try AtomicFile.read(run.map, limit: 1 << 20)))
            let expected = users.enumerated().filter { $0.offset < count || $0.offset % 2 == 0 }.map(\.element)
            #expect(rows.first == ["source_id", "target_id"] && map.file.users == expected.count)
            #expect(Array(rows.dropFirst()) == expected.map { [$0.sourceID, $0.targetID ?? ""] })
            #expect(Set(rows.map { $0[0] }).count == rows.count && Set(rows.map { $0[1] }).count == rows.count)
        }
    }

    @Test(.covers("M07")) func duplicateListNamesEachAndTheFirst() async throws {
        try await Self.with { run in
            func claim(_ number: Int) -> Claim { Claim(kind: .address, digest: [UInt8(number / 250), UInt8(number % 250)]) }
            try await run.journal.note([TargetUser(id: "there", digest: [9], claims: [claim(0)])])
            // More than a page of users who are rejected for another reason come first.
            let others = (0..<1500).map { number in
                PlannedUser(
                    sourceID: "other-\(number)", targetID: "t-\(number)", state: .refused, reason: .noWayIn, digest: [1],
                    claims: [])
            }
            try await run.journal.plan(others + (0..<3000).map { Self.planned("user-\($0)", claims: [claim($0 % 1200)]) })
            _ = try await run.journal.settlePlan()
            let file = try #require(try await run.writeDuplicates())
            #expect(try FileStatus(of: file.path)?.mode == 0o600)
            let lines = try (try AtomicFile.read(run.duplicates, limit: 1 << 20) ?? []).split(separator: 0x0a).map {
                try JSON.parse(Array($0))
            }
            // 1,800 users repeat a value, and one value belongs to the user who was on the target.
            #expect(file.users == 1801 && lines.count == 1801)
            #expect(lines[0] == ["source": "user-0", "reason": "addressTaken", "firstOn": "target", "first": nil])
            let last: JSON = ["source": "user-2999", "reason": "addressTwice", "firstOn": "source", "first": "user-599"]
            #expect(lines.last == last)
            // A plan without duplicates leaves no list of an earlier one.
            try await run.journal.begin(RunHead(source: "a", target: "b"))
            #expect(try await run.writeDuplicates() == nil)
            #expect(try !Folder.isThere(run.duplicates))
        }
    }

    @Test func unwritableFileIsNamed() async throws {
        try await Self.with { run in
            try Folder.makePrivate(run.map) { _ in false }
            defer { try? Folder.remove(run.map) }
            let error = await #expect(throws: MigrationError.self) { try await run.writeMap() }
            #expect(error?.code == .journal && error?.message.contains("map.csv") == true)
            #expect(try Folder.names(run.path).allSatisfy { !$0.hasSuffix(".new") })
        }
    }

    // MARK: The side file

    private static let claims = "{\"role\":\"editor\",\"note\":\"\(String(repeating: "x", count: 200))\"}"

    private static func lines(_ run: RunFolder) throws -> [JSON] {
        try (try AtomicFile.read(run.largeData) ?? []).split(separator: 0x0a).map { try JSON.parse(Array($0)) }
    }

    @Test(.covers("M08")) func userWithOversizedDataIsNamedAndNotMoved() async throws {
        try await MoveWorld.with(users: 2) { world in
            try await world.importUsers([MoveWorld.user(5, ["customAttributes": .string(Self.claims)])])
            let run = try world.run()
            let move = try await world.move(run) { $0.limits = [MoveLimit([.claims, .userData], 100, .bytes)] }
            let plan = try await move.plan()
            #expect(plan.created == 2 && plan.refused == [.dataTooLarge: 1])
            #expect(plan.text.contains("\"largeData\""), "\(plan.text)")
            _ = try await move.apply(isPartial: true)
            #expect(try world.targetCount == 2)
            #expect(try !Folder.isThere(run.largeData))
        }
    }

    /// The side file contains the complete data that were left out, also after a kill, and after changes that follow copies.
    @Test(.covers("M08")) func oversizedDataIsCompleteInTheSideFile() async throws {
        try await MoveWorld.with(users: 2) { world in
            try await world.importUsers([MoveWorld.user(5, ["customAttributes": .string(Self.claims)])])
            let run = try world.run()
            let choices: MoveChoices = {
                var choices = MoveChoices()
                choices.largeData = .sideFile(run.largeData)
                return choices
            }()
            let move = try await world.move(run, choices) { $0.limits = [MoveLimit([.claims, .userData], 100, .bytes)] }
            let plan = try await move.plan()
            #expect(plan.created == 3 && plan.fields.contains { $0.field == .claims && $0.reason == .overLimit && $0.count == 1 })
            let claims = try JSON.parse(Self.claims)
            let target = move.mapping.knownID(of: MoveWorld.id(5))
            let line: JSON = ["source": .string(MoveWorld.id(5)), "target": .string(target), "claims": claims]
            #expect(try Self.lines(run) == [line])
            let mortal = MortalJournal(run.journal, killedAt: 2, .after)
            await #expect(throws: MigrationError.self) {
                try await world.move(run, choices, journal: mortal) {
                    $0.limits = [MoveLimit([.claims, .userData], 100, .bytes)]
                }.apply(isPartial: false)
            }
            _ = try await move.apply(isPartial: false)
            #expect(try Self.lines(run) == [line])
            #expect(try FileStatus(of: run.largeData)?.mode == 0o600)
            let there = try await world.goTrue().user(id: target)
            #expect(there.appMetadata.without(move.target.ownClaims) == [:])
            #expect(try await move.verify().isSuccess)
            // The claims of one user shrink, and those of another grow. The file contains the data that are left out now.
            try await FirebaseLookUp.update(MoveWorld.id(5), in: world) { $0.appMetadata = ["note": .null] }
            let grown = try #require(claims.object)
            try await FirebaseLookUp.update(MoveWorld.id(1), in: world) { $0.appMetadata = grown }
            let report = try await move.follow(isDry: false)
            #expect(report.changed == 1 && report.isSettled, "\(report)")
            #expect(try await world.goTrue().user(id: target).appMetadata["role"] == "editor")
            #expect(try Self.lines(run).map { $0["source"]?.string } == [MoveWorld.id(1)])
        }
    }
}
