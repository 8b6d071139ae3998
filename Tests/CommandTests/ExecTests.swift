import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep exec", .limitedConcurrency)
struct ExecTests {
    private func withRuntimeFolder<Value>(_ body: (String, [String: String]) async throws -> Value) async throws -> Value {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder, ["XDG_RUNTIME_DIR": folder])
    }

    /// Reads until a text appears or the output ends.
    private static func read(_ process: ChildProcess, until text: String) throws -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            let part = try process.readOutput()
            if part.isEmpty { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (["sh", "-c", "exit 7"], 7), (["true"], 0), (["sh", "-c", "kill -TERM $$"], 143), (["sh", "-c", "kill -KILL $$"], 137),
        (["lockstep-no-such-command"], 127), (["/etc/passwd"], 126), (["/"], 126),
        (["sh", "-c", "test \"$#\" = 2", "sh", "a", ""], 0),
        (["sh", "-c", "test \"$#\" = 2", "sh", "--help", "--"], 0),
    ])
    func execReturnsTheStatusOfItsCommand(_ words: [String], _ status: Int) async throws {
        try await withRuntimeFolder { folder, variables in
            let run = try await Lockstep.run(["exec", "--"] + words, variables: variables)
            #expect(Int(run.status) == status, "\(words): \(run.errors)")
            #expect(run.output.isEmpty)
            #expect(try Folder.names(folder + "/lockstep").isEmpty)
        }
    }

    @Test func execNeedsACommand() async throws {
        for words in [
            ["exec"], ["exec", "gotrue"], ["exec", "--"], ["exec", "npm", "test"], ["exec", "--port", "x", "--", "true"],
        ] {
            let run = try await Lockstep.run(words)
            #expect(run.status == 2 && run.output.isEmpty, "\(words)")
            #expect(run.errors.hasPrefix("lockstep: ") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func commandWithoutTwoDashesIsShownWithThem() async throws {
        for (words, line) in [
            (["npm", "test"], "lockstep exec -- npm test"), (["gotrue", "pytest", "-q"], "lockstep exec gotrue -- pytest -q"),
        ] {
            let run = try await Lockstep.run(["exec"] + words)
            #expect(run.status == 2 && run.errors.contains(line), "\(run.errors)")
        }
        let mistyped = try await Lockstep.run("exec", "gotru", "--", "true")
        #expect(mistyped.status == 2 && mistyped.errors.contains("gotrue"), "\(mistyped.errors)")
    }

    @Test func commandGetsTheVariablesAndTheInput() async throws {
        try await withRuntimeFolder { folder, variables in
            let script = """
                cat; echo "$SUPABASE_URL $CLERK_API_URL $FIREBASE_AUTH_EMULATOR_HOST $KEPT"; cat "$LOCKSTEP_READY"
                "$0" wait && "$0" status --format json >&2
                """
            var all = variables
            all["KEPT"] = "kept"
            all["SUPABASE_URL"] = "https://production.example"
            let outcome = try await ChildProcess.run(
                Lockstep.executable, ["exec", "--", "sh", "-c", script, Lockstep.executable],
                environment: Lockstep.environment(all), input: Array("typed\n".utf8))
            #expect(outcome.status == 0)
            let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(lines.count == 5 && lines[0] == "typed")
            let documents = try lines.dropFirst(2).map { try JSON.parse($0) }
            let bases = documents.compactMap { $0["base"]?.string }
            #expect(lines[1] == "\(bases[1]) \(bases[2]) \(bases[0].dropFirst(7)) kept")
            #expect(try JSON.parse(outcome.errors)["servers"]?.array?.compactMap { $0["base"]?.string } == bases)
            #expect(try Folder.names(folder + "/lockstep").isEmpty)
        }
    }

    @Test func onlyNamedProvidersStart() async throws {
        let run = try await Lockstep.run("exec", "supabase", "--", "sh", "-c", "echo ${SUPABASE_URL:+one}${CLERK_API_URL:+two}")
        #expect(run.status == 0 && run.output == "one\n", "\(run.errors)")
    }

    @Test(arguments: [Signal.terminate, .interrupt, .hangUp, .quit, .user1, .user2])
    func signalsAreForwarded(_ signal: Signal) async throws {
        let name =
            switch signal {
            case .interrupt: "INT"
            case .hangUp: "HUP"
            case .quit: "QUIT"
            case .user1: "USR1"
            case .user2: "USR2"
            default: "TERM"
            }
        let status = try await BlockingThread.run { () throws -> Int32 in
            let script = "trap 'exit 42' \(name); echo ready; while :; do read line <\"$LOCKSTEP_READY\"; done"
            let process = try ChildProcess(Lockstep.executable, ["exec", "gotrue", "--", "sh", "-c", script])
            #expect(try Self.read(process, until: "ready").contains("ready"))
            process.send(signal)
            return try process.wait()
        }
        #expect(status == 42)
    }

    #if os(Linux)
    /// Ctrl-C goes to the command, which decides.
    ///
    /// The emulators end after it.
    @Test func terminalInterruptsTheCommand() async throws {
        let (status, shown) = try await BlockingThread.run { () throws -> (Int32, String) in
            let script = "trap 'echo interrupted; exit 9' INT; echo ready; while :; do read line <\"$LOCKSTEP_READY\"; done"
            let process = try ChildProcess(
                Lockstep.executable, ["exec", "gotrue", "--", "sh", "-c", script], terminalColumns: 80)
            #expect(try Self.read(process, until: "ready").contains("ready"))
            try process.write(Array("\u{3}".utf8))
            let shown = try Self.read(process, until: "\u{0}")
            return (try process.wait(), shown)
        }
        #expect(status == 9 && shown.contains("interrupted"), "\(shown)")
    }

    /// SIGKILL gives exec no chance to clean up.
    ///
    /// Nevertheless, the program, all processes below it and the file are gone.
    @Test func killedExecLeavesNoProcessOrFile() async throws {
        try await withRuntimeFolder { folder, variables in
            let script = "sleep 1000 & setsid sleep 1000 & echo $$ $!; sleep 1000; true"
            let ids = try await BlockingThread.run { () throws -> [Int32] in
                let process = try ChildProcess(
                    Lockstep.executable, ["exec", "--", "sh", "-c", script], environment: Lockstep.environment(variables))
                let ids = try Self.read(process, until: "\n").split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
                #expect(ids.count == 2 && ids.allSatisfy { ProcessMark(of: $0) != nil })
                process.kill()
                // Each of them keeps the output open while it runs.
                while try !process.readOutput().isEmpty {}
                return ids
            }
            #expect(ids.allSatisfy { ProcessMark(of: $0) == nil })
            #expect(try Folder.names(folder + "/lockstep").isEmpty)
        }
    }

    /// The command inherits no socket, database or pipe of the emulators, and has its original limits.
    @Test func commandInheritsOnlyTheCallersFilesAndLimits() async throws {
        let script = "ls /proc/self/fd | wc -l; ulimit -Sn; ulimit -Sc; echo seven >&7"
        let both = "ulimit -Sn 777; exec 7>&1; sh -c '\(script)'; echo; \"$0\" exec -- sh -c '\(script)'"
        let outcome = try await ChildProcess.run("sh", ["-c", both, Lockstep.executable])
        let parts = outcome.text.split(separator: "\n\n")
        #expect(outcome.status == 0 && parts.count == 2 && parts[0] == parts[1] && parts[0].contains("777"), "\(outcome.text)")
    }
    #endif
}
