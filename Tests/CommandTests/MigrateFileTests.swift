import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI

@Suite("Moving users from a file", .limitedConcurrency) struct MigrateFileTests {
    private static let hash = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
    private static let canary = "Canary-Address@example.com"

    /// A user with a hostile id and name.
    ///
    /// The move rejects an anonymous user, so reports name its id.
    private static let hostile = "<script>alert(1)</script>\u{1B}[31m\u{202E}|`x`"

    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-file")
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

    private static func users(_ more: [JSONObject], of provider: String = "firebase", _ project: String = "demo-orders")
        -> [UInt8]
    {
        let header: JSON = ["version": 1, "source": ["provider": .string(provider), "project": .string(project)]]
        let first: JSONObject = [
            "id": "ada", "email": "ada@example.com", "emailConfirmed": true, "passwordHash": .string(hash),
            "displayName": .string(hostile), "privateMetadata": ["note": "Canary-Private"], "createdAt": "2026-01-31T12:00:00Z",
        ]
        return ([header, .object(first)] + more.map(JSON.object)).flatMap { $0.bytes() + [10] }
    }

    private static func move(to base: String, archive: Bool = false, _ more: JSONObject = [:]) -> [UInt8] {
        var file: JSONObject = [
            "from": ["file": "users.jsonl"],
            "to": ["provider": "gotrue", "url": .string(base), "key": ["env": "LOCKSTEP_TEST_KEY"]],
            "probe": ["email": "ada@example.com", "password": ["file": "probe"]],
        ]
        for (name, value) in more { file[name] = value }
        if archive { file["archive"] = ["key": ["file": "archive.key"]] }
        return JSON.object(file).bytes()
    }

    private static func users(of line: JSON) async throws -> Int { try await list(of: line)["users"]?.array?.count ?? -1 }

    private static func list(of line: JSON) async throws -> JSON {
        let token = line["control"]?["Authorization"]?.string ?? ""
        let response = try await CurlTransport().send(
            HTTPRequest(.get, (line["base"]?.string ?? "") + "/__lockstep/users", headers: ["Authorization": token]))
        return try response.json()
    }

    private static func files(_ folder: String) throws -> [UInt8] {
        let runs = "\(folder)/migration-runs"
        return try Folder.names(runs).flatMap { run in
            try Folder.names("\(runs)/\(run)").flatMap { try AtomicFile.read("\(runs)/\(run)/\($0)", limit: 1 << 28) ?? [] }
        }
    }

