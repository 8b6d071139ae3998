import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep serve --seed", .limitedConcurrency)
struct SeedTests {
    private static let providers = ["firebase", "gotrue", "clerk"]

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func refused(_ path: String, _ words: [String], _ providers: [String] = ["gotrue"]) async throws {
        for option in ["--seed", "--check-seed"] {
            let run = try await Lockstep.run(["serve", "--port", "0"] + providers + [option, path])
            #expect(run.status == 2, "\(option) \(path): \(run.errors)")
            #expect(run.output.isEmpty)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            for word in words { #expect(run.errors.contains(word), "\(run.errors) lacks \(word)") }
        }
    }

    private func get(_ line: JSON, _ path: String) async throws -> (status: Int, json: JSON) {
        var request = HTTPRequest(.get, (line["base"]?.string ?? "") + "/__lockstep" + path)
        request.headers["Authorization"] = line["control"]?["Authorization"]?.string
        let response = try await CurlTransport().send(request)
        return (response.status, try JSON.parse(response.body))
    }

    @Test("the example of the documentation starts all three emulators with its users, and is checked without a start")
    func exampleSeedStartsAllEmulators() async throws {
        let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/seed.example.json").standardizedFileURL.path
        let checked = try await Lockstep.run("serve", "--check-seed", example)
        #expect(checked.status == 0 && checked.output.split(separator: "\n").count == 3, "\(checked.output)\(checked.errors)")
        let served = try await ServerProcess.serving(["--seed", example], lines: 3) { lines async throws in
            for line in lines {
                #expect(try await get(line, "/ready").status == 200)
                let users = try await get(line, "/users").json["users"]?.array ?? []
                #expect(users.contains { $0["email"] == "ada@example.com" }, "\(line["provider"] ?? .null)")
            }
            return true
        }
        #expect(served.status == 0)
    }

