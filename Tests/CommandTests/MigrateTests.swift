import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Moving users", .limitedConcurrency) struct MigrateTests {
    /// Runs a verb with its own file.
    private static func run(_ file: String, _ verb: String, _ options: [String] = []) async throws -> Lockstep {
        let folder = try Folder.makeTemporary(prefix: "lockstep-migrate")
        defer { try? Folder.remove(folder) }
        try AtomicFile.replace("\(folder)/move.json", with: Array(file.utf8))
        return try await Lockstep.run(["migrate", verb, "--move", "\(folder)/move.json"] + options)
    }

    @Test(
        .covers("M11", "M17", "M20", "M21", "M35"),
        arguments: [
            ["firebase", "gotrue"], ["gotrue", "firebase"], ["firebase", "clerk"], ["gotrue", "clerk"], ["clerk", "gotrue"],
            ["clerk", "firebase"],
        ],
        [[], ["--api-only"]])
    func demoPassesItsChecks(_ ends: [String], _ options: [String]) async throws {
        let run = try await Lockstep.run(["migrate", "demo", "--from", ends[0], "--to", ends[1], "--users", "120"] + options)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("checks passed") && !run.output.contains("FAIL"))
        let hasRows = options.isEmpty && ends.contains("gotrue")
        #expect(run.output.contains("PostgreSQL server that the demo has started") == hasRows)
    }

    /// SIGKILL gives the command no time to stop the PostgreSQL that it started.
    @Test func killedDemoStopsItsDatabase() async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-killed")
        defer { try? Folder.remove(folder) }
        // Root starts the server as another user.
        _ = try await ChildProcess.run("chmod", ["1777", folder])
        let watcher = try await BlockingThread.run { () -> String in
            let demo = try ChildProcess(
                Lockstep.executable, ["migrate", "demo", "--users", "40"],
                environment: Lockstep.environment(["TMPDIR": folder]))
            var text = ""
            while !text.contains("two emulators") {
                let part = try demo.readOutput(within: .seconds(120))
                if part.isEmpty { break }
                text += String(decoding: part, as: UTF8.self)
            }
            let server = try Folder.names(folder).first { $0.hasPrefix("lockstep-pg-") } ?? ""
            let lines = try AtomicFile.read("\(folder)/\(server)/first-data/postmaster.pid")
            let id = String(decoding: lines ?? [], as: UTF8.self).split(separator: "\n").first ?? ""
            let fields = try AtomicFile.read("/proc/\(id)/stat")
            demo.kill()
            let words = String(decoding: fields ?? [], as: UTF8.self).split(separator: " ")
            return try #require(words.count > 3 ? String(words[3]) : nil, "no PostgreSQL in \(folder): \(text)")
        }
        _ = try await ChildProcess.run("tail", ["--pid=\(watcher)", "-f", "/dev/null"], within: .seconds(60))
        #expect(try Folder.names(folder).allSatisfy { !$0.hasPrefix("lockstep-pg-") })
    }

    private static let firebase = #"{"provider": "firebase", "emulator": "http://127.0.0.1:9", "project": "demo-x"}"#

    @Test(arguments: [
        ("{", "not JSON"), ("\u{FEFF}{}", "byte order mark"), ("{\n\"from\": {", "line 2"), ("[]", "the file must be an object"),
        ("{}", "from.provider"),
        (#"{"frm": 1}"#, "Did you mean from?"), (#"{"from": {"provider": "auth0"}}"#, "expected clerk, firebase or gotrue"),
        (
            #"{"from": {"provider": "clerk", "key": {"env": "PATH"}, "export": {"env": "LOCKSTEP_NO_SUCH"}}}"#,
            #"variable "LOCKSTEP_NO_SUCH""#
        ),
        (#"{"from": {"provider": "clerk", "export": 7}}"#, #""from.export" must be the path"#),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "url": "http://127.0.0.1:9", "key": "sb_secret_abcdef"}}"#,
            #""to.key" contains a secret"#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "url": "http://127.0.0.1:9", "key": {"env": "LOCKSTEP_NO_SUCH"}}}"#,
            #"variable "LOCKSTEP_NO_SUCH""#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "url": "http://127.0.0.1:9", "database": "postgres://abcdef"}}"#,
            #""to.database" contains a secret"#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "url": "http://127.0.0.1:9", "key": {"file": "a", "env": "B"}}}"#,
            "must name one file or one variable"
        ),
        (#"{"from": \#(firebase), "from": \#(firebase)}"#, "repeats"),
        (#"{"from": \#(firebase), "to": {"provider": "gotrue"}, "mailsPerHour": 9223372036854775807}"#, "from 1 to"),
        (#"{"from": \#(firebase), "to": {"provider": "gotrue"}, "mailsPerHour": 1.5}"#, "from 1 to"),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue"}, "largeData": "cut"}"#,
            #""largeData" must be refuse or sideFile"#
        ),
        (#"{"from": {"file": "users.jsonl", "key": "x"}}"#, #"unknown member "key""#),
        (#"{"from": {"file": "users.csv", "project": 7}}"#, #""from.project" must be a string"#),
        (#"{"from": \#(firebase), "to": \#(firebase)}"#, "both sides are firebase"),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue"}, "tenants": "move"}"#,
            #""tenants" must be skip or refuse"#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue"}, "anonymousUsers": "keep"}"#,
            #""anonymousUsers" must be skip, refuse or create"#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "nameMember": "nickname"}}"#,
            #""nickname" for "to.nameMember": expected display_name, full_name or name"#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue"}, "guests": "skip"}"#,
            #""guests" was renamed. Use "anonymousUsers"."#
        ),
    ])
    func unusableMoveFileExits2(_ file: String, _ words: String) async throws {
        let run = try await Self.run(file, "plan")
        #expect(run.status == 2 && run.errors.contains(words), "\(run.errors)")
        #expect(!run.errors.contains("abcdef") && !run.output.contains("abcdef"))
    }

    @Test func statusOfAnUnknownRunExits2() async throws {
        let run = try await Self.run("{}", "status", ["--run", "../x"])
        #expect(run.status == 2)
    }

    private static func send(_ method: HTTPMethod, _ url: String, _ line: JSON?, _ body: JSON? = nil) async throws -> HTTPResponse
    {
        let token = line?["control"]?["Authorization"]?.string ?? ""
        return try await CurlTransport().send(
            HTTPRequest(method, url, headers: ["Authorization": token], body: body.map { .json($0) } ?? .none))
    }

    /// Returns when the only fault has met its request.
    private static func waitForFault(at base: String, _ line: JSON?) async throws {
        var last = Int64(0)
        while true {
            let faults = try await send(.get, "\(base)/__lockstep/faults", line).json()
            if faults["faults"]?[0]?["strikes"]?.int ?? 0 > 0 || faults[0]?["strikes"]?.int ?? 0 > 0 { return }
            let changes = try await send(.get, "\(base)/__lockstep/changes?after=\(last)&wait=30", line).json()
            let number = changes["number"]?.int ?? 0
            try #require(number > last, "no request came")
            last = number
        }
    }

    /// Ctrl-C in the middle: the status of a signal, a sentence about how to continue, and a run that continues.
    @Test func interruptedApplyExplainsHowToContinueAndContinues() async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-migrate")
        defer {
            for run in (try? Folder.names("\(folder)/migration-runs")) ?? [] {
                try? Folder.remove("\(folder)/migration-runs/\(run)")
            }
            try? Folder.remove("\(folder)/migration-runs")
            try? Folder.remove(folder)
        }
        let move = ["--move", "\(folder)/move.json"]
        _ = try await ServerProcess.serving(["firebase", "gotrue", "--mode", "strict"], lines: 2) { lines in
            let source = try #require(lines.first { $0["provider"]?.string == "firebase" })
            let target = try #require(lines.first { $0["provider"]?.string == "gotrue" })
            let (from, to) = (try #require(source["base"]?.string), try #require(target["base"]?.string))
            for number in 0..<60 {
                let made = try await Self.send(
                    .post, "\(from)/__lockstep/users", source,
                    ["email": .string("user\(number)@example.com"), "password": "Old-Password-1!", "emailConfirmed": true])
                try #require(made.isSuccess, "\(made.status)")
            }
            let file: JSON = [
                "from": [
                    "provider": "firebase", "emulator": .string(from), "project": source["vars"]?["project"] ?? "demo-lockstep",
                ],
                "to": ["provider": "supabase", "url": .string(to), "key": ["env": "LOCKSTEP_TEST_KEY"]],
            ]
            try AtomicFile.replace("\(folder)/move.json", with: file.bytes())
            let key = ["LOCKSTEP_TEST_KEY": target["vars"]?["service_role"]?.string ?? ""]
            let plan = try await Lockstep.run(["migrate", "plan"] + move, variables: key)
            try #require(plan.status == 0, "\(plan.errors)")
            #expect(plan.output.contains("key: LOCKSTEP_TEST_KEY") && plan.output.contains("60  create"), "\(plan.output)")
            let fault = try await Self.send(
                .post, "\(to)/__lockstep/faults", target,
                ["method": "POST", "path": "/admin/users", "effect": "hold", "times": 1])
            try #require(fault.isSuccess)
            let process = try ChildProcess(
                Lockstep.executable, ["migrate", "apply", "--yes", "--partial"] + move, environment: Lockstep.environment(key))
            try await Self.waitForFault(at: to, target)
            // Another process looks on.
            let status = try await Lockstep.run(["migrate", "status", "--format", "json"] + move, variables: key)
            let states = try JSON.parse(status.output)["status"]
            #expect(status.status == 0 && states?["inUse"] == true && states?["states"]?["intended"]?.int ?? 0 > 0, "\(status)")
            let (end, errors) = try await BlockingThread.run {
                process.send(.interrupt)
                var errors: [UInt8] = []
                while case let part = try process.readErrors(), !part.isEmpty { errors += part }
                return (try process.wait(), String(decoding: errors, as: UTF8.self))
            }
            #expect(end == 130 && errors.contains("Continue with: lockstep migrate apply"), "\(end) \(errors)")
            #expect(errors.contains(" --partial --yes"), "\(errors)")
            _ = try await Self.send(.delete, "\(to)/__lockstep/faults", target, [:])
            let apply = try await Lockstep.run(["migrate", "apply", "--yes"] + move, variables: key)
            #expect(apply.status == 0, "\(apply.errors)")
            let verify = try await Lockstep.run(["migrate", "verify", "--format", "json"] + move, variables: key)
            #expect(verify.status == 0, "\(verify.errors)")
            #expect(try JSON.parse(verify.output)["verify"]?["verified"]?.int == 60)
            try await Self.expectNoAddresses(to, target, move, key)
        }
    }

    /// A report names users by their ids, and shows addresses only on request.
    ///
    /// Temporary users need consent.
    private static func expectNoAddresses(
        _ to: String, _ target: JSON, _ move: [String], _ key: [String: String]
    ) async throws {
        let page = try await send(.get, "\(to)/__lockstep/users", target).json()
        let user = try #require((page["users"]?.array ?? page.array)?.first)
        let id = try #require(user["id"]?.string)
        let changed = try await send(
            .patch, "\(to)/__lockstep/users/\(id)", target, ["email": "other@example.com", "displayName": "Changed"])
        try #require(changed.isSuccess, "\(changed.status)")
        for (options, isShown) in [([], false), (["--show-addresses"], true)] {
            for format in ["text", "json"] {
                let run = try await Lockstep.run(["migrate", "verify", "--format", format] + options + move, variables: key)
                #expect(run.status == 3 && run.output.contains("Changed"), "\(run.errors)\(run.output)")
                #expect(run.output.contains("@example.com") == isShown, "\(run.output)")
            }
        }
        let question = try await Lockstep.run(["migrate", "verify", "--canaries"] + move, variables: key)
        #expect(question.status == 2, "\(question.output)")
        #expect(question.output.contains("lockstep migrate verify --canaries --move"), "\(question.output)")
        let proof = try await Lockstep.run(["migrate", "verify", "--canaries", "--yes"] + move, variables: key)
        #expect(proof.status == 3 && proof.output.contains("a temporary user signed in"), "\(proof.output)")
        #expect(!proof.output.contains("FAIL"), "\(proof.output)")
    }
}
