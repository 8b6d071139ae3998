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
            _ = try await ServerProcess.serving(["gotrue", "clerk"], lines: 2, variables: variables) { lines in
                let json = try await Lockstep.run(["status", "--format", "json"], variables: variables)
                #expect(json.status == 0 && json.errors.isEmpty)
                #expect(try JSON.parse(json.output)["servers"]?.array == lines)
                let text = try await Lockstep.run(["status"], variables: variables)
                #expect(text.output.contains("Supabase (GoTrue)  ") && text.output.contains("kill "))
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

    /// Cases: K03.
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
