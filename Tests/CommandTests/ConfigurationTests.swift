import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI

@Suite("lockstep.json", .limitedConcurrency)
struct ConfigurationTests {
    /// Runs `body` in a folder with this lockstep.json.
    ///
    /// The command runs in `folder/below`.
    private func withConfiguration<Value>(
        _ text: String?, _ body: (String) async throws -> Value
    ) async throws -> Value {
        // On some machines the name of the temporary folder is a link. The command shows the link's target.
        let folder = URL(fileURLWithPath: try Folder.makeTemporary()).resolvingSymlinksInPath().path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Folder.make(folder + "/below/deep")
        try text?.write(toFile: folder + "/lockstep.json", atomically: true, encoding: .utf8)
        return try await body(folder)
    }

    /// Runs the command in a folder.
    private func run(_ words: [String], in folder: String, variables: [String: String] = [:]) async throws -> Lockstep {
        let script = "cd \"$1\" && shift && exec \"$0\" \"$@\""
        let outcome = try await ChildProcess.run(
            "sh", ["-c", script, Lockstep.executable, folder] + words, environment: Lockstep.environment(variables))
        return Lockstep(
            status: outcome.status, output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errors, as: UTF8.self))
    }

    private func rows(_ command: String, in folder: String, variables: [String: String] = [:]) async throws -> [String: JSON] {
        let run = try await run(["config", command, "--format", "json"], in: folder, variables: variables)
        #expect(run.status == 0, "\(run.errors)")
        let rows = try #require(try JSON.parse(run.output)["commands"]?[command]?.array)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"]?.string ?? "", $0) })
    }

    @Test func optionOverridesVariableOverridesFile() async throws {
        let text = #"{"version": 1, "provider": ["supabase"], "mode": "strict", "allowHost": ["a.test"], "exec": {"port": 7001}}"#
        try await withConfiguration(text) { folder in
            let serve = try await rows("serve", in: folder + "/below/deep", variables: ["LOCKSTEP_MODE": "emulator"])
            #expect(serve["provider"]?["value"] == ["gotrue"] && serve["provider"]?["from"] == "lockstep.json: provider")
            #expect(serve["mode"]?["value"] == "emulator" && serve["mode"]?["from"] == "LOCKSTEP_MODE")
            #expect(serve["allowHost"]?["value"] == ["a.test"])
            #expect(serve["port"]?["value"] == .null && serve["port"]?["from"] == "default")
            let exec = try await rows("exec", in: folder)
            #expect(exec["port"]?["value"] == 7001 && exec["port"]?["from"] == "lockstep.json: exec.port")
            #expect(exec["mode"]?["value"] == "strict")
        }
    }

    @Test func execUsesTheSettings() async throws {
        let text = #"{"provider": ["gotrue"], "env": {"gotrue": "auth.env", "clerk": "not-there.env"}, "mode": "strict"}"#
        try await withConfiguration(text) { folder in
            try "GOTRUE_SITE_URL=http://localhost:3999\n".write(toFile: folder + "/auth.env", atomically: true, encoding: .utf8)
            let words = ["exec", "--", "sh", "-c", "echo \"${SUPABASE_URL:+gotrue}${CLERK_API_URL:+clerk}\""]
            #expect(try await run(words, in: folder + "/below").output == "gotrue\n")
            // Arguments of the command line override all other sources.
            let other = try await run(["exec", "firebase", "--", "sh", "-c", "echo \"${SUPABASE_URL:+gotrue}\""], in: folder)
            #expect(other.status == 0 && other.output == "\n", "\(other.errors)")
            let broken = try await run(["exec", "clerk", "--", "true"], in: folder)
            #expect(broken.status == 2 && broken.errors.contains("/not-there.env"), "\(broken.errors)")
            let variable = try await run(
                words, in: folder, variables: ["LOCKSTEP_PROVIDER": "clerk", "LOCKSTEP_ENV": "clerk=/dev/null"])
            #expect(variable.status == 2 && variable.errors.contains("/dev/null"), "\(variable.errors)")
        }
    }

    @Test func pathsAreRelativeToTheFile() async throws {
        try await withConfiguration(#"{"data": "state", "exec": {"import": "/x/y"}}"#) { folder in
            let rows = try await rows("exec", in: folder + "/below")
            #expect(rows["data"]?["value"] == .string(folder + "/state") && rows["import"]?["value"] == "/x/y")
            let variable = try await self.rows("exec", in: folder, variables: ["LOCKSTEP_DATA": "here"])
            #expect(variable["data"]?["value"] == "here")
        }
    }

    @Test(arguments: [
        (#"{"prot": 1}"#, "Did you mean port?"), (#"{"serve": {"ready-file": "x"}}"#, "Did you mean serve.readyFile?"),
        (#"{"allow-host": []}"#, "Did you mean allowHost?"), (#"{"onFailure": "x"}"#, "It belongs in \"exec\"."),
        (#"{"version": 2}"#, "version 2"), (#"{"version": "1"}"#, "version"), ("[]", "object"), ("{", "line 1"), ("", "empty"),
        ("{}\n{}", "line 2"), (#"{"port": 70000}"#, "65535"), (#"{"port": 0.5}"#, "65535"), (#"{"port": null}"#, "65535"),
        (#"{"mode": "strct"}"#, "Did you mean strict?"), (#"{"mode": true}"#, "strict"), (#"{"env": "auth.env"}"#, "gotrue"),
        (#"{"env": {"gotru": "x"}}"#, "Did you mean gotrue?"), (#"{"env": {"gotrue": 1}}"#, "a path"),
        (#"{"env": {"gotrue": ""}}"#, "env.gotrue"), (#"{"allowHost": "x"}"#, "a list"), (#"{"allowHost": [1]}"#, "a string"),
        (#"{"provider": ["acme"]}"#, "clerk"), (#"{"exec": []}"#, "object"), (#"{"port": 1, "port": 2}"#, "repeats"),
        (#"{"data": ""}"#, "data"), (#"{"data": "~ada/x"}"#, "~ada/x"),
    ])
    func invalidFilePrintsOneSentence(_ text: String, _ reason: String) async throws {
        try await withConfiguration(text) { folder in
            for words in [["serve", "--port", "0"], ["exec", "--", "true"], ["config"]] {
                let run = try await run(words, in: folder)
                #expect(run.status == 2 && run.output.isEmpty, "\(words): \(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
                #expect(run.errors.contains(folder + "/lockstep.json") && run.errors.contains(reason), "\(run.errors)")
            }
        }
    }

    @Test func yamlFilePrintsOneSentence() async throws {
        try await withConfiguration(nil) { folder in
            for name in ["lockstep.yaml", "lockstep.yml"] {
                try "port: 1\n".write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
                let run = try await run(["exec", "--", "true"], in: folder + "/below")
                #expect(
                    run.status == 2 && run.errors.contains("\(name)\" is YAML, but lockstep reads only lockstep.json"),
                    "\(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1)
                #expect(try await self.run(["init"], in: folder).status == 2)
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
            let file = folder + "/lockstep.json"
            for script in [
                "mkdir \"$0\"", "rmdir \"$0\"; mkfifo \"$0\"", "rm \"$0\"; head -c 3000000 /dev/zero > \"$0\"",
                "printf '{\"a\": \"\\377\"}' > \"$0\"",
            ] {
                #expect(try await ChildProcess.run("sh", ["-c", script, file]).status == 0)
                let run = try await run(["exec", "--", "true"], in: folder + "/below")
                #expect(
                    run.status == 2 && run.errors.split(separator: "\n").count == 1 && run.errors.contains(file), "\(run.errors)")
            }
        }
    }

    /// In a shared folder, a configuration file of another user has no effect.
    ///
    /// The user of the tests is the only user here.
    @Test func nearestFileIsUsed() async throws {
        try await withConfiguration(#"{"port": 1}"#) { folder in
            try #"{"port": 2}"#.write(toFile: folder + "/below/lockstep.json", atomically: true, encoding: .utf8)
            #expect(try await rows("serve", in: folder)["port"]?["value"] == 1)
            #expect(try await rows("serve", in: folder + "/below/deep")["port"]?["value"] == 2)
        }
    }

    /// The owner of a file that the command finds would decide where its caller's secrets go.
    @Test func foundFileOfAnotherUserIsRejected() async throws {
        try await withConfiguration(#"{"port": 1}"#) { folder in
            let file = folder + "/lockstep.json"
            let (root, ada, bob) = (UInt32(0), UInt32(12_345), UInt32(54_321))
            func isRejected(by user: UInt32) -> Bool {
                do throws(UsageError) {
                    try FoundFile.check(file, in: folder, by: user, option: "config")
                    return false
                } catch { return error.description.contains(file) && error.description.contains("--config") }
            }
            #expect(!isRejected(by: root) && !isRejected(by: CurrentProcess.user))
            guard CurrentProcess.isSuperuser else { return #expect(isRejected(by: bob)) }
            #expect(!isRejected(by: bob), "root's file")
            for path in [file, folder] {
                try FileManager.default.setAttributes([.ownerAccountID: ada], ofItemAtPath: path)
                #expect(isRejected(by: bob) && !isRejected(by: root))
            }
            #expect(!isRejected(by: ada))
        }
    }

    @Test func namedFileReplacesTheFoundOne() async throws {
        try await withConfiguration(#"{"port": 1, "data": "a\u001b[2J"}"#) { folder in
            try #"{"port": 2, "data": "state"}"#.write(toFile: folder + "/below/my.json", atomically: true, encoding: .utf8)
            let run = try await run(["config", "serve", "--config", "my.json"], in: folder + "/below")
            #expect(run.status == 0 && run.output.contains("\(folder)/below/state"), "\(run.output)\(run.errors)")
            let port = try await self.run(["serve", "--config", "below/none.json"], in: folder)
            #expect(port.status == 2 && port.errors.contains("below/none.json"), "\(port.errors)")
            let found = try await self.run(["config", "serve"], in: folder)
            #expect(found.output.contains("[2J") && !found.output.contains("\u{1B}"), "\(found.output)")
        }
    }

    @Test func variablesAreChecked() async throws {
        try await withConfiguration(nil) { folder in
            for (name, value) in [
                ("LOCKSTEP_PORT", "x"), ("LOCKSTEP_MODE", "strct"), ("LOCKSTEP_PROVIDER", "acme"), ("LOCKSTEP_ALLOW_HOST", "a b"),
            ] {
                let run = try await run(["exec", "--", "true"], in: folder, variables: [name: value])
                #expect(run.status == 2 && run.errors.contains("for \(name): expected"), "\(run.errors)")
            }
            #expect(try await rows("serve", in: folder, variables: ["LOCKSTEP_PORT": ""])["port"]?["from"] == "default")
        }
    }

    @Test func initWritesUsableFilesAndOverwritesNone() async throws {
        try await withConfiguration(nil) { folder in
            let first = try await run(["init", "supabase"], in: folder)
            #expect(first.status == 0 && first.output == "lockstep.json: written\nseed.json: written\n", "\(first.errors)")
            #expect(try await rows("serve", in: folder)["provider"]?["value"] == ["gotrue"])
            let used = try await run(["exec", "--", "sh", "-c", "echo $SUPABASE_URL"], in: folder)
            #expect(used.status == 0 && used.output.hasPrefix("http://"), "\(used.errors)")
            let again = try await run(["init"], in: folder)
            #expect(again.status == 2 && again.errors.contains("already"))
            try FileManager.default.removeItem(atPath: folder + "/seed.json")
            let text = try String(contentsOfFile: folder + "/lockstep.json", encoding: .utf8)
            let rest = try await run(["init"], in: folder)
            #expect(rest.status == 0 && rest.output == "lockstep.json: left unchanged\nseed.json: written\n", "\(rest.errors)")
            #expect(try String(contentsOfFile: folder + "/lockstep.json", encoding: .utf8) == text)
        }
    }

    /// An editor finds the schemas, and the commands accept the member.
    @Test func bothFilesOfInitNameTheirSchemas() async throws {
        try await withConfiguration(nil) { folder in
            let share = folder + "/share/lockstep"
            for path in [folder + "/share", share] { try Folder.make(path) }
            try AtomicFile.replace(share + "/seed.schema.json", with: Array("{}".utf8))
            #expect(try await run(["init"], in: folder, variables: ["XDG_DATA_DIRS": folder + "/share"]).status == 0)
            for (name, place) in [("seed", share), ("lockstep", "/share/lockstep")] {
                let document = try JSON.parse(try String(contentsOfFile: "\(folder)/\(name).json", encoding: .utf8))
                let schema = document["$schema"]?.string ?? ""
                #expect(schema.hasPrefix("file:///") && schema.hasSuffix("\(place)/\(name).schema.json"), "\(schema)")
            }
            let used = try await run(["exec", "gotrue", "--", "true"], in: folder)
            #expect(used.status == 0 && used.errors.isEmpty, "\(used.errors)")
        }
    }

    /// The keys of `init --compose` are those of a server that other machines reach.
    @Test func composeHasItsOwnKeys() async throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../compose.yaml")
        var secrets: [Set<String>] = []
        for _ in 0..<2 {
            try await withConfiguration(nil) { folder in
                let made = try await run(["init", "--compose"], in: folder)
                #expect(made.status == 0 && made.output == "compose.yaml: written\n.env: written\n", "\(made.errors)")
                let compose = try String(contentsOfFile: folder + "/compose.yaml", encoding: .utf8)
                #expect(compose == (try String(contentsOf: repository.standardized, encoding: .utf8)), "copy it to compose.yaml")
                #expect(try FileStatus(of: folder + "/.env")?.mode == 0o600)
                let values = try String(contentsOfFile: folder + "/.env", encoding: .utf8).split(separator: "\n").filter {
                    $0.contains("=")
                }
                secrets.append(Set(values.map(String.init)))
                // The contents of the configs, as Compose makes them, start a server that other machines reach.
                for (name, prefix) in [("gotrue", "GOTRUE"), ("clerk", "")] {
                    let own = values.filter { ($0.hasPrefix("GOTRUE")) == (prefix == "GOTRUE") }.joined(separator: "\n")
                    try own.write(toFile: "\(folder)/\(name).env", atomically: true, encoding: .utf8)
                }
                let words = ["gotrue", "clerk", "--host", "0.0.0.0", "--env", "gotrue=\(folder)/gotrue.env", "--env"]
                _ = try await ServerProcess.serving(words + ["clerk=\(folder)/clerk.env"], lines: 2) { lines in
                    let text = lines.map { $0.text() }.joined()
                    for value in values { #expect(text.contains(value.drop { $0 != "=" }.dropFirst()), "\(value)") }
                }
                #expect(try await run(["init", "--compose"], in: folder).status == 2)
                #expect(try await run(["init", "gotrue", "--compose"], in: folder).status == 2)
            }
        }
        #expect(secrets[0].count == 3 && secrets[0].isDisjoint(with: secrets[1]))
    }

    /// The published schema matches the options.
    ///
    /// It contains each setting of `serve` and `exec`.
    @Test func schemaMatchesTheOptions() async throws {
        let printed = try await Lockstep.run("config", "--print-schema")
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/lockstep.schema.json")
        #expect(
            printed.output == (try String(contentsOf: page.standardized, encoding: .utf8)),
            "run lockstep config --print-schema > docs/lockstep.schema.json")
        let schema = try JSON.parse(printed.output)
        for command in ["serve", "exec"] {
            let members = try #require(schema["properties"]?[command]?["properties"]?.object)
            let page = try await Lockstep.run("help", command).output
            let options = Set(page.matches(of: /(?m)^  --([a-z-]+)/).map { String($0.output.1) })
            // A connection string is a secret, so no shared file can contain it.
            let notSettings = ["print-env", "check-seed", "database", "create-schema", "config"]
            for option in options where !notSettings.contains(option) {
                let words = option.split(separator: "-").map(String.init)
                let name = words[0] + words.dropFirst().map(\.capitalized).joined()
                #expect(members[name] != nil, "\(command) \(option)")
            }
            #expect(options.count >= 10)
        }
    }

    /// Thirty defaults hide the one value that a team has changed.
    @Test func configShowsDifferencesUnlessAllAreRequested() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(#"{"version": 1, "port": 4700}"#.utf8).write(to: URL(fileURLWithPath: folder + "/lockstep.json"))
        let some = try await run(["config", "serve"], in: folder)
        #expect(some.status == 0 && some.output.contains("4700") && !some.output.contains("readyFile"), "\(some.output)")
        let all = try await run(["config", "serve", "--all"], in: folder)
        #expect(all.output.contains("4700") && all.output.contains("readyFile"), "\(all.output)")
        #expect(all.output.contains { $0 == "\n" } && all.output.matches(of: /noDashboard +off/).count == 1, "\(all.output)")
    }
}