    /// From plan to purge, with an archive.
    ///
    /// No file of the run and no report contains an address or a hash unless requested.
    @Test(.covers("M09", "M31", "M52", "M58"), arguments: ["firebase", "clerk"]) func fileIsMovedReportedAndPurged(
        _ provider: String
    ) async throws {
        try await Self.inFolder { folder in
            _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
                let target = try #require(lines.first)
                let base = target["base"]?.string ?? ""
                let key = ["LOCKSTEP_TEST_KEY": target["vars"]?["service_role"]?.string ?? ""]
                func run(_ verb: String, _ options: String...) async throws -> Lockstep {
                    try await Lockstep.run(["migrate", verb, "--move", "\(folder)/move.json"] + options, variables: key)
                }
                let anonymous: JSONObject = ["id": .string(Self.hostile), "anonymous": true]
                let double: JSONObject = ["id": "eve", "email": .string(Self.canary), "factors": [["kind": "totp"]]]
                try AtomicFile.replace("\(folder)/users.jsonl", with: Self.users([anonymous, double], of: provider))
                try AtomicFile.replace("\(folder)/move.json", with: Self.move(to: base, archive: true))
                try AtomicFile.replace("\(folder)/probe", with: Array("Old-Password-1!".utf8))
                try AtomicFile.replace("\(folder)/archive.key", with: Array(String(repeating: "ab", count: 32).utf8))
                let plan = try await run("plan", "--partial")
                try #require(plan.status == 0, "\(plan.errors)")
                #expect(plan.output.contains("3 users read") && plan.output.contains("1  create"), "\(plan.output)")
                #expect(plan.output.contains("project demo-orders") && plan.output.contains("users.jsonl"), "\(plan.output)")
                let asking = try await run("apply", "--partial")
                #expect(asking.status == 2 && asking.output.contains("would create 1 users"), "\(asking.output)")
                #expect(
                    asking.output.contains("--partial --yes") && asking.output.contains("key: LOCKSTEP_TEST_KEY"),
                    "\(asking.output)")
                #expect(try await Self.users(of: target) == 0)
                let apply = try await run("apply", "--partial", "--yes")
                #expect(apply.status == 0, "\(apply.output)\(apply.errors)")
                #expect(try await run("verify").status == 0)
                // Values that only the old server could see are named as lost. No user or token contains them.
                #expect(plan.output.contains("private data"), "\(plan.output)")
                #expect(!(try await Self.list(of: target).text()).contains("Canary-Private"))
                let signIn = try await CurlTransport().send(
                    HTTPRequest(
                        .post, base + "/token?grant_type=password", headers: ["apikey": target["vars"]?["anon"]?.string ?? ""],
                        body: .json(["email": "ada@example.com", "password": "Old-Password-1!"])))
                #expect(signIn.isSuccess, "\(signIn.status)")
                let session = try signIn.json()
                let token = try #require(session["access_token"]?.string)
                let parts = token.split(separator: ".").map { String(decoding: Base64.decode($0, .url) ?? [], as: UTF8.self) }
                #expect(parts.count == 3 && parts[1].contains("ada@example.com"))
                for text in parts + [session.text()] { #expect(!text.contains("Canary-Private")) }

                let page = "\(folder)/report.html"
                let report = try await run("report", "--html", page)
                #expect(report.status == 0 && report.output.contains("users set aside"), "\(report.errors)")
                let html = String(decoding: try #require(try AtomicFile.read(page)), as: UTF8.self)
                #expect(html.contains("&lt;script&gt;alert(1)") && html.contains("default-src 'none'"))
                for text in [report.output, html, plan.output] {
                    #expect(!text.contains(Self.canary) && !text.contains("\u{1B}[31m") && !text.contains("\u{202E}"))
                    #expect(!text.contains(Self.hash))
                }
                #expect(!html.contains("<script") && !html.contains("src=") && !html.contains("http://www"))
                let json = try await run("report", "--format", "json")
                #expect(!json.output.contains(Self.canary))
                #expect(try JSON.parse(json.output)["report"]?["aside"]?.array?.count == 2)
                #expect(try FileStatus(of: page)?.mode == 0o644)
                let shown = try await run("report", "--format", "json", "--show-addresses", "--html", page)
                #expect(try FileStatus(of: page)?.mode == 0o600)
                try AtomicFile.remove(page)
                #expect(
                    try JSON.parse(shown.output)["report"]?["aside"]?.array?.contains { $0["address"]?.string == Self.canary }
                        == true)

                // Without the archive's key, no file of the run shows anything of a user.
                let stored = try Self.files(folder)
                for text in [Self.canary, "Canary", "Canary-Private", Self.hash, "ada@example.com"] {
                    #expect(stored.firstRange(of: Array(text.utf8)) == nil, "\(text)")
                }
                let unsealed = "\(folder)/unsealed.jsonl"
                #expect(try await run("report", "--unseal", unsealed).status == 0)
                #expect(try FileStatus(of: unsealed)?.mode == 0o600)
                let lines = try (try AtomicFile.read(unsealed) ?? []).split(separator: 10).map { try JSON.parse(Array($0)) }
                #expect(
                    lines.count == 4 && lines[1]["passwordHash"]?.string == Self.hash && lines[3]["email"]?.string == Self.canary)
                try AtomicFile.replace("\(folder)/archive.key", with: Array(String(repeating: "cd", count: 32).utf8))
                let wrong = try await run("report", "--unseal", "\(folder)/wrong.jsonl")
                #expect(wrong.status == 2 && wrong.errors.contains("another key"), "\(wrong.errors)")
                #expect(try !Folder.isThere("\(folder)/wrong.jsonl"))

                let asked = try await run("purge")
                #expect(
                    asked.status == 2 && asked.output.contains("archive.sealed") && asked.output.contains("--yes"),
                    "\(asked.output)")
                #expect(try Folder.names("\(folder)/migration-runs").count == 1)
                let purge = try await run("purge", "--yes")
                #expect(purge.status == 0, "\(purge.errors)")
                #expect(try Folder.names("\(folder)/migration-runs").isEmpty)
                #expect(try await run("status").status == 2)
            }
        }
    }

    private static func table(to base: String, _ more: JSONObject = ["provider": "firebase", "project": "demo-orders"]) -> [UInt8]
    {
        var source: JSONObject = ["file": "users.csv"]
        for (name, value) in more { source[name] = value }
        return move(to: base, ["from": .object(source)])
    }

    /// Users as comma-separated values get the same ids as in JSON Lines.
    ///
    /// An error ends the plan before anything is written.
    @Test func commaSeparatedUsersAreMoved() async throws {
        try await Self.inFolder { folder in
            _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
                let target = try #require(lines.first)
                let base = target["base"]?.string ?? ""
                let key = ["LOCKSTEP_TEST_KEY": target["vars"]?["service_role"]?.string ?? ""]
                func run(_ verb: String, _ options: String...) async throws -> Lockstep {
                    try await Lockstep.run(["migrate", verb, "--move", "\(folder)/move.json"] + options, variables: key)
                }
                try AtomicFile.replace("\(folder)/probe", with: Array("Old-Password-1!".utf8))
                let head = "id,email,emailConfirmed,passwordHash,displayName\r\n"
                let ada = "ada,ada@example.com,true,\(Self.hash),\"Ada, \"\"Countess\"\"\r\nof L\"\r\n"
                for (users, word) in [
                    (head.replacing("emailConfirmed", with: "emailVerified") + ada, "\"emailVerified\""),
                    (head.replacing(",displayName", with: "") + ada, "line 2"), (ada, "no column \"id\""),
                    (head + ada + "\"eve", "inside quotes"), (head + ada.replacing("$2b$", with: "$2b$x"), "probe"),
                ] {
                    try AtomicFile.replace("\(folder)/users.csv", with: Array(users.utf8))
                    try AtomicFile.replace("\(folder)/move.json", with: Self.table(to: base))
                    let plan = try await run("plan")
                    #expect(
                        [1, 2].contains(plan.status) && plan.errors.contains(word), "\(plan.status) \(plan.errors)")
                    #expect(!plan.errors.contains("ada@"), "\(plan.errors)")
                }
                #expect(try await Self.users(of: target) == 0)
                try AtomicFile.replace("\(folder)/users.csv", with: Array((head + ada).utf8))
                let incomplete: [JSONObject] = [
                    [:], ["provider": "firebase"], ["provider": "firebase", "project": "x", "key": "y"],
                ]
                for source in incomplete {
                    try AtomicFile.replace("\(folder)/move.json", with: Self.table(to: base, source))
                    let plan = try await run("plan")
                    #expect(plan.status == 2 && plan.errors.contains("from"), "\(plan.errors)")
                }
                try AtomicFile.replace("\(folder)/move.json", with: Self.table(to: base))
                let plan = try await run("plan")
                #expect(plan.status == 0 && plan.output.contains("project demo-orders"), "\(plan.output)\(plan.errors)")
                #expect(try await run("apply", "--yes").status == 0)
                #expect(try await run("verify").status == 0)
                let list = try await Self.list(of: target)
                #expect(list["users"]?[0]?["displayName"]?.string == "Ada, \"Countess\"\r\nof L", "\(list.text())")
                // The same user in the other format is the same user on the target.
                try AtomicFile.replace("\(folder)/users.jsonl", with: Self.users([]))
                try AtomicFile.replace("\(folder)/move.json", with: Self.move(to: base))
                let other = try await run("plan", "--format", "json")
                #expect(try JSON.parse(other.output)["plan"]?["refuse"]?["idTaken"] == 1, "\(other.output)\(other.errors)")
            }
        }
    }

    /// The map, the list of duplicates and the side file: printed, private to this user, and removed by purge.
    @Test(.covers("M08", "M32")) func filesOfARunArePrintedAndPurged() async throws {
        try await Self.inFolder { folder in
            _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
                let target = try #require(lines.first)
                let base = target["base"]?.string ?? ""
                let key = ["LOCKSTEP_TEST_KEY": target["vars"]?["service_role"]?.string ?? ""]
                func run(_ verb: String, _ options: String...) async throws -> Lockstep {
                    try await Lockstep.run(["migrate", verb, "--move", "\(folder)/move.json"] + options, variables: key)
                }
                let large: JSON = ["note": .string(String(repeating: "n", count: 12_000))]
                try AtomicFile.replace(
                    "\(folder)/users.jsonl",
                    with: Self.users(
                        [
                            ["id": "=1+1", "email": .string(Self.canary), "emailConfirmed": true, "userMetadata": large],
                            ["id": .string(Self.hostile), "email": "ADA@example.com"],
                        ], of: "firebase", "demo\u{1B}[2J\u{202E}"))
                try AtomicFile.replace("\(folder)/probe", with: Array("Old-Password-1!".utf8))
                try AtomicFile.replace("\(folder)/move.json", with: Self.move(to: base))
                let refused = try await run("plan", "--format", "json")
                #expect(refused.status == 3, "\(refused.errors)")
                #expect(try JSON.parse(refused.output)["plan"]?["refuse"] == ["addressTwice": 1, "dataTooLarge": 1])
                try AtomicFile.replace("\(folder)/move.json", with: Self.move(to: base, ["largeData": "sideFile"]))
                let plan = try await run("plan", "--partial")
                #expect(plan.status == 0 && plan.output.contains("duplicates: 1 users, in "), "\(plan.output)\(plan.errors)")
                #expect(!plan.output.contains("\u{1B}") && !plan.output.contains("\u{202E}") && plan.output.contains("u{202E}"))
                #expect(plan.output.contains("duplicates.jsonl") && plan.output.contains("large-data.jsonl"), "\(plan.output)")
                let apply = try await run("apply", "--partial", "--yes")
                #expect(apply.status == 0 && apply.output.contains("map of ids: 2 users, in "), "\(apply.output)\(apply.errors)")
                #expect(apply.output.contains("1 ids begin like a spreadsheet formula"), "\(apply.output)")
                #expect(!(try await Self.list(of: target).text()).contains("nnnn"))
                let report = try JSON.parse(try await run("report", "--format", "json").output)["report"]
                #expect(report?["map"]?["users"] == 2 && report?["map"]?["formulas"] == 1)
                #expect(report?["duplicates"]?["users"] == 1)
                let map = try #require(report?["map"]?["file"]?.string)
                let place = String(map.dropLast("map.csv".count))
                let text = String(decoding: try AtomicFile.read(map) ?? [], as: UTF8.self)
                let lines = text.split(separator: "\r\n").map { $0.split(separator: ",") }
                #expect(lines.map(\.first) == ["source_id", "ada", "=1+1"] && lines.allSatisfy { $0.count == 2 }, "\(text)")
                let side = try JSON.parse(try #require(try AtomicFile.read(place + "large-data.jsonl")))
                #expect(side["source"] == "=1+1" && side["userData"] == large)
                for name in ["map.csv", "duplicates.jsonl", "large-data.jsonl"] {
                    #expect(try FileStatus(of: place + name)?.mode == 0o600, "\(name)")
                    #expect(try (AtomicFile.read(place + name) ?? []).firstRange(of: Array(Self.canary.utf8)) == nil, "\(name)")
                }
                let id = place.split(separator: "/").last.map(String.init) ?? ""
                #expect(try await run("purge", "--run", id, "--yes").status == 0)
                #expect(try !Folder.isThere(map))
            }
        }
    }

    @Test func errorInTheFileEndsThePlanWithItsLine() async throws {
        try await Self.inFolder { folder in
            _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
                let key = ["LOCKSTEP_TEST_KEY": lines.first?["vars"]?["service_role"]?.string ?? ""]
                try AtomicFile.replace("\(folder)/move.json", with: Self.move(to: lines.first?["base"]?.string ?? ""))
                try AtomicFile.replace("\(folder)/probe", with: Array("Old-Password-1!".utf8))
                let cut = Array(Self.users([["id": "b", "email": "b@example.com"]]).dropLast(8))
                for (bytes, words) in [
                    (Self.users([["id": "b", "emial": "b@example.com"]]), ["line 3", "\"emial\"", "\"email\""]),
                    (cut, ["line 3", "not JSON"]), (Self.users([["email": "b@example.com"]]), ["line 3", "no \"id\""]),
                    (Array("{}".utf8), ["line 1", "version"]),
                    (
                        Self.users([["id": "b", "email": "b@example.com"], ["id": "ada", "email": "c@example.com"]]),
                        ["lines 2 and 4", "\"ada\""]
                    ),
                ] {
                    try AtomicFile.replace("\(folder)/users.jsonl", with: bytes)
                    let run = try await Lockstep.run(["migrate", "plan", "--move", "\(folder)/move.json"], variables: key)
                    #expect(run.status == 2 && run.errors.split(separator: "\n").count == 1, "\(run.status) \(run.errors)")
                    for word in words { #expect(run.errors.contains(word), "\(run.errors) lacks \(word)") }
                }
                try AtomicFile.remove("\(folder)/users.jsonl")
                let run = try await Lockstep.run(["migrate", "plan", "--move", "\(folder)/move.json"], variables: key)
                #expect(run.status == 2 && run.errors.contains("there is no file"), "\(run.errors)")
            }
        }
    }

    @Test(arguments: [("firebase", "gotrue"), ("file", "gotrue"), ("firebase", "clerk")])
    func initWritesAFileThatPlanReadsAndOverwritesNothing(_ source: String, _ target: String) async throws {
        try await Self.inFolder { folder in
            let path = "\(folder)/move.json"
            let written = try await Lockstep.run("migrate", "init", "--move", path, "--from", source, "--to", target)
            #expect(written.status == 0 && written.output.contains("move.README.md"), "\(written.errors)")
            let page = String(decoding: try #require(try AtomicFile.read("\(folder)/move.README.md")), as: UTF8.self)
            let file = try #require(try AtomicFile.read(path))
            for member in try #require(JSON.parse(file).object?.names) { #expect(page.contains(member), "\(member)") }
            // Only the secrets that it refers to are missing.
            let plan = try await Lockstep.run("migrate", "plan", "--move", path)
            #expect(plan.status == 2 && (plan.errors.contains("no file") || plan.errors.contains("is not set")), "\(plan.errors)")
            for name in ["move.json", "move.README.md"] {
                let again = try await Lockstep.run("migrate", "init", "--move", path)
                #expect(again.status == 2 && again.errors.contains("already exists"), "\(again.errors)")
                try AtomicFile.remove("\(folder)/\(name)")
            }
            #expect(try Folder.names(folder).isEmpty)
        }
    }

    /// Redirects the requests for another machine to this one.
    private struct Rerouted: HTTPTransport {
        let base: String

        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            var request = request
            if request.url.hasPrefix("https://auth.example") {
                request.url = base + request.url.dropFirst("https://auth.example".count)
            }
            return try await CurlTransport().send(request)
        }
    }

    @Test(.covers("M52")) func remoteTargetWithUsersMustBeConfirmed() async throws {
        try await Self.inFolder { folder in
            _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
                let base = try #require(lines.first?["base"]?.string)
                let key = lines.first?["vars"]?["service_role"]?.string ?? ""
                try AtomicFile.replace("\(folder)/users.jsonl", with: Self.users([]))
                try AtomicFile.replace("\(folder)/key", with: Array(key.utf8))
                func ends(_ url: String) async throws -> MoveEnds {
                    let file: JSON = [
                        "from": ["file": "users.jsonl"],
                        "to": ["provider": "gotrue", "url": .string(url), "key": ["file": "key"]],
                    ]
                    try AtomicFile.replace("\(folder)/move.json", with: file.bytes())
                    return try await MoveEnds(try MoveFile("\(folder)/move.json"), transport: Rerouted(base: base))
                }
                let elsewhere = try await ends("https://auth.example")
                #expect(!elsewhere.isTargetHere)
                try await elsewhere.requireConfirmation(nil)
                let token = lines.first?["control"]?["Authorization"]?.string ?? ""
                _ = try await CurlTransport().send(
                    HTTPRequest(
                        .post, base + "/__lockstep/users", headers: ["Authorization": token],
                        body: .json(["email": "there@example.com"])))
                for name in [nil, "", "auth.example.evil", "https://auth.example"] {
                    let error = await #expect(throws: UsageError.self, "\(name ?? "nil")") {
                        try await elsewhere.requireConfirmation(name)
                    }
                    #expect(error?.description.contains("--confirm auth.example") == true)
                }
                try await elsewhere.requireConfirmation("auth.example")
                try await ends(base).requireConfirmation(nil)
            }
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:9", true), ("http://localhost:9", true), ("http://[::1]:9", true),
        ("https://127.0.0.1.evil.example", false),
        ("https://localhost.evil.example", false), ("https://127.evil.example.x", false),
        ("https://127.0.0.1@evil.example", false),
        ("https://evil.example/127.0.0.1", false), ("https://evil.example?http://localhost", false), ("https://10.0.0.1", false),
    ])
    func addressDecidesWhetherTheTargetIsLocal(_ address: String, _ isHere: Bool) {
        #expect(Providers.isThisMachine(address) == isHere)
    }
}
