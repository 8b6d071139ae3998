import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// The output of `lockstep serve` when it is ready: for programs, for people, in files.
@Suite("The ready line", .limitedConcurrency)
struct ReadyLineTests {
    /// Runs `body` with its own runtime folder, which contains no other server.
    private func withRuntimeFolder<Value>(_ body: (String, [String: String]) async throws -> Value) async throws -> Value {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder, ["XDG_RUNTIME_DIR": folder])
    }

    private func port(_ line: JSON?) throws -> String {
        try #require(line?["base"]?.string?.split(separator: ":").last.map(String.init))
    }

    private func get(_ url: String, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        try await CurlTransport().send(HTTPRequest(.get, url, headers: headers))
    }

    @Test func namesVersionReleaseCommitAndProcess() async throws {
        let server = try await BlockingThread.run { try ServerProcess([], lines: 3) }
        for line in server.lines {
            #expect(line["version"] == 1)
            #expect(line["release"]?.string?.isEmpty == false)
            #expect(line["pid"]?.int == Int64(server.id))
            #expect(line["commit"]?.string.map { $0.utf8.count == 40 } ?? true)
        }
        _ = try await BlockingThread.run { try server.interrupt() }
    }

    private static let variables: [String: [String]] = [
        "firebase": [
            "FIREBASE_AUTH_EMULATOR_HOST", "FIREBASE_EMULATOR_HUB", "GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT",
            "__FIREBASE_DEFAULTS__",
        ],
        "gotrue": [
            "SUPABASE_URL", "SUPABASE_ANON_KEY", "SUPABASE_PUBLISHABLE_KEY", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_SECRET_KEY",
            "SUPABASE_JWT_SECRET", "NEXT_PUBLIC_SUPABASE_URL", "NEXT_PUBLIC_SUPABASE_ANON_KEY",
        ],
        "clerk": [
            "CLERK_PUBLISHABLE_KEY", "CLERK_SECRET_KEY", "CLERK_API_URL", "CLERK_WEBHOOK_SIGNING_SECRET", "CLERK_PROXY_URL",
            "NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY", "NEXT_PUBLIC_CLERK_PROXY_URL",
        ],
    ]

    /// The values authorize requests to the server: each is used for a request that needs it.
    @Test func environmentVariablesAuthorizeEachServer() async throws {
        _ = try await ServerProcess.serving([], lines: 3) { lines in
            for line in lines {
                let environment = try #require(line["environment"]?.object)
                for name in try #require(Self.variables[line["provider"]?.string ?? ""]) {
                    #expect(environment[name]?.string?.isEmpty == false, "\(name)")
                }
            }
            func value(_ index: Int, _ name: String) -> String { lines[index]["environment"]?[name]?.string ?? "" }
            let hub = try await get("http://" + value(0, "FIREBASE_EMULATOR_HUB") + "/emulators")
            #expect(hub.status == 200)
            for name in ["SUPABASE_ANON_KEY", "SUPABASE_PUBLISHABLE_KEY"] {
                let settings = try await get(value(1, "SUPABASE_URL") + "/auth/v1/settings", ["apikey": value(1, name)])
                #expect(settings.status == 200, "\(name)")
            }
            for name in ["SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_SECRET_KEY"] {
                let key = value(1, name)
                let users = try await get(
                    value(1, "SUPABASE_URL") + "/auth/v1/admin/users", ["apikey": key, "Authorization": "Bearer \(key)"])
                #expect(users.status == 200, "\(name)")
            }
            let users = try await get(
                value(2, "CLERK_API_URL") + "/v1/users", ["Authorization": "Bearer " + value(2, "CLERK_SECRET_KEY")])
            #expect(users.status == 200)
            #expect(try await get(value(2, "CLERK_PROXY_URL") + "/v1/environment").status == 200)
        }
    }

    /// Returns the line of one server, and ends the server immediately.
    private func line(_ arguments: String...) async throws -> JSON {
        try #require(try await ServerProcess.serving(arguments, lines: 1) { $0.first }.result)
    }

    /// A port below the range from which the system chooses free ports.
    private static func port(_ number: Int) -> String { String(20_000 + (Int(CurrentProcess.id) * 7 + number) % 10_000) }

    /// Keys of a second start on the same port accept the clients of the first start.
    @Test func keysStayTheSameOnAPort() async throws {
        let first = try await line("clerk", "--port", Self.port(0))
        let again = try await line("clerk", "--port", Self.port(0))
        #expect(first["vars"] == again["vars"] && first["environment"] == again["environment"])
        let elsewhere = try await line("clerk", "--port", Self.port(1))
        #expect(first["vars"]?["secret_key"] != elsewhere["vars"]?["secret_key"])
        let supabase = try await line("gotrue", "--port", Self.port(2))
        let supabaseAgain = try await line("gotrue", "--port", Self.port(2))
        #expect(supabase["vars"] == supabaseAgain["vars"])
        #expect(first["control"] != again["control"], "the control token is new at each start")
    }

    /// Keys that everybody can compute would give the network access to the server.
    @Test func keysAreRandomOnAnotherHostUnlessGiven() async throws {
        for (provider, names) in [("clerk", ["secret_key", "webhook_secret"]), ("gotrue", ["jwt_secret", "anon", "secret"])] {
            let local = try await line(provider, "--port", Self.port(3))
            let first = try await line(provider, "--host", "0.0.0.0", "--port", Self.port(3))
            let second = try await line(provider, "--host", "0.0.0.0", "--port", Self.port(3))
            for name in names {
                let values = [local, first, second].compactMap { $0["vars"]?[name]?.string }
                #expect(Set(values).count == 3, "\(name): \(values)")
            }
        }
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (secret, key) = ("given-secret-of-at-least-thirty-two-characters", "sk_test_given0123456789abcdef")
        for (provider, setting, name, value) in [
            ("gotrue", "GOTRUE_JWT_SECRET", "jwt_secret", secret), ("clerk", "SECRET_KEY", "secret_key", key),
        ] {
            try "\(setting)=\(value)\n".write(toFile: folder + "/\(provider).env", atomically: true, encoding: .utf8)
            let open = try await line(provider, "--host", "0.0.0.0", "--env", folder + "/\(provider).env")
            #expect(open["vars"]?[name]?.string == value)
        }
    }

    @Test func fitsATerminalOfEightyColumns() async throws {
        let shown = try await BlockingThread.run { () throws -> String in
            let process = try ChildProcess(
                Lockstep.executable, ["serve", "--port", "0"], environment: Lockstep.environment(["NO_COLOR": "1"]),
                terminalColumns: 80)
            var bytes: [UInt8] = []
            while !String(decoding: bytes, as: UTF8.self).contains("?key=") {
                let part = try process.readOutput()
                if part.isEmpty { break }
                bytes += part
            }
            process.send(.interrupt)
            while case let part = try process.readOutput(), !part.isEmpty { bytes += part }
            #expect(try process.wait() == 0)
            return String(decoding: bytes, as: UTF8.self)
        }
        let lines = shown.unicodeScalars.split(whereSeparator: { "\r\n".unicodeScalars.contains($0) }).map { String($0) }
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(shown)")
        #expect(lines.count { $0.first != "^" } <= 8, "\(shown)")
        for text in ["Firebase ", "Supabase (GoTrue) ", "Clerk ", "lockstep status --format env", "Ctrl-C", "Dashboard "] {
            #expect(lines.contains { $0.contains(text) }, "\(text)")
        }
        #expect(!shown.contains("{\""), "no JSON for a person")
    }

    /// A line for each event, with the code, or the reason why there is none; never a password or raw control characters.
    @Test(arguments: [[], ["--quiet"]]) func eventsAreLinesInATerminal(_ options: [String]) async throws {
        let shown = try await BlockingThread.run { () throws -> String in
            let process = try ChildProcess(
                Lockstep.executable, ["serve", "gotrue", "--port", "0"] + options,
                environment: Lockstep.environment(["NO_COLOR": "1"]), terminalColumns: 80)
            defer { process.kill() }
            var bytes: [UInt8] = []
            func read(to text: String) throws {
                while !String(decoding: bytes, as: UTF8.self).contains(text) {
                    let part = try process.readOutput(within: .seconds(30))
                    if part.isEmpty { return }
                    bytes += part
                }
            }
            try read(to: "?key=")
            let text = String(decoding: bytes, as: UTF8.self)
            let address = text.unicodeScalars.split { $0 == "\r" || $0 == "\n" }.map { String($0) }.first {
                $0.hasPrefix("Supabase")
            }
            let port = try #require(address?.split(separator: ":").last.flatMap { Int($0) })
            func signUp(_ email: String, _ path: String = "/signup") throws {
                let body = JSON.object(["email": .string(email), "password": "Canary-Horse-1"]).text()
                let connection = try SocketConnection(port: port)
                try connection.write(
                    "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
                #expect(String(decoding: try connection.read(), as: UTF8.self).hasPrefix("HTTP/1.1 "))
            }
            try signUp("ada@example.com")
            if options.isEmpty { try read(to: "mail to ada@example.com") }
            try signUp("evil\u{1B}[31m@example.com")
            try signUp("bob@example.com", "/recover")
            if options.isEmpty { try read(to: "no message: ") }
            process.send(.interrupt)
            while case let part = try process.readOutput(within: .seconds(30)), !part.isEmpty { bytes += part }
            #expect(try process.wait() == 0)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(!shown.contains("\u{1B}") && !shown.contains("Canary-Horse"), "\(shown)")
        // Swift reads "\r\n" as one character.
        let events = shown.unicodeScalars.split { $0 == "\r" || $0 == "\n" }.map { String($0) }.filter { $0.contains("POST /") }
        #expect(events.count == (options.isEmpty ? 3 : 0), "\(shown)")
        if events.count == 3 {
            #expect(events[0].contains("mail to ada@example.com: ") && events[0].contains("/m/gotrue/1"))
            #expect(events[2].contains("no message: "))
        }
    }

    @Test func formatOptionOverridesTheTerminal() async throws {
        let text = try await BlockingThread.run { () throws -> String in
            let process = try ChildProcess(Lockstep.executable, ["serve", "clerk", "--port", "0", "--format", "text"])
            let bytes = try process.readOutput()
            process.send(.interrupt)
            _ = try process.wait()
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text.hasPrefix("Clerk  ") && text.contains("\nDashboard  "), "\(text)")
    }

    @Test func readyFileExistsWhileTheServerIsReady() async throws {
        try await withRuntimeFolder { folder, variables in
            let file = folder + "/ready.jsonl"
            let arguments = ["gotrue", "clerk", "--ready-file", file]
            _ = try await ServerProcess.serving(arguments, lines: 2, variables: variables) { lines in
                let bytes = try #require(FileManager.default.contents(atPath: file))
                #expect(try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) } == lines)
                #expect(try FileStatus(of: file)?.mode == 0o600)
                let taken = try await Lockstep.run(
                    ["serve", "clerk", "--port", "0", "--ready-file", file], variables: variables)
                #expect(taken.status == 2 && taken.errors.contains("running process"), "\(taken.errors)")
                #expect(FileManager.default.contents(atPath: file) == bytes)
                #expect(try Folder.names(folder + "/lockstep").count == 1)
            }
            #expect(try Folder.names(folder) == ["lockstep"] && Folder.names(folder + "/lockstep").isEmpty)
        }
    }

    /// The next start removes the leftovers of SIGKILL.
    @Test func filesOfAKilledServerAreRemovedByTheNextStart() async throws {
        try await withRuntimeFolder { folder, variables in
            let file = folder + "/ready.jsonl"
            let arguments = ["gotrue", "--ready-file", file]
            let killed = try await BlockingThread.run { try ServerProcess(arguments, lines: 1, variables: variables) }
            #expect(killed.lines.count == 1)
            // The file is written before the line is printed.
            try await BlockingThread.run { killed.kill() }
            let left = try Folder.names(folder + "/lockstep")
            #expect(left.count == 1 && FileManager.default.fileExists(atPath: file))
            // A process with the number of a dead process is another process. Its start time differs.
            let reused = left[0].replacingOccurrences(of: "serve-\(killed.id)-", with: "serve-\(CurrentProcess.id)-")
            try FileManager.default.copyItem(atPath: folder + "/lockstep/" + left[0], toPath: folder + "/lockstep/" + reused)
            _ = try await ServerProcess.serving(arguments, lines: 1, variables: variables) { lines in
                let now = try Folder.names(folder + "/lockstep")
                #expect(now.count == 1 && !left.contains(now[0]) && now[0] != reused, "\(now)")
                let bytes = try #require(FileManager.default.contents(atPath: file))
                #expect(try JSON.parse(Array(bytes.dropLast())) == lines[0])
            }
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test func readyFileReplacesNoOtherFile() async throws {
        try await withRuntimeFolder { folder, variables in
            let text = folder + "/notes.txt"
            try "notes".write(toFile: text, atomically: true, encoding: .utf8)
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: text)
            for path in [text, link, folder, folder + "/missing/ready", "/dev/null", "/dev/stdout"] {
                let run = try await Lockstep.run(
                    ["serve", "clerk", "--port", "0", "--ready-file", path], variables: variables)
                #expect(run.status == 2 && run.output.isEmpty, "\(path): \(run.errors)")
                #expect(run.errors.hasPrefix("lockstep: invalid value \"\(path)\" for --ready-file: "), "\(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1)
            }
            #expect(try String(contentsOfFile: text, encoding: .utf8) == "notes")
        }
    }

    /// Without `--port` each provider has its own port.
    ///
    /// If another program uses the port, the start ends with its number.
    @Test func eachProviderHasADefaultPort() async throws {
        for (provider, port) in [("firebase", 4601), ("gotrue", 4602), ("clerk", 4603)] {
            let (output, errors, status) = try await BlockingThread.run { () throws -> (String, String, Int32) in
                let process = try ChildProcess(Lockstep.executable, ["serve", provider])
                let output = try process.readOutput()
                process.send(.interrupt)
                let errors = try process.readErrors()
                return (String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self), try process.wait())
            }
            if status == 0 {
                #expect(try JSON.parse(output)["base"]?.string == "http://127.0.0.1:\(port)")
            } else {
                #expect(status == 2 && errors.contains("port \(port) is in use") && errors.contains("--port"), "\(errors)")
            }
        }
    }

    @Test func aBusyPortIsNamedWithTheOption() async throws {
        _ = try await ServerProcess.serving(["clerk"], lines: 1) { lines in
            let busy = try port(lines[0])
            let run = try await Lockstep.run("serve", "gotrue", "--port", busy)
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.errors.contains("port \(busy) is in use") && run.errors.contains("--port"), "\(run.errors)")
        }
    }
}
