import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep migrate with the file of a provider's tool", .limitedConcurrency) struct MigrateExportTests {
    private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures/Exports/firebase-auth-export.json").standardizedFileURL.path
    private static let hash = """
        hash_config {
          algorithm: SCRYPT,
          base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
          base64_salt_separator: Bw==,
          rounds: 8,
          mem_cost: 14,
        }
        """

    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-export")
        func remove() {
            let runs = "\(folder)/migration-runs"
            for run in (try? Folder.names(runs)) ?? [] { try? Folder.remove("\(runs)/\(run)") }
            try? Folder.remove(runs)
            try? Folder.remove(folder)
        }
        do { try await body(folder) } catch {
            remove()
            throw error
        }
        remove()
    }

    private static func users(of line: JSON?) async throws -> [JSON] {
        let token = line?["control"]?["Authorization"]?.string ?? ""
        let response = try await CurlTransport().send(
            HTTPRequest(.get, (line?["base"]?.string ?? "") + "/__lockstep/users", headers: ["Authorization": token]))
        return try response.json()["users"]?.array ?? []
    }

    /// From the file to a sign-in with the old password; a refused user who was corrected in the file; the app's tables.
    @Test(.covers("M26", "M30")) func firebaseExportArrives() async throws {
        try await Self.inFolder { folder in
            _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
                let target = try #require(lines.first)
                let base = target["base"]?.string ?? ""
                let key = ["LOCKSTEP_TEST_KEY": target["vars"]?["service_role"]?.string ?? ""]
                func run(_ verb: String, _ options: String...) async throws -> Lockstep {
                    try await Lockstep.run(["migrate", verb, "--move", "\(folder)/move.json"] + options, variables: key)
                }
                let export = try #require(try AtomicFile.read(Self.fixture))
                try AtomicFile.replace("\(folder)/users", with: export)
                try AtomicFile.replace("\(folder)/hash", with: Array(Self.hash.utf8))
                try AtomicFile.replace("\(folder)/probe", with: Array("user1password".utf8))
                let move: JSON = [
                    "from": ["file": "users", "project": "demo-orders", "hash": ["file": "hash"]],
                    "to": ["provider": "gotrue", "url": .string(base), "key": ["env": "LOCKSTEP_TEST_KEY"]],
                    "probe": ["email": "user1@test.org", "password": ["file": "probe"]], "secondFactors": "drop",
                ]
                try AtomicFile.replace("\(folder)/move.json", with: move.bytes())
                let plan = try await run("plan", "--partial", "--format", "json")
                let json = try JSON.parse(plan.output)["plan"]
                #expect(plan.status == 0 && json?["form"]?["name"] == "Firebase auth:export (JSON)", "\(plan.errors)")
                #expect(json?["create"] == 5 && json?["refuse"] == ["noAddressOrNumber": 1], "\(plan.output)")
                #expect(json?["form"]?["lacks"]?.array?.count == 2, "\(plan.output)")
                let shown = try await run("plan", "--partial")
                #expect(shown.output.contains("Firebase auth:export (JSON)"), "\(shown.output)")
                let apply = try await run("apply", "--partial", "--yes", "--format", "json")
                #expect(apply.status == 0, "\(apply.output)\(apply.errors)")
                let signIn = try await CurlTransport().send(
                    HTTPRequest(
                        .post, base + "/token?grant_type=password", headers: ["apikey": target["vars"]?["anon"]?.string ?? ""],
                        body: .json(["email": "user1@test.org", "password": "user1password"])))
                #expect(signIn.isSuccess, "\(signIn.status)")

                // The refused user is named with what would help, is corrected in the file, and is created alone.
                let failed = try JSON.parse(apply.output)["apply"]?["failed"]
                let list = try #require(failed?["file"]?.string)
                #expect(failed?["users"] == 1)
                #expect(try FileStatus(of: list)?.mode == 0o600)
                let line = try JSON.parse(try #require(try AtomicFile.read(list)))
                #expect(line["source"] == "u5" && line["reason"] == "noAddressOrNumber" && line["help"]?.string?.isEmpty == false)
                let again = try await run("apply", "--only", list, "--yes")
                #expect(again.status == 1, "\(again.output)\(again.errors)")
                let corrected = String(decoding: export, as: UTF8.self)
                    .replacing("\"localId\": \"u5\",", with: "\"localId\": \"u5\", \"email\": \"user5@test.org\",")
                try AtomicFile.replace("\(folder)/users", with: Array(corrected.utf8))
                let names = Array("{\"source\": \"u5\"}\n{\"source\": \"u1\"}\n{\"source\": \"nobody\"}\n".utf8)
                try AtomicFile.replace("\(folder)/only", with: names)
                let only = try await run("apply", "--only", "\(folder)/only", "--yes")
                #expect(only.status == 0 && only.errors.contains("u1, nobody"), "\(only.output)\(only.errors)")
                #expect(try await Self.users(of: target).count == 6)
                #expect(try !Folder.isThere(list))

                let map = try await run("map", "--columns", "orders.user_id:uuid", "--output", "\(folder)/rewrite.sql")
                #expect(map.status == 0 && map.output.contains("6 users"), "\(map.output)\(map.errors)")
                for name in ["rewrite.sql", "reverse.sql"] {
                    #expect(try FileStatus(of: "\(folder)/\(name)")?.mode == 0o600)
                    let text = String(decoding: try AtomicFile.read("\(folder)/\(name)") ?? [], as: UTF8.self)
                    #expect(text.contains("u1"))
                }
                let printed = try await run("map", "--columns", "orders.user_id", "--output", "-")
                #expect(printed.status == 0 && printed.output.contains("COMMIT;"))
                for options in [
                    ["--columns", "orders"], ["--output", "-"], ["--columns", "a.b", "--output", "\(folder)/none/x.sql"],
                ] {
                    let map = try await Lockstep.run(
                        ["migrate", "map", "--move", "\(folder)/move.json"] + options, variables: key)
                    #expect(map.status == 2, "\(map.errors)")
                }
                try AtomicFile.replace("\(folder)/only", with: Array("u5\n".utf8))
                #expect(try await run("apply", "--only", "\(folder)/only", "--yes").status == 2)
            }
        }
    }

    private static let hashed = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
    private static let files: [String: String] = [
        "clerk": """
        id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,\
        unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher
        user_a,Ada,,,a@x.example.com,,a@x.example.com,,,,,\(hashed),bcrypt

        """,
        "gotrue": """
        id,aud,role,email,encrypted_password,email_confirmed_at,raw_app_meta_data,raw_user_meta_data,created_at
        11111111-1111-4111-8111-111111111111,authenticated,authenticated,a@x.example.com,\(hashed),2026-01-31 12:00:00+00,{},{},\
        2026-01-31 12:00:00+00

        """,
        "firebase": "ada,a@x.example.com,true,,,Ada,,,,,,,,,,,,,,,,,,1486324232000,,,,,\n",
    ]

    /// An emulator imports the files of its provider's tools, and rejects those of others.
    @Test(arguments: ["firebase", "gotrue", "clerk"]) func emulatorImportsTheExport(_ provider: String) async throws {
        try await Self.inFolder { folder in
            for (name, text) in Self.files { try AtomicFile.replace("\(folder)/\(name).csv", with: Array(text.utf8)) }
            _ = try await ServerProcess.serving([provider, "--import", "\(folder)/\(provider).csv"], lines: 1) { lines in
                let users = try await Self.users(of: lines.first)
                #expect(users.count == 1 && users[0]["email"] == "a@x.example.com", "\(users)")
            }
            let other = provider == "clerk" ? "gotrue" : "clerk"
            let refused = try await Lockstep.run("serve", provider, "--import", "\(folder)/\(other).csv")
            #expect(refused.status == 2 && refused.errors.contains("lockstep serve \(other)"), "\(refused.errors)")
        }
    }
}