    @Test("exec starts with the seed")
    func execStartsWithTheSeed() async throws {
        try await inFolder { folder in
            let path = folder + "/seed.json"
            try write(
                #"""
                {"version": 1, "users": [
                  {"email": "ada@example.com", "emailConfirmed": true, "password": "Correct-Horse-1", "only": ["gotrue"]}
                ]}
                """#, to: path)
            let command = """
                curl -s "$SUPABASE_URL/token?grant_type=password" -H "apikey: $SUPABASE_ANON_KEY" -H 'Content-Type: application/json' \
                -d '{"email": "ada@example.com", "password": "Correct-Horse-1"}'
                """
            let run = try await Lockstep.run("exec", "gotrue", "--seed", path, "--", "sh", "-c", command)
            #expect(run.status == 0 && run.output.contains("access_token"), "\(run.output)\(run.errors)")
        }
    }

    @Test("an invalid seed ends the start with one sentence")
    func rejectsFilesThatAreNotASeed() async throws {
        try await inFolder { folder in
            try await refused(folder + "/nothing.json", ["nothing.json", "there is no file"])
            try await refused(folder, [folder, "folder"])
            try await refused("/dev/zero", ["/dev/zero", "device"])
            let seeds: [(String, [String])] = [
                ("", ["not JSON"]), ("{\"version\": 1", ["not JSON"]), ("[]", ["JSON object"]),
                ("{}", ["version"]), (#"{"version": 2}"#, ["version 2", "version 1", "Update"]),
                (#"{"version": "1"}"#, ["\"1\"", "expected 1"]),
                (#"{"version": 1, "user": []}"#, ["\"user\"", "Did you mean \"users\"?"]),
                (#"{"version": 1, "users": [{"emial": "a@b.example"}]}"#, ["users[0]", "\"emial\"", "\"email\""]),
                (#"{"version": 1, "users": [{"email": 5}]}"#, ["users[0].email", "5", "a string"]),
                (#"{"version": 1, "users": [{"email": "a@b.example", "only": ["gotru"]}]}"#, ["users[0].only[0]", "gotru"]),
                (#"{"version": 1, "users": [{"email": "a@b.example", "createdAt": "today"}]}"#, ["createdAt", "today"]),
                (
                    #"{"version": 1, "users": [{"email": "a@b.example"}, {"email": "a@B.example"}]}"#,
                    ["a@B.example", "gotrue", "only"]
                ),
                (
                    #"{"version": 1, "users": [{"email": "a@b.example", "id": "x"}]}"#,
                    ["a@b.example", "\"id\"", "gotrue", "UUID"]
                ),
                (
                    #"{"version": 1, "users": [{"email": "a@b.example", "privateMetadata": {"plan": 1}}]}"#,
                    ["a@b.example", "\"privateMetadata\"", "gotrue", "only"]
                ),
                (#"{"version": 1, "organizations": [{"name": "Engines"}]}"#, ["Engines", "gotrue", "only"]),
            ]
            for (index, (text, words)) in seeds.enumerated() {
                let path = "\(folder)/\(index).json"
                try write(text, to: path)
                try await refused(path, [path] + words)
            }
            let broken = folder + "/broken.json"
            let bytes = Data(#"{"version": 1, "users": [{"email": ""#.utf8) + [0xff] + Data(#""}]}"#.utf8)
            #expect(FileManager.default.createFile(atPath: broken, contents: bytes))
            try await refused(broken, [broken, "UTF-8"])
            let long = folder + "/long.json"
            #expect(FileManager.default.createFile(atPath: long, contents: nil))
            try FileHandle(forWritingTo: URL(fileURLWithPath: long)).truncate(atOffset: 2 << 30)
            try await refused(long, [long, "too long", "128 MiB"])
        }
    }

    @Test("a seed is read from a pipe")
    func readsASeedFromAPipe() async throws {
        let command = #""$1" serve gotrue --check-seed <(printf '{"version": 1, "users": [{"email": "a@b.example"}]}')"#
        let run = try await ChildProcess.run("/bin/bash", ["-c", command, "bash", Lockstep.executable])
        #expect(run.status == 0 && String(decoding: run.output, as: UTF8.self).contains("1 user"))
    }

    /// Starts `serve` with a named pipe as its seed.
    ///
    /// The script gets the pipe as descriptor 3 when the emulator listens and waits for the seed.
    private func withSeedPipe(_ script: String) async throws -> [String] {
        let begin = """
            cd "$1" && mkdir -m 700 run && mkfifo seed && export XDG_RUNTIME_DIR="$PWD/run" || exit 1
            "$0" serve gotrue --port 0 --seed seed > lines & server=$!
            exec 3> seed
            readiness() {
              (eval "$("$0" status --format env)"; curl -s -o /dev/null -w '%{http_code}\\n' "$SUPABASE_URL/__lockstep/ready")
            }

            """
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try await ChildProcess.run(
            "bash", ["-c", begin + script, Lockstep.executable, folder], within: .seconds(300))
        #expect(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
        return outcome.text.split(separator: "\n").map(String.init)
    }

    @Test("an emulator is not ready until its seed is read")
    func isNotReadyBeforeItsSeedIsRead() async throws {
        let lines = try await withSeedPipe(
            """
            readiness; [ -s lines ] && echo early
            printf '{"version": 1, "users": [{"email": "ada@' >&3; readiness; [ -s lines ] && echo early
            printf 'b.example"}]}' >&3; exec 3>&-
            "$0" wait --timeout 120; readiness
            kill -TERM $server; wait $server; echo $?
            """)
        #expect(lines.filter { $0.allSatisfy(\.isNumber) } == ["503", "503", "200", "0"] && !lines.contains("early"), "\(lines)")
    }

    @Test("a signal ends the wait for a seed and leaves no file")
    func signalEndsTheWaitForASeed() async throws {
        let lines = try await withSeedPipe("kill -TERM $server; wait $server; echo $?; ls run/lockstep; wc -c < lines")
        #expect(lines == ["143", "0"])
    }

    @Test("if one provider rejects a user of the seed, no provider stores users")
    func rejectedSeedStoresNothing() async throws {
        try await inFolder { folder in
            let (path, state) = (folder + "/seed.json", folder + "/state")
            try write(
                #"""
                {"version": 1, "users": [
                  {"email": "first@b.example"}, {"email": "last@b.example", "privateMetadata": {"a": 1}, "only": ["gotrue"]}
                ]}
                """#, to: path)
            let run = try await Lockstep.run(["serve", "--port", "0", "--seed", path, "--data", state] + Self.providers)
            #expect(run.status == 2 && run.errors.contains("gotrue") && run.errors.contains("last@b.example"), "\(run.errors)")
            let served = try await ServerProcess.serving(["--data", state], lines: 3) { lines async throws in
                for line in lines { #expect(try await get(line, "/users").json["users"] == []) }
                return true
            }
            #expect(served.status == 0)
        }
    }

    @Test("a seed does not replace the users of a folder")
    func seedKeepsTheUsersOfAFolder() async throws {
        try await inFolder { folder in
            let (path, state) = (folder + "/seed.json", folder + "/state")
            try write(#"{"version": 1, "users": [{"email": "a@b.example"}]}"#, to: path)
            let options = ["gotrue", "--seed", path, "--data", state]
            #expect(try await ServerProcess.serving(options, lines: 1) { _ in true }.status == 0)
            let run = try await Lockstep.run(["serve", "--port", "0"] + options)
            #expect(run.status == 2 && run.errors.contains(state) && run.errors.contains("gotrue"), "\(run.errors)")
        }
    }
}
