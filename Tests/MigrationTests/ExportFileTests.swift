import Foundation
import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepGoTrueDatabase
import LockstepMigration
import LockstepPasswords
import LockstepPrimitives
import LockstepStoreHarnesses
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
        let form = try await UserFileForm(
            MoveProvider.Side(end: move.from, name: "from", file: move, transport: CurlTransport()))
        try await body(try FileDirectory(form), form)
    }

    private static func users(_ directory: FileDirectory, size: Int = 2) async throws -> [DirectoryUser] {
        var users: [DirectoryUser] = []
        for try await page in directory.pages(size: size) { users += page.users }
        return users
    }

    @Test(.covers("M04", "M05"), arguments: ["json", "csv"]) func firebaseExportIsRead(_ ending: String) async throws {
        let from: JSONObject = [
            "file": .string("\(Self.fixtures)/firebase-auth-export.\(ending)"), "project": "demo-orders",
            "hash": ["file": "hash"],
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
            let half = try PasswordHash(users[1].passwordHash?.reveal() ?? "")
            #expect(!half.isWhole && users[1].isDisabled)
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
            let tenants = try await form.countTenants()
            #expect(tenants.isEmpty && directory.header.project.hasPrefix("demo-orders/"))
        }
    }

    /// The unusual users of an emulator have the same values in its exported files as in its API.
    @Test(.covers("M10"), arguments: ["seed", "users.json"]) func oddUsersAreReadAlike(_ name: String) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-export")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let demo = try DemoFirebase(DemoProvider(issuer: "http://127.0.0.1:9", keys: ["keys": []]))
        defer { demo.server.stop() }
        #expect(try await demo.fill(OddUser.all).isEmpty)
        let admin = try #require(demo.server as? EmulatorServer<FirebaseEmulator>).emulator.admin
        let path = "\(folder)/\(name)"
        try FirebaseExport(path: path).save(admin) { _ in }
        let project = demo.side().members["project"]?.string ?? ""
        var from: JSONObject = ["file": .string(path), "project": .string(project)]
        // A folder has the parameters of its hashes, and a file of auth:export gets them from the API.
        if name == "users.json" { from["emulator"] = .string(demo.base) }
        let api = try await FirebaseDirectory(url: demo.base, project: project, transport: CurlTransport()).readingHashes()
        var expected: [DirectoryUser] = []
        for try await page in api.pages(size: 100) { expected += page.users }
        try await Self.source(from) { directory, _ in
            let users = try await Self.users(directory)
            #expect(users.count == OddUser.all.count)
            for (user, other) in zip(users.sorted { $0.id < $1.id }, expected.sorted { $0.id < $1.id }) {
                #expect(user.values == other.values && user.id == other.id, "\(user.id)")
                #expect(user.providerIdentities == other.providerIdentities, "\(user.id)")
                #expect(user.factors.map(\.kind) == other.factors.map(\.kind), "\(user.id)")
                guard user.id == "odd-imported-hash" else {
                    #expect(user.passwordHash == other.passwordHash && user.missingHash == other.missingHash, "\(user.id)")
                    continue
                }
                // Only the folder has a hash of another algorithm.
                #expect((user.passwordHash == nil) == (name == "users.json"))
            }
            let lacks = directory.sourceForm?.lacks ?? []
            #expect(lacks.contains { $0.contains("no password of 1 users") } == (name == "users.json"), "\(lacks)")
        }
    }

    /// The unusual users in GoTrue's tables have the same values in the CSV of psql as in the database.
    @Test(.covers("M10")) func oddRowsAreReadAlike() async throws {
        let server = try await PostgresServer.shared()
        let rows = DemoRows(server: server, address: try await server.makeDatabase())
        let demo = try DemoGoTrue(DemoProvider(issuer: "http://127.0.0.1:9", keys: ["keys": []]), rows: rows)
        defer { demo.server.stop() }
        #expect(try await demo.fill(demo.oddUsers).isEmpty)
        var files: [String: [UInt8]] = [:]
        for table in ["users", "identities", "mfa_factors"] {
            files[table] = Array(try await rows.sql("COPY auth.\(table) TO STDOUT CSV HEADER").utf8)
        }
        var expected: [DirectoryUser] = []
        for try await page in try GoTrueDatabase(Secret(rows.address)).pages(size: 100) { expected += page.users }
        let from: JSONObject = [
            "file": "users", "project": "https://ref.supabase.co/auth/v1", "identities": "identities", "factors": "mfa_factors",
        ]
        try await Self.source(from, files) { directory, _ in
            let users = try await Self.users(directory)
            #expect(users.count == demo.oddUsers.count && directory.sourceForm?.lacks.isEmpty == true)
            for (user, other) in zip(users.sorted { $0.id < $1.id }, expected.sorted { $0.id < $1.id }) {
                #expect(user.id == other.id && user.values == other.values, "\(user.id)")
                #expect(Set(user.providerIdentities.map(\.subject)) == Set(other.providerIdentities.map(\.subject)), "\(user.id)")
                #expect(user.factors.map(\.kind) == other.factors.map(\.kind), "\(user.id)")
                #expect(user.passwordHash == other.passwordHash && user.missingHash == other.missingHash, "\(user.id)")
            }
        }
    }

    /// The Dashboard's file alone has the addresses, names, hashes and apps of Clerk's unusual users, and the plan says what else is
    /// missing.
    @Test(.covers("M10", "M16")) func oddUsersOfTheDashboardArrive() async throws {
        let demo = try DemoClerk(DemoProvider(issuer: "http://127.0.0.1:9", keys: ["keys": []]))
        defer { demo.server.stop() }
        #expect(try await demo.fill(demo.oddUsers).isEmpty)
        let files = Dictionary(uniqueKeysWithValues: try demo.export())
        try await Self.source(["file": "users.csv", "project": "ins_1"], files) { directory, _ in
            let users = try await Self.users(directory)
            #expect(users.count == demo.oddUsers.count)
            for odd in demo.oddUsers {
                let user = try #require(users.first { $0.id == demo.id(of: odd.id) })
                #expect(
                    user.email == odd.email && user.isEmailConfirmed == (odd.email != nil && odd.isEmailVerified), "\(odd.id)")
                #expect(user.phone == odd.phone ?? odd.factorPhone && user.username == odd.username, "\(odd.id)")
                #expect(user.otherEmails.map(\.value) == [odd.otherEmail].compactMap(\.self), "\(odd.id)")
                #expect(user.factors.isEmpty != odd.hasApp, "\(odd.id)")
                let hash = try user.passwordHash.map { try PasswordHash($0.reveal()) }
                #expect(
                    try (hash?.verify(OddUser.password) ?? false) == (odd.hashing != .none && !odd.hasNewPassword), "\(odd.id)")
            }
            #expect(directory.sourceForm?.lacks.first?.contains("second factors by SMS") == true)
        }
    }

    /// Each file that cannot be used, with the words that its error must have.
    @Test(
        arguments: [
            ([0x50, 0x4b, 0x03, 0x04, 0x14], ["ZIP", "Unpack"]), ([0x1f, 0x8b, 0x08], ["gzip", "Unpack"]),
            (Array("PGDMP".utf8), ["pg_restore"]), (Array("--\n-- PostgreSQL database dump\n--\n".utf8), ["psql -d restored -f"]),
            ([0xff, 0xfe, 0x7b, 0x00, 0x22, 0x00], ["UTF-16"]),
            (Array(#"{"users": [{"localId": "a"}, {"localId": "b", "email": "x@"#.utf8), ["line 1", "ends within"]),
            (Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"localId\": \"b\", }\n]}".utf8), ["line 3, byte 18", "auth:export"]),
            (Array("{\"users\": [\n{\"localId\": \"a\"}\n{\"localId\": \"b\"}\n]}".utf8), ["line 3", "comma"]),
            (Array("{\"users\": [\n{\"localId\": \"a\"}\n]".utf8), ["line 3", "ends here"]),
            (
                Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"localId\": \"".utf8) + [0xe9] + Array("\"}]}".utf8),
                ["line 3", "UTF-8"]
            ),
            (Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"email\": \"a@example.com\"}\n]}".utf8), ["line 3"]),
            (Array("[{\"name\": \"a\"}]".utf8), ["auth:export", "mapping.json"]),
            (
                Array("{\"version\": 1, \"source\": {\"provider\": \"firebase\", \"project\": \"x\"}}\n".utf8),
                ["\"from.project\""]
            ), ([], ["users: the file is empty"]),
            (
                Array("u1,a@x.org,true,,,,,,,,,,,,,,,,,,,,,,,,,\nu2,b@x.org,true,,,Ada \"A\" L,,,,,,,,,,,,,,,,,,,,,,\n".utf8),
                ["line 2", "JSON file"]
            ),
            (
                Array("u1,a@x.org,true,,,\u{e9},,,,,,,,,,,,,,,,,,,,,,\nu2,b@x.org,maybe,,,,,,,,,,,,,,,,,,,,,,,\n".utf8),
                ["line 2", "emailVerified"]
            ),
            (Array("id,password_digest,password_hasher,id\na,,,b\n".utf8), ["line 1", "columns 1 and 4", "\"id\""]),
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

    /// A member without a field, a value that does not fit and a missing one name their line; nothing is left out unnoticed.
    @Test(
        arguments: [
            ("", "{\"id\": \"a\"}\n\n{\"id\": \"b\", \"email\": \"b@example.com\"}", ["\"email\"", "leftOut"]),
            (
                ", \"disabled\": \"email\"", "{\"id\": \"a\"}\n\n{\"id\": \"b\", \"email\": \"b@example.com\"}",
                ["\"disabled\"", "true or false"]
            ),
            (
                ", \"createdAt\": {\"from\": \"since\", \"form\": \"seconds\"}",
                "{\"id\": \"a\"}\n\n{\"id\": \"b\", \"since\": 1583425930254}",
                ["\"since\"", "\"createdAt\"", "\"form\" may be wrong"]
            ),
            (", \"email\": \"email\"", "id,email\na,a@example.com\nb\n", ["1 values for 2 columns"]),
        ] as [(String, String, [String])])
    func valueWithoutAFieldIsNamed(_ fields: String, _ users: String, _ words: [String]) async throws {
        let mapping = "{\"version\": 1, \"fields\": {\"id\": \"id\"\(fields)}}"
        let files = ["mapping": Array(mapping.utf8), "users": Array(users.utf8)]
        let from: JSONObject = ["file": "users", "mapping": "mapping", "provider": "own", "project": "shop"]
        try await Self.source(from, files) { directory, _ in
            let error = await #expect(throws: AuthError.self) { try await Self.users(directory) }
            for word in words + ["line 3", "(your own format, by mapping)"] {
                #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            }
            #expect(error?.message.contains("b@") == false)
        }
    }

    /// A user of more than 16 MiB is rejected by the line.
    @Test(.covers("M27")) func longUserIsRejected() async throws {
        let long =
            Array("{\"users\": [\n{\"localId\": \"a\"},\n{\"localId\": \"".utf8) + [UInt8](repeating: 0x61, count: 17 << 20)
        try await Self.source(["file": "users", "project": "demo"], ["users": long]) { directory, _ in
            let error = await #expect(throws: AuthError.self) { try await Self.users(directory) }
            #expect(error?.message.contains("line 3") == true && error?.message.contains("16 MiB") == true)
        }
    }

    @Test func sameIDNamesBothLinesAndIDsAreBytes() async throws {
        let text = "{\"users\": [\n{\"localId\": \"e\u{301}\"},\n{\"localId\": \"\u{e9}\"},\n{\"localId\": \"e\u{301}\"}\n]}"
        try await Self.source(["file": "users", "project": "demo"], ["users": Array(text.utf8)]) { directory, _ in
            // A directory returns the second user with an id only once, so that the plan counts one user too few.
            let users = try await Self.users(directory)
            #expect(users.count == 2)
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
        for piece in [1, 2, 3, 7, 64] {
            let pieces = try objects(piece)
            #expect(pieces == whole, "\(piece)")
        }
    }

    /// Several values in a cell, TABs before formulas, an unverified primary address, and words for nothing.
    @Test(.covers("M10", "M16")) func dashboardExportIsRead() async throws {
        let text = """
            \u{FEFF}id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,\
            unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher
            user_a,"Ada ""A"", Countess","Love
            lace",\t=ada,a@x.example,\t+4915112345601,"b@x.example|a@x.example","c@x.example,d@x.example",\t+4915112345601,\t+4915112345602,JBSWY3DPEHPK3PXP,$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG,bcrypt\r
            user_b,\t-1,,,b2@x.example,,,b2@x.example,,,null,NULL,
            user_c,,,,c2@x.example,,,,\t+4915112345603,,,half,bcrypt

            """
        try await Self.source(["file": "users", "project": "ins_1"], ["users": Array(text.utf8)]) { directory, form in
            let users = try await Self.users(directory)
            try #require(users.map(\.id) == ["user_a", "user_b", "user_c"] && form.provider == "clerk")
            let ada = users[0]
            #expect(ada.firstName == "Ada \"A\", Countess" && ada.lastName == "Love\nlace" && ada.username == "=ada")
            #expect(ada.email == "a@x.example" && ada.isEmailConfirmed)
            #expect(ada.otherEmails.map(\.value) == ["b@x.example", "c@x.example", "d@x.example"])
            #expect(ada.otherEmails.map(\.isConfirmed) == [true, false, false])
            #expect(ada.phone == "+4915112345601" && ada.isPhoneConfirmed && ada.otherPhones.map(\.isConfirmed) == [false])
            #expect(ada.factors.map(\.kind) == [.authenticatorApp(secret: "JBSWY3DPEHPK3PXP")])
            #expect(try PasswordHash(ada.passwordHash?.reveal() ?? "").verify("Old-Password-1!"))
            #expect(users[1].firstName == "-1" && !users[1].isEmailConfirmed && users[1].missingHash == .noPassword)
            // An address in neither list is not verified, and a digest that cannot be read is no password.
            #expect(!users[2].isEmailConfirmed && users[2].missingHash == .unreadable)
            // A number that is not the primary one signs nobody in.
            #expect(users[2].phone == nil && users[2].otherPhones.map(\.value) == ["+4915112345603"])
            let lacks = directory.sourceForm?.lacks ?? []
            #expect(
                lacks.first?.contains("3 users") == true && lacks.contains { $0.hasPrefix("2 users have numbers") }, "\(lacks)")
        }
    }

    private static let rows = (
        users: """
        instance_id,id,aud,role,email,encrypted_password,email_confirmed_at,last_sign_in_at,raw_app_meta_data,raw_user_meta_data,\
        created_at,updated_at,phone,phone_confirmed_at,banned_until,is_sso_user,deleted_at,is_anonymous
        00000000-0000-0000-0000-000000000000,11111111-1111-4111-8111-111111111111,authenticated,authenticated,ada@example.com,\
        $2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG,2026-01-31 12:00:00.123456+00,,\
        "{""provider"": ""email"", ""roles"": [""a"", ""b""]}","{""name"": ""Ada\\nLove"", ""note"": ""x\\ny""}",2026-01-30 12:00:00+00,2026-01-30 13:00:00+05:30,15550100,,,f,,f
        00000000-0000-0000-0000-000000000000,22222222-2222-4222-8222-222222222222,authenticated,authenticated,gone@example.com,\
        ,,,{},{},2026-01-30 12:00:00+00,,,,,f,2026-02-01 00:00:00+00,f
        00000000-0000-0000-0000-000000000000,33333333-3333-4333-8333-333333333333,authenticated,authenticated,NULL,NULL,NULL,NULL,\
        NULL,null,2026-01-30T12:00:00.000000+00:00,NULL,NULL,NULL,2999-01-01 00:00:00+00,false,NULL,true

        """,
        identities: """
        provider_id,user_id,identity_data,provider,last_sign_in_at,created_at,updated_at,email,id
        1001,11111111-1111-4111-8111-111111111111,"{""sub"": ""1001"", ""email"": ""g@example.com""}",google,,2026-01-30 12:00:00+00,,\
        g@example.com,44444444-4444-4444-8444-444444444444
        11111111-1111-4111-8111-111111111111,11111111-1111-4111-8111-111111111111,"{""sub"": ""11111111-1111-4111-8111-111111111111""}",\
        email,,2026-01-30 12:00:00+00,,,55555555-5555-4555-8555-555555555555

        """,
        factors: """
        id,user_id,friendly_name,factor_type,status,created_at,updated_at,secret,phone
        66666666-6666-4666-8666-666666666666,11111111-1111-4111-8111-111111111111,"my
        app",totp,verified,2026-01-30 12:00:00+00,2026-01-30 12:00:00+00,JBSWY3DPEHPK3PXP,

        """
    )

    /// Rows as psql and the platform's editor write them: words for NULL, JSON, line breaks, a row that is only marked as deleted.
    @Test(.covers("M10")) func rowsOfGoTrueAreJoined() async throws {
        let files = [
            "users": Array(Self.rows.users.utf8), "identities": Array(Self.rows.identities.utf8),
            "factors": Array(Self.rows.factors.utf8),
        ]
        let from: JSONObject = [
            "file": "users", "project": "https://ref.supabase.co/auth/v1", "identities": "identities", "factors": "factors",
        ]
        try await Self.source(from, files) { directory, form in
            let users = try await Self.users(directory, size: 1)
            try #require(users.count == 2 && form.provider == "gotrue")
            #expect(try await directory.count() == 2)
            let ada = users[0]
            #expect(ada.email == "ada@example.com" && ada.isEmailConfirmed && !ada.isPhoneConfirmed)
            #expect(ada.emailConfirmedAt == Instant(rfc3339: "2026-01-31T12:00:00.123Z"))
            #expect(ada.appMetadata["roles"] == ["a", "b"] && ada.userMetadata["note"] == "x\ny")
            #expect(ada.providerIdentities.map(\.subject) == ["1001"] && ada.hasEmailIdentity == true)
            #expect(ada.factors.map(\.kind) == [.authenticatorApp(secret: "JBSWY3DPEHPK3PXP")])
            #expect(ada.factors.first?.friendlyName == "my\napp" && ada.notShown.isEmpty)
            #expect(try PasswordHash(ada.passwordHash?.reveal() ?? "").verify("Old-Password-1!"))
            #expect(users[1].email == nil && users[1].isAnonymous && users[1].isDisabled && users[1].missingHash == .noPassword)
            #expect(directory.sourceForm?.lacks.isEmpty == true)
        }
        // Without the other tables, the plan says for how many users they are missing.
        try await Self.source(["file": "users", "project": "https://ref.supabase.co/auth/v1"], files) { directory, _ in
            let users = try await Self.users(directory)
            #expect(users.count == 2)
            #expect(directory.sourceForm?.lacks.count == 2)
        }
    }
}
