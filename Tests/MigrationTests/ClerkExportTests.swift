import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI

/// The file from Clerk's Dashboard.
@Suite("Export of Clerk's users", .limitedConcurrency) struct ClerkExportTests {
    private static let columns = """
        id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,\
        unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher

        """

    private static func reading(_ text: String, _ body: (ClerkExport, String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-export")
        let path = "\(folder)/users.csv"
        defer {
            try? AtomicFile.remove(path)
            try? Folder.remove(folder)
        }
        try AtomicFile.replace(path, with: Array(text.utf8))
        try await body(try ClerkExport(path, exportedAt: Instant(seconds: 1_650_000_000)), path)
    }

    /// Several values in a cell, TABs before formulas, quotes, line breaks, and words for nothing.
    @Test(.covers("M10")) func oddCellsAreRead() async throws {
        let text =
            "\u{FEFF}" + Self.columns + """
                user_a,"Ada ""A"", Countess","Love
                lace",\t=ada,a@x.example,\t+4915112345601,"a@x.example|b@x.example","c@x.example,d@x.example",\t+4915112345601,,SECRET,\t=2b$x,bcrypt\r
                user_b,\t-1,,,,,,,,,null,NULL,
                user_c,,,,,,,,,,,"$argon2id$v=19$m=1,t=2,p=1$c2FsdA$aGFzaA",argon2id
                """
        try await Self.reading(text) { export, _ in
            let rows = try await export.rows(of: ["user_c", "user_none", "user_a", "user_b"])
            #expect(rows.map { $0?.id } == ["user_c", nil, "user_a", "user_b"] && export.count == 3)
            #expect(rows[0]?.digest?.reveal() == "$argon2id$v=19$m=1,t=2,p=1$c2FsdA$aGFzaA" && rows[0]?.hasher == "argon2id")
            // A value that begins like a formula is the same again.
            #expect(rows[2]?.digest?.reveal() == "=2b$x" && rows[2]?.appSecret?.reveal() == "SECRET")
            #expect(rows[3]?.digest == nil && rows[3]?.appSecret == nil && rows[3]?.hasher == nil)
            #expect(try await export.unseen().isEmpty)
        }
    }

    /// Whoever was not looked up is named, also in a file of many users.
    @Test(.covers("M10", "M27")) func usersOfALargeFileAreFound() async throws {
        let lines = (0..<3000).map { "user_\($0),,,,,,,,,,,digest\($0),bcrypt\n" }
        try await Self.reading(Self.columns + lines.joined()) { export, path in
            let ids = (0..<3000).filter { $0 % 7 != 0 }.reversed().map { "user_\($0)" }
            let rows = try await export.rows(of: ids)
            #expect(zip(ids, rows).allSatisfy { $0 == $1?.id && $1?.digest?.reveal() == "digest" + $0.dropFirst(5) })
            #expect(try await export.unseen() == (0..<3000).filter { $0 % 7 == 0 }.map { "user_\($0)" })
            try (Self.columns + lines.reversed().joined()).write(toFile: path, atomically: false, encoding: .utf8)
            await #expect(throws: UsageError.self) { try await export.rows(of: ["user_1"]) }
        }
    }

    @Test(arguments: [
        ("", "empty"), ("id,email\na,b\n", "line 1"), ("id,password_digest,password_hasher\nuser_a,x\n", "line 2"),
        ("id,password_digest,password_hasher\n,x,bcrypt\n", "line 2"),
        ("id,password_digest,password_hasher\nuser_a,,\nuser_b,,\nuser_a,,\n", "line 4"),
        ("id,password_digest,password_hasher\nuser_a,\"x,bcrypt\n", "inside quotes"),
    ])
    func malformedFileNamesTheLine(_ text: String, _ words: String) async throws {
        let error = await #expect(throws: UsageError.self) { try await Self.reading(text) { _, _ in } }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
