import Foundation
import LockstepDoctor
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep doctor", .limitedConcurrency)
struct DoctorCommandTests {
    /// The variables of an emulator, without those of a project.
    private static func variables(_ project: ScriptedProject) -> [String: String] {
        let names = [
            "SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY", "SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_SECRET_KEY",
            "SUPABASE_ACCESS_TOKEN", "FIREBASE_API_KEY", "FIREBASE_AUTH_EMULATOR_HOST", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT",
            "CLERK_PUBLISHABLE_KEY", "CLERK_SECRET_KEY", "CLERK_PROXY_URL", "CLERK_API_URL",
        ]
        var variables = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
        for (name, value) in project.line["environment"]?.object ?? [:] { variables[name] = value.string ?? "" }
        return variables
    }

    private static func levels(_ run: Lockstep) throws -> [String: String] {
        let findings = try JSON.parse(run.output)["findings"]?.array ?? []
        return Dictionary(uniqueKeysWithValues: findings.map { ($0["id"]?.string ?? "", $0["level"]?.string ?? "") })
    }

    private static let subjects: [(provider: String, options: [String], settings: JSON, changed: [String])] = [
        (
            "gotrue", [],
            ["GOTRUE_MAILER_AUTOCONFIRM": true, "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": true],
            ["gotrue.sign-up-proof", "gotrue.known-addresses", "gotrue.anonymous-users"]
        ),
        (
            "clerk", [],
            [
                "VERIFY_EMAIL_AT_SIGN_UP": false, "LOCKOUT_ATTEMPTS": "off", "PASSWORD_HIBP": false, "SECOND_FACTORS": "none",
                "ENUMERATION_PROTECTION": false,
            ],
            ["clerk.sign-up-proof", "clerk.lockout", "clerk.second-factor"]
        ),
        ("firebase", ["--probe"], [:], []),
    ]

    @Test(arguments: subjects.map { $0.provider })
    func emulatorIsReadAndNotChanged(provider: String) async throws {
        let subject = try #require(Self.subjects.first { $0.provider == provider })
        try await ScriptedProject.with([provider]) { project in
            let variables = Self.variables(project)
            let words = ["doctor", provider, "--format", "json"] + subject.options
            let safe = try await Lockstep.run(words, variables: variables)
            #expect(safe.errors.isEmpty && safe.status == 0, "\(safe.output)\(safe.errors)")
            if !subject.changed.isEmpty {
                try await project.control(.patch, "/settings", subject.settings)
                let unsafe = try await Lockstep.run(words, variables: variables)
                #expect(unsafe.status == 1, "\(unsafe.output)\(unsafe.errors)")
                let (before, after) = (try Self.levels(safe), try Self.levels(unsafe))
                for id in subject.changed {
                    #expect(
                        before[id] == "info" && ["fail", "warn"].contains(after[id]),
                        "\(id): \(before[id] ?? "") \(after[id] ?? "")")
                }
            }

            // Only the listed requests arrived, and they changed nothing.
            let listed = Set(try JSON.parse(safe.output)["requests"]?.array?.compactMap(\.string) ?? [])
            #expect(!listed.isEmpty)
            let seen = Set(try await project.requests().filter { !$0.contains("/__lockstep") })
            for request in seen {
                let path = request.split(separator: " ").last.map(String.init) ?? ""
                #expect(
                    listed.contains { $0.hasSuffix(path) && $0.hasPrefix(request.prefix(3)) },
                    "\(request) is not listed: \(listed)")
                #expect(request.hasPrefix("GET ") || subject.options == ["--probe"], "\(request)")
            }
            #expect(try await project.control(.get, "/users")["users"]?.array?.isEmpty == true)
            #expect(try await project.control(.get, "/messages")["messages"]?.array?.isEmpty == true)

