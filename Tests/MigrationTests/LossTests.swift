import Foundation
import LockstepDirectory
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI
@testable import LockstepMigration

/// docs/migration.md lists what a move loses by nature, as the code does.
@Suite(.limitedConcurrency) struct LossTests {
    private static let directions: [(from: MoveProvider, to: MoveProvider)] = [
        (.firebase, .goTrue), (.goTrue, .firebase), (.firebase, .clerk), (.goTrue, .clerk), (.clerk, .goTrue),
        (.clerk, .firebase),
    ]

    private static func table() throws -> [String] {
        var names: [String] = []
        var columns: [[String: String]] = []
        for direction in directions {
            let losses = try MoveLosses(from: direction.from, to: direction.to).all
            var last: String?
            for loss in losses {
                // A value of one direction comes after those before it there.
                if !names.contains(loss.value) {
                    names.insert(loss.value, at: last.flatMap(names.firstIndex).map { $0 + 1 } ?? 0)
                }
                last = loss.value
            }
            columns.append(Dictionary(losses.map { ($0.value, $0.fate.words) }, uniquingKeysWith: { first, _ in first }))
        }
        let heads = directions.map { "\($0.from.name) to \($0.to.name)" }
        return ["| value | \(heads.joined(separator: " | ")) |", "| --- |" + String(repeating: " --- |", count: heads.count)]
            + names.map { name in "| \(name) | \(columns.map { $0[name] ?? "" }.joined(separator: " | ")) |" }
    }

    /// `LOCKSTEP_WRITE_PAGES=1 swift test --filter LossTests` rewrites the table.
    @Test(.covers("M01")) func pageListsTheLosses() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/migration.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let mark = try #require(lines.firstIndex(of: "<!-- losses -->"))
        let rest = lines[(mark + 1)...].drop { $0.isEmpty || $0.hasPrefix("|") }
        let expected = (lines[...mark] + [""] + (try Self.table()) + [""] + rest).joined(separator: "\n")
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            try expected.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(text == expected, "docs/migration.md does not say what the code does; write it anew (above)")
        }
    }

    @Test(.covers("M01")) func lossesFollowFromTheDirectories() throws {
        func fate(_ value: String, _ from: MoveProvider, _ to: MoveProvider, isAPIOnly: Bool = false) throws
            -> MoveLosses.Fate?
        {
            try MoveLosses(from: from, to: to, isAPIOnly: isAPIOnly).all.first { $0.value == value }?.fate
        }
        #expect(try fate("password (Argon2id of 64 MiB)", .goTrue, .firebase) == .lazy)
        #expect(try fate("password (Argon2id of 64 MiB)", .goTrue, .clerk) == nil)
        #expect(try fate("password (bcrypt)", .goTrue, .clerk, isAPIOnly: true) == .lazy)
        #expect(try fate("created", .firebase, .goTrue) == nil)
        #expect(try fate("created", .firebase, .goTrue, isAPIOnly: true) == .otherWay)
        #expect(try fate("authenticator app", .goTrue, .clerk) == nil)
        #expect(try fate("authenticator app", .firebase, .clerk) == .refused)
        for target in [MoveProvider.goTrue, .firebase] {
            #expect(try fate("private data", .clerk, target) == .lost)
            #expect(try fate("organizations", .clerk, target) == .file)
            #expect(try fate("user with only a user name", .clerk, target) == .refused)
        }
    }
}
