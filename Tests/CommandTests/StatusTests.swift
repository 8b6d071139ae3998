import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep status, lockstep wait", .limitedConcurrency)
struct StatusTests {
    private func withRuntimeFolder<Value>(_ body: (String, [String: String]) async throws -> Value) async throws -> Value {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder, ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""])
    }

    @Test func showsRunningServersInThreeFormats() async throws {
        try await withRuntimeFolder { _, variables in
            _ = try await ServerProcess.serving([], lines: 3, variables: variables) { lines in
                // Each variable of a ready line is declared.
                let run = try await Lockstep.run(["status", "--format", "env"], variables: variables)
                let set = run.output.matches(of: /(?m)^export (\w+)=/).map { String($0.1) }
                #expect(run.errors.isEmpty && set == lines.flatMap { $0["environment"]?.object?.names ?? [] }, "\(run.errors)")
            }
            _ = try await ServerProcess.serving(["gotrue", "clerk"], lines: 2, variables: variables) { lines in
                let json = try await Lockstep.run(["status", "--format", "json"], variables: variables)
                #expect(json.status == 0 && json.errors.isEmpty)
                #expect(try JSON.parse(json.output)["servers"]?.array == lines)
                let text = try await Lockstep.run(["status"], variables: variables)
                #expect(text.output.contains("Supabase (GoTrue)  ") && text.output.contains("  lockstep stop\n"))
                #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text.output)")
                let script = "eval \"$(\"$0\" status --format env)\"; printf '%s|' \"$SUPABASE_ANON_KEY\" \"$CLERK_SECRET_KEY\""
                let shell = try await ChildProcess.run(
                    "sh", ["-c", script, Lockstep.executable], environment: Lockstep.environment(variables))
                let (anon, secret) = (lines[0]["vars"]?["anon"]?.string ?? "", lines[1]["vars"]?["secret_key"]?.string ?? "")
                #expect(shell.text == "\(anon)|\(secret)|")
            }
        }
    }

    /// A shell reads each value unchanged, also `__FIREBASE_DEFAULTS__` with its quotation marks.
    @Test func valuesAreQuotedForAShell() async throws {
        try await withRuntimeFolder { _, variables in
            _ = try await ServerProcess.serving(["firebase"], lines: 1, variables: variables) { lines in
                let script = "eval \"$(\"$0\" status --format env)\"; printf '%s' \"$__FIREBASE_DEFAULTS__\""
                let shell = try await ChildProcess.run(
                    "sh", ["-c", script, Lockstep.executable], environment: Lockstep.environment(variables))
                #expect(shell.text == lines[0]["environment"]?["__FIREBASE_DEFAULTS__"]?.string)
            }
        }
    }

    /// A shell runs what is in the place of a name.
    ///
    /// A letter that looks like another one makes another name.
    @Test func readyFileSetsOnlyDeclaredVariables() async throws {
        try await withRuntimeFolder { folder, variables in
            let names = [
                "A;touch ran;B", "A=$(touch ran)", "A\ntouch ran\nB", "PATH", "LD_PRELOAD", "BASH_ENV", "", "SUPABASE_\u{212A}EY",
                "supabase_url", "CLERK_PUBLISHABLE_\u{212A}EY",
            ]
            var environment = JSONObject(names.map { ($0, JSON.string("/nowhere")) })
            let url = "http://127.0.0.1:1/$(touch ran)'\n"
            environment["SUPABASE_URL"] = .string(url)
            environment["SUPABASE_ANON_KEY"] = 7
            let line: JSON = [
                "provider": "gotrue\u{1B}[2J", "base": "http://127.0.0.1:1\u{1B}[2J", "control": ["Authorization": "x"],
                "environment": .object(environment),
            ]
            try AtomicFile.replace(folder + "/lines", with: line.bytes())
            let script = """
                cd "$1" && before=$PATH && eval "$("$0" status --format env --ready-file lines)" || exit 9
                ls; printf '%s|' "$SUPABASE_URL" "${SUPABASE_ANON_KEY-none}" "${LD_PRELOAD-none}"; [ "$PATH" = "$before" ]
                """
            let shell = try await ChildProcess.run(
                "sh", ["-c", script, Lockstep.executable, folder], environment: Lockstep.environment(variables))
            #expect(shell.status == 0 && shell.text == "lines\n" + url + "|none|none|", "\(shell.text)")
            let errors = String(decoding: shell.errors, as: UTF8.self)
            #expect(errors.contains("10 variables") && errors.split(separator: "\n").count == 1, "\(errors)")
            let text = try await Lockstep.run(["status", "--ready-file", folder + "/lines"], variables: variables)
            #expect(!text.output.contains("\u{1B}[2J") && text.output.contains("SUPABASE_URL"), "\(text.output)")
        }
    }

    /// A process id of another container means nothing here, but its process holds the files.
    @Test func filesOfAnotherNamespaceAreLeft() async throws {
        try await withRuntimeFolder { folder, variables in
            try Folder.make(folder + "/lockstep")
            // No process here has this number.
            let line: JSON = [
                "provider": "gotrue", "base": "http://127.0.0.1:1", "pid": 99_999_999, "control": ["Authorization": "x"],
            ]
            let paths = [folder + "/lockstep/serve-99999999-abc-1.jsonl", folder + "/ready"]
            let held = try paths.map { try HeldFile($0, with: line.bytes()) }
            #expect(try await Lockstep.run(["status"], variables: variables).status == 1)
            let named = try await Lockstep.run(["status", "--ready-file", paths[1]], variables: variables)
            #expect(named.status == 0 && !named.output.contains("lockstep stop"), "\(named.output)\(named.errors)")
            let taken = try await Lockstep.run(
                ["serve", "clerk", "--port", "0", "--ready-file", paths[1]], variables: variables)
            #expect(taken.status == 2 && taken.errors.contains("running process"), "\(taken.errors)")
            #expect(try paths.allSatisfy { try Folder.isThere($0) })
            try AtomicFile.replace(paths[1], with: line.bytes())
            held.forEach { $0.remove() }
            #expect(try !Folder.isThere(paths[0]) && Folder.isThere(paths[1]), "a file that replaced the held one is another's")
            try AtomicFile.replace(paths[0], with: line.bytes())
            for words in [["status"], ["status", "--ready-file", paths[1]]] {
                #expect(try await Lockstep.run(words, variables: variables).status == 1, "\(words)")
            }
            #expect(try !Folder.isThere(paths[0]))
        }
    }

    @Test func statusWithoutAServerExits1() async throws {
        try await withRuntimeFolder { folder, variables in
            for format in ["text", "json", "env"] {
                let run = try await Lockstep.run(["status", "--format", format], variables: variables)
                #expect(run.status == 1 && run.errors.contains("lockstep serve"), "\(run.errors)")
                #expect(format == "json" ? try JSON.parse(run.output)["servers"] == [] : run.output.isEmpty)
            }
            let killed = try await BlockingThread.run {
                try ServerProcess(["gotrue", "--ready-file", folder + "/ready"], lines: 1, variables: variables)
            }
            try await BlockingThread.run { killed.kill() }
            for words in [["status"], ["status", "--ready-file", folder + "/ready"]] {
                #expect(try await Lockstep.run(words, variables: variables).status == 1, "\(words)")
            }
            #expect(try Folder.names(folder + "/lockstep").isEmpty)
        }
    }

    @Test func waitEndsWhenAllAreReady() async throws {
        try await withRuntimeFolder { folder, variables in
            let file = folder + "/ready"
            let waiting = Task { try await Lockstep.run(["wait", "--ready-file", file], variables: variables) }
            _ = try await ServerProcess.serving(["gotrue", "clerk", "--ready-file", file], lines: 2, variables: variables) {
                lines in
                let run = try await waiting.value
                #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
                let base = try #require(lines[1]["base"]?.string)
                for words in [["wait"], ["wait", base], ["wait", base + "/"], ["wait", "--timeout", "0"]] {
                    #expect(try await Lockstep.run(words, variables: variables).status == 0, "\(words)")
                }
            }
        }
    }

    @Test func waitNamesServersThatAreNotReady() async throws {
        try await withRuntimeFolder { folder, variables in
            let killed = try await BlockingThread.run {
                try ServerProcess(["gotrue", "--ready-file", folder + "/ready"], lines: 1, variables: variables)
            }
            let base = try #require(killed.lines.first?["base"]?.string)
            try await BlockingThread.run { killed.kill() }
            for (words, name) in [
                (["wait", "--timeout", "0", base], base),
                (["wait", "--timeout", "0", "--ready-file", folder + "/none"], "/none"),
                (["wait", "--timeout", "0"], "no emulator"),
            ] {
                let run = try await Lockstep.run(words, variables: variables)
                #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(name), "\(words): \(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1)
            }
        }
    }

    @Test(arguments: [
        ["wait", "127.0.0.1:1"], ["wait", "http://127.0.0.1:1", "http://127.0.0.1:2"], ["wait", "--timeout", "-1"],
        ["wait", "--ready-file", "/etc/passwd"], ["wait", "--ready-file", "/"], ["status", "--ready-file", "/dev/zero"],
        ["wait", "http://127.0.0.1:1", "--ready-file", "/x"], ["status", "gotrue"],
    ])
    func invalidInputExits2(_ words: [String]) async throws {
        let run = try await Lockstep.run(words)
        #expect(run.status == 2 && run.output.isEmpty, "\(words): \(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
}