            // No format prints a key.
            let secrets = (project.line["environment"]?.object ?? [:]).filter { $0.name.hasSuffix("_KEY") }.compactMap(
                \.value.string)
            for format in ["table", "markdown", "github", "json"] {
                let run = try await Lockstep.run(
                    ["doctor", provider, "--format", format] + subject.options, variables: variables)
                #expect(!run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
                for secret in secrets where secret.count > 8 { #expect(!(run.output + run.errors).contains(secret), "\(format)") }
            }
        }
    }

    /// An emulator is one by the ready file and its address, and its own settings are read.
    @Test(arguments: ["gotrue", "clerk", "firebase"]) func emulatorIsRecognizedByItsReadyFile(_ provider: String) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]
        _ = try await ServerProcess.serving([provider], lines: 1, variables: place) { lines in
            let project = ScriptedProject(lines[0])
            let none = Self.variables(project).mapValues { _ in "" }.merging(place) { $1 }
            func report(_ words: String..., variables: [String: String]) async throws -> JSON {
                let run = try await Lockstep.run(["doctor", provider, "--format", "json"] + words, variables: variables)
                return try JSON.parse(run.output)
            }
            let own = try await report(variables: none)
            #expect(own["emulator"] == true && own["findings"]?.array?.isEmpty == false, "\(own.text())")
            let unknown = own["findings"]?.array?.filter { $0["level"] == "unknown" }.count ?? 99
            if provider == "gotrue" {
                #expect(unknown <= 4, "\(own.text())")
                let levels = own["findings"]?.array?.first { $0["id"] == "gotrue.password-length" }?["level"]
                try await project.control(.patch, "/settings", ["GOTRUE_PASSWORD_MIN_LENGTH": 12])
                let changed = try await report("--url", project.base.replacing("127.0.0.1", with: "localhost"), variables: none)
                let now = changed["findings"]?.array?.first { $0["id"] == "gotrue.password-length" }?["level"]
                #expect(levels == "warn" && now == "info", "\(changed.text())")
            }
            let table = try await Lockstep.run(["doctor", provider], variables: none)
            #expect(table.output.contains("This is an emulator of yours.") && !table.output.contains("501"), "\(table.output)")
            // The same server without its ready file is any server.
            var foreign = Self.variables(project).merging(place) { $1 }
            foreign["XDG_RUNTIME_DIR"] = folder + "/none"
            foreign["HOME"] = folder
            let other = try await report(variables: foreign)
            #expect(other["emulator"] == false && other["findings"] != nil, "\(other.text())")
        }
    }

    @Test func enumerationProtectionOfFirebaseIsDetected() async throws {
        try await ScriptedProject.with(["firebase"]) { project in
            let variables = Self.variables(project)
            let words = ["doctor", "firebase", "--probe", "--format", "json"]
            let before = try Self.levels(try await Lockstep.run(words, variables: variables))
            let config: JSON = [
                "signIn": ["allowDuplicateEmails": true], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
            ]
            let request = HTTPRequest(
                .patch, project.base + "/emulator/v1/projects/demo-lockstep/config", headers: ["Authorization": "Bearer owner"],
                body: .json(config))
            #expect(try await project.transport.send(request).isSuccess)
            let run = try await Lockstep.run(words, variables: variables)
            let after = try Self.levels(run)
            for id in ["unknown-addresses", "sign-in-methods", "enumeration-protection"] {
                #expect(before["firebase.\(id)"] == "warn" && after["firebase.\(id)"] == "info", "\(id)")
            }
            #expect(before["firebase.duplicate-addresses"] == "info" && after["firebase.duplicate-addresses"] == "fail")
            #expect(run.status == 1)
        }
    }

    @Test func administratorKeyFailsBeforeARequest() async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            for name in ["secret", "service_role"] {
                var variables = Self.variables(project)
                variables["SUPABASE_PUBLISHABLE_KEY"] = project.line["vars"]?[name]?.string
                let run = try await Lockstep.run(["doctor", "gotrue", "--format", "json"], variables: variables)
                #expect(run.status == 1, "\(run.output)\(run.errors)")
                #expect(try Self.levels(run) == ["gotrue.administrator-key": "fail"])
            }
            #expect(try await project.requests().filter { !$0.contains("/__lockstep") }.isEmpty)
        }
        for (provider, name, key) in [
            ("clerk", "CLERK_PUBLISHABLE_KEY", "sk_live_canary"), ("firebase", "FIREBASE_API_KEY", "ya29.canary"),
        ] {
            let run = try await Lockstep.run(
                ["doctor", provider, "--format", "json"],
                variables: [name: key, "FIREBASE_AUTH_EMULATOR_HOST": "", "CLERK_PROXY_URL": "", "CLERK_SECRET_KEY": ""])
            #expect(run.status == 1 && !run.output.contains("canary"), "\(run.output)\(run.errors)")
            #expect(try Self.levels(run) == ["\(provider).administrator-key": "fail"])
        }
    }

    @Test func rejectedAdministratorKeyIsAFailure() async throws {
        for (provider, names, id) in [
            ("gotrue", ["SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_SECRET_KEY"], "gotrue.service-key"),
            ("clerk", ["CLERK_SECRET_KEY"], "clerk.rejected-key"),
        ] {
            try await ScriptedProject.with([provider]) { project in
                var variables = Self.variables(project)
                for name in names { variables[name] = provider == "gotrue" ? "sb_secret_canary" : "sk_test_canary" }
                let run = try await Lockstep.run(["doctor", provider, "--format", "json"], variables: variables)
                #expect(run.status == 1 && !run.output.contains("canary"), "\(run.output)\(run.errors)")
                #expect(try Self.levels(run)[id] == "fail", "\(run.output)")
            }
        }
        try await ScriptedProject.with(["firebase"]) { project in
            try await project.answer([("*/projects/*", 401, ["error": ["message": "Request had invalid credentials."]])])
            var variables = Self.variables(project)
            variables["FIREBASE_ACCESS_TOKEN"] = "canary"
            let run = try await Lockstep.run(["doctor", "firebase", "--format", "json"], variables: variables)
            #expect(run.status == 1 && !run.output.contains("canary"), "\(run.output)\(run.errors)")
            #expect(try Self.levels(run)["firebase.rejected-key"] == "fail")
        }
    }

    @Test func invalidPublishableKeyIsAUsageError() async throws {
        try await ScriptedProject.with(["clerk"]) { project in
            for key in ["pk_live_nonsense", "pk_test_", "nonsense"] {
                var variables = Self.variables(project)
                variables["CLERK_PUBLISHABLE_KEY"] = key
                let run = try await Lockstep.run(["doctor", "clerk"], variables: variables)
                #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("pk_test_"), "\(run.output)\(run.errors)")
            }
        }
    }

    @Test func badResponsePrintsOneSentence() async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            let variables = Self.variables(project)
            for (fault, status, reason) in [
                (["effect": "captive-portal"], Int32(2), "did not return JSON"),
                (["effect": "retry-after"], 1, "status 429"),
                (["effect": "status", "status": 503], 1, "status 503"), (["effect": "status", "status": 404], 2, "status 404"),
                (["effect": "status", "status": 401], 2, "rejects the key"), (["effect": "close"], 1, "cannot be read"),
                (
                    ["effect": "status", "status": 302, "headers": ["Location": "http://other.example/"]], 2,
                    "redirects to \"http://other.example/\", and the key is not sent there"
                ),
            ] as [(JSON, Int32, String)] {
                try await project.control(.delete, "/faults")
                var body = fault.object ?? [:]
                body["path"] = "/settings"
                body["times"] = 100
                try await project.control(.post, "/faults", .object(body))
                let run = try await Lockstep.run(["doctor", "gotrue"], variables: variables)
                #expect(run.status == status && run.output.isEmpty && run.errors.contains(reason), "\(run.status) \(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("/auth/v1/settings"), "\(run.errors)")
            }
            // A server without TLS has no matching certificate.
            let other = ["--url", "https" + project.base.dropFirst(4) + "/auth/v1"]
            let run = try await Lockstep.run(["doctor", "gotrue"] + other, variables: variables)
            #expect(run.status == 1 && run.errors.contains("certificate"), "\(run.errors)")

            // A server that does not respond.
            try await project.control(.delete, "/faults")
            try await project.control(.post, "/faults", ["path": "/settings", "effect": "hang"])
            await #expect(throws: DoctorError.self) {
                _ = try await Doctor.goTrue(
                    url: project.base + "/auth/v1", key: project.key("publishable"), patience: .milliseconds(200),
                    transport: project.transport, clock: SystemClock()
                ).report()
            }
            try await project.control(.delete, "/faults")
        }
    }

    @Test func endlessResponsePrintsOneSentence() async throws {
        try await EndlessServer.with(startingWith: "{") { endless in
            let run = try await Lockstep.run(
                ["doctor", "gotrue", "--url", endless.url], variables: ["SUPABASE_PUBLISHABLE_KEY": "sb_publishable_canary"])
            #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("longer than"), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains(endless.url), "\(run.errors)")
            #expect(!run.errors.contains(".."), "\(run.errors)")
            #expect(endless.sent < 64 << 20, "\(endless.sent) bytes were read")
        }
    }

    @Test(arguments: [
        (["doctor", "gotrue"], "SUPABASE_URL"), (["doctor", "gotrue", "--url", "http://10.0.0.1"], "https"),
        (["doctor", "gotrue", "--url", "https://abc.supabase.co"], "SUPABASE_PUBLISHABLE_KEY"),
        (["doctor", "--probe"], "needs a provider"),
        (["doctor", "clerk", "--probe"], "only with firebase"), (["doctor", "gotrue", "clerk"], "only one provider"),
        (["doctor", "clerk"], "CLERK_PUBLISHABLE_KEY"), (["doctor", "gotru"], "Did you mean gotrue?"),
    ])
    func invalidArgumentsPrintOneSentence(words: [String], reason: String) async throws {
        let names = ["SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY", "SUPABASE_ANON_KEY", "CLERK_PUBLISHABLE_KEY", "CLERK_PROXY_URL"]
        // Without an address, a running emulator would be the project.
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]
        let run = try await Lockstep.run(
            words, variables: Dictionary(uniqueKeysWithValues: names.map { ($0, "") }).merging(place) { $1 })
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func machineIsChecked() async throws {
        let caught = try await Lockstep.run(
            ["doctor", "--format", "json"],
            variables: ["HTTP_PROXY": "http://proxy.example", "http_proxy": "", "NO_PROXY": "", "no_proxy": ""])
        #expect(caught.status == 0, "\(caught.errors)")
        #expect(try Self.levels(caught)["machine.proxy"] == "warn")
        let free = try await Lockstep.run(
            ["doctor", "--format", "json"], variables: ["HTTP_PROXY": "http://proxy.example", "NO_PROXY": "localhost,127.0.0.1"])
        #expect(try Self.levels(free)["machine.proxy"] == "info" && Self.levels(free)["machine.version"] == "info")

        let busy = LocalMachine(release: "1", busyPorts: [(4601, nil), (4602, "gotrue")], openFiles: 256, proxies: []).report
        #expect(busy.findings.filter(\.needsChange).map(\.id) == ["machine.ports", "machine.open-files"])
        #expect(LocalMachine(release: "1", busyPorts: [(4602, "gotrue")], openFiles: 4096, proxies: []).report.count(.info) == 4)
    }
}
