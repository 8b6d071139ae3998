import Foundation
import LockstepDirectory
import LockstepPasswords
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI

/// Files that providers' own tools have written (Tests/Fixtures/Exports).
@Suite("Exported users", .limitedConcurrency) struct ExportFileTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures/Exports").standardizedFileURL.path
    /// The parameters of github.com/firebase/scrypt, as Firebase's console shows them.
    private static let console = """
        hash_config {
          algorithm: SCRYPT,
          base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
          base64_salt_separator: Bw==,
          rounds: 8,
          mem_cost: 14,
        }
        """

    /// Writes files and a move.json into a folder, and calls a closure with the source that move.json names.
    private static func source(
        _ from: JSONObject, _ files: [String: [UInt8]] = [:], _ body: (FileDirectory, UserFileForm) async throws -> Void
    ) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-export")
        defer { try? Folder.remove(folder) }
        for (name, bytes) in files { try AtomicFile.replace("\(folder)/\(name)", with: bytes) }
        let file: JSON = ["from": .object(from), "to": ["provider": "gotrue", "url": "http://127.0.0.1:1"]]
        try AtomicFile.replace("\(folder)/move.json", with: file.bytes())
        let move = try MoveFile("\(folder)/move.json")
        let form = try UserFileForm(move.from, in: move)
        try await body(try FileDirectory(form), form)
    }

    private static func users(_ directory: FileDirectory, size: Int = 2) async throws -> [DirectoryUser] {
        var users: [DirectoryUser] = []
        for try await page in directory.pages(size: size) { users += page.users }
        return users
    }

    @Test(.covers("M04", "M05"), arguments: ["json", "csv"]) func firebaseExportIsRead(_ ending: String) async throws {
        let from: JSONObject = [
            "file": .string("\(Self.fixtures)/firebase-auth-export.\(ending)"), "project": "demo-orders", "hash": ["file": "hash"],
        ]
        try await Self.source(from, ["hash": Array(Self.console.utf8)]) { directory, form in
            #expect(form.title?.utf8.count == "Firebase auth:export (JSON)".utf8.count - (ending == "csv" ? 1 : 0))
            #expect(directory.name == "firebase" && directory.header.project == "demo-orders")
            let users = try await Self.users(directory)
            #expect(users.map(\.id) == ["u1", "u2", "u3", "u4", "u5", "u6"])
            #expect(try await directory.count() == 6)
            try #require(users.count == 6)
            let first = users[0]
            #expect(first.email == "user1@test.org" && first.isEmailConfirmed && first.phone == "+5555550100")
            #expect(first.displayName == "John Tester, CFA" && first.photoURL == "https://example.com/photo.jpg")
            #expect(first.createdAt == Instant(seconds: 1_486_324_232) && first.lastSignInAt == first.createdAt)
            #expect(first.appMetadata == ["role": "admin", "n": 1])
            #expect(first.providerIdentities.map(\.provider.rawValue) == ["google", "apple"])
            #expect(first.providerIdentities.map(\.subject) == ["1001", "apple-1"])
            let hash = try #require(first.passwordHash)
            #expect(try PasswordHash(hash.reveal()).verify("user1password"))
            // The other alphabet without padding is the same hash; half a hash is none that a password matches.
            #expect(users[5].passwordHash == hash && users[5].lastSignInAt == users[5].createdAt)
            #expect(try !PasswordHash(users[1].passwordHash?.reveal() ?? "").isWhole && users[1].isDisabled)
            #expect(users[2].passwordHash == nil && users[2].missingHash == .notPermitted)
            #expect(users[3].missingHash == .notExported && users[4].missingHash == .noPassword)
            #expect(users[4].providerIdentities.map(\.provider.rawValue) == ["microsoft"])
            #expect(users[5].factors.map(\.kind) == (ending == "json" ? [.phone("+15555550101")] : []))
            let lacks = directory.sourceForm?.lacks ?? []
            #expect(lacks.contains { $0.contains("1 users with an address") } && lacks.contains { $0.contains("tenants") })
            #expect(lacks.contains { $0.contains("second factor") } == (ending == "csv"), "\(lacks)")
            // A second reading counts again from the start.
            _ = try await Self.users(directory, size: 100)
            #expect(directory.sourceForm?.lacks == lacks)
            let found = try await directory.users(ids: ["u6", "u9", "u1"])
            #expect(found.map { $0?.id } == ["u6", nil, "u1"])
        }
    }

    @Test func hashesWithoutParametersAreCounted() async throws {
        let from: JSONObject = ["file": .string("\(Self.fixtures)/firebase-auth-export.json"), "project": "demo-orders"]
        try await Self.source(from) { directory, _ in
            let users = try await Self.users(directory)
            #expect(users.allSatisfy { $0.passwordHash == nil } && users.count { $0.missingHash == .notRequested } == 4)
            #expect(directory.sourceForm?.lacks.contains { $0.contains("4 users") && $0.contains("from.hash") } == true)
        }
    }

    @Test func folderOfFirebasesEmulatorIsRead() async throws {
        let folder: JSON = .string("\(Self.fixtures)/firebase-emulator")
        try await Self.source(["file": folder, "project": "demo-orders"]) { directory, form in
            let users = try await Self.users(directory)
            #expect(users.count == 6 && form.title == "Firebase emulators:export")
            let ada = try #require(users.first { $0.id == "ada" })
            #expect(ada.displayName == "Ada \"A\", Countess" && ada.appMetadata == ["role": "admin", "n": "x\"y"])
            // A password in clear text is not moved, and not shown.
            #expect(ada.passwordHash == nil && ada.missingHash == .unreadable)
            #expect(users.first { $0.id == "grace" }?.factors.first?.friendlyName == "mine")
            #expect(users.first { $0.id == "off" }?.isDisabled == true && users.count { $0.isAnonymous } == 1)
            #expect(users.contains { $0.providerIdentities.first?.provider == .apple })
            #expect(try await form.countTenants().map(\.users) == [1])
            #expect(directory.sourceForm?.lacks.contains { $0.contains("3 users") && $0.contains("clear text") } == true)
        }
        let tenant: JSON = "lxLYbHvd4wythcA8VJBr4xopslWF"
        try await Self.source(["file": folder, "project": "demo-orders", "tenant": tenant]) { directory, form in
            #expect(try await Self.users(directory).map(\.id) == ["member"])
            #expect(try await form.countTenants().isEmpty && directory.header.project.hasPrefix("demo-orders/"))
        }
    }

    /// Each file that cannot be used, with the words that its error must have.
    @Test(arguments: [
        ([0x50, 0x4b, 0x03, 0x04, 0x14], ["ZIP", "Unpack"]), ([0x1f, 0x8b, 0x08], ["gzip", "Unpack"]),
        (Array("PGDMP".utf8), ["pg_restore"]), (Array("--\n-- PostgreSQL database dump\n--\n".utf8), ["psql -d restored -f"]),
        ([0xff, 0xfe, 0x7b, 0x00, 0x22, 0x00], ["UTF-16"]),
        (Array(#"{"users": [{"localId": "a"}, {"localId": "b", "email": "x@"#.utf8), ["line 1", "ends within"]),
        (Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"localId\": \"b\", }\n]}".utf8), ["line 3, byte 19", "auth:export"]),
        (Array("{\"users\": [\n{\"localId\": \"a\"}\n{\"localId\": \"b\"}\n]}".utf8), ["line 3", "comma"]),
        (Array("{\"users\": [\n{\"localId\": \"a\"}\n]".utf8), ["line 3", "ends here"]),
        (Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"localId\": \"".utf8) + [0xe9] + Array("\"}]}".utf8), ["line 3", "UTF-8"]),
        (Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"email\": \"a@example.com\"}\n]}".utf8), ["line 3"]),
        (Array("[{\"name\": \"a\"}]".utf8), ["auth:export", "neutral format"]),
        (Array("u1,a@x.org,true,,,Ada \"A\" L,,,,,,,,,,,,,,,,,,,,,,\nu2,b@x.org,true,,,,,,,,,,,,,,,,,,,,,,,\n".utf8), ["line 1", "JSON file"]),
        (Array("u1,a@x.org,true,,,\u{e9},,,,,,,,,,,,,,,,,,,,,,\nu2,b@x.org,maybe,,,,,,,,,,,,,,,,,,,,,,,\n".utf8), ["line 2", "emailVerified"]),
        (Array("u1,a@x.org,true,,,".utf8) + [0xe9] + Array(",,,,,,,,,,,,,,,,,,,,,,\n".utf8), ["line 1", "UTF-8"]),
    ] as [([UInt8], [String])])
    func unusableFileIsNamed(_ bytes: [UInt8], _ words: [String]) async throws {
        do {
            try await Self.source(["file": "users", "project": "demo"], ["users": bytes]) { directory, _ in
                let error = await #expect(throws: AuthError.self) { try await Self.users(directory) }
                for word in words { #expect(error?.message.contains(word) == true, "\(error?.message ?? "") lacks \(word)") }
            }
        } catch {
            let text = "\((error as? UsageError).map { $0 as any Error } ?? UserFilePlace.usage(error, "users"))"
            for word in words { #expect(text.contains(word), "\(text) lacks \(word)") }
        }
    }

    /// A user of more than 16 MiB is rejected by the line.
    @Test(.covers("M27")) func longUserIsRejected() async throws {
        let long = Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"localId\": \"".utf8) + [UInt8](repeating: 0x61, count: 17 << 20)
        try await Self.source(["file": "users", "project": "demo"], ["users": long]) { directory, _ in
            let error = await #expect(throws: AuthError.self) { try await Self.users(directory) }
            #expect(error?.message.contains("line 3") == true && error?.message.contains("16 MiB") == true)
        }
    }

    @Test func sameIDNamesBothLinesAndIDsAreBytes() async throws {
        let text = "{\"users\": [\n{\"localId\": \"e\u{301}\"},\n{\"localId\": \"\u{e9}\"},\n{\"localId\": \"e\u{301}\"}\n]}"
        try await Self.source(["file": "users", "project": "demo"], ["users": Array(text.utf8)]) { directory, _ in
            #expect(try await Self.users(directory).count == 3)
            let error = await #expect(throws: AuthError.self) { try await directory.requireDistinctIDs() }
            #expect(error?.message.contains("lines 2 and 4") == true, "\(error?.message ?? "")")
        }
    }

    /// Pieces end anywhere: within a name, an escape, or a line break.
    @Test func piecesOfAnySizeAreTheSame() throws {
        let path = "\(Self.fixtures)/firebase-auth-export.json"
        func objects(_ piece: Int) throws -> [JSONObject] {
            var elements = try JSONElements(FileReader(path), piece: piece)
            var all: [JSONObject] = []
            while let (object, _) = try elements.next() { all.append(object) }
            return all
        }
        let whole = try objects(1 << 20)
        #expect(whole.count == 6)
        for piece in [1, 2, 3, 7, 64] { #expect(try objects(piece) == whole) }
    }
}
