import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// How the command ends, and its output then.
@Suite("How the command ends", .limitedConcurrency)
struct EndingTests {
    private static let quick = ["compare", "--journeys", "sign-up", "--provider", "gotrue,clerk", "--no-contracts"]

    private static let move = ["compare", "--from", "gotrue", "--to", "clerk"]
    private static let endings: [(Int, [String])] = [
        (0, quick), (3, quick + ["--fail-on-differences"]), (2, quick + ["--provider", "acme"]),
        (2, quick + ["--all-contracts"]), (3, move + ["--journeys", "sign-up", "--fail-on-differences"]),
        (2, move + ["--no-contracts"]), (2, move + ["--all-contracts"]),
        (0, ["contracts", "--provider", "gotrue", "--only", "session.required"]),
        (2, ["contracts", "--provider", "firebase", "--server", "http://127.0.0.1:1", "--only", "session.required"]),
        (1, quick + ["--events", "/nowhere/at/all.jsonl"]),
    ]

    @Test(arguments: endings)
    func statusMatchesTheDocumentation(_ status: Int, _ words: [String]) async throws {
        let run = try await Lockstep.run(words)
        #expect(Int(run.status) == status, "\(run.errors)")
    }

    /// A backend that does not behave as declared breaks a contract, and this is a failure.
    @Test func brokenContractIsAFailure() async throws {
        _ = try await ServerProcess.serving(["firebase", "--mode", "strict"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            // Production's rules reject an unsigned ticket.
            let words = ["contracts", "--provider", "firebase", "--server", base, "--only", "sign-in.ticket"]
            let run = try await Lockstep.run(words + ["--format", "json"])
            #expect(run.status == 1, "\(run.errors)")
            #expect(try JSON.parse(Array(run.output.utf8)).object != nil)
        }
    }

    /// A reader of JSON gets one document, even without data.
    ///
    /// The sentence for a person is on the other stream.
    @Test(arguments: [
        (1, ["--events", "/nowhere/at/all.jsonl"]), (2, ["--from", "firebase"]), (2, ["--from", "clerk", "--to", "clerk"]),
    ])
    func failureIsReportedAsJSON(_ status: Int, _ words: [String]) async throws {
        let run = try await Lockstep.run(Self.quick + ["--format", "json"] + words)
        #expect(Int(run.status) == status)
        let message = try JSON.parse(Array(run.output.utf8))["error"]?["message"]?.string
        #expect(message?.isEmpty == false)
        #expect(run.errors == "lockstep: \(message ?? "")\n")
    }

    @Test(arguments: [Signal.interrupt, .terminate], ["json", "text"])
    func signalEndsTheRunWithACompleteDocument(_ signal: Signal, _ format: String) async throws {
        let words = ["contracts", "--provider", "gotrue", "--format", format, "--events", "-"]
        let (status, output, errors) = try await BlockingThread.run { () throws -> (Int32, [UInt8], [UInt8]) in
            let process = try ChildProcess(Lockstep.executable, words)
            // The first event shows that the command is running.
            var errors = try process.readErrors(within: .seconds(120))
            process.send(signal)
            while case let part = try process.readErrors(within: .seconds(120)), !part.isEmpty { errors += part }
            var output: [UInt8] = []
            while case let part = try process.readOutput(within: .seconds(120)), !part.isEmpty { output += part }
            return (try process.wait(), output, errors)
        }
        #expect(status == signal.exitStatus)
        #expect(String(decoding: errors, as: UTF8.self).hasSuffix("\nlockstep: interrupted\n"))
        if format == "json" {
            #expect(try JSON.parse(output)["error"]?["message"] == "interrupted")
        } else {
            #expect(output.isEmpty)
        }
    }

    /// Runs the command in its own terminal (`script`), and returns the output.
    private func onTerminal(_ words: [String], _ environment: [String: String]) async throws -> String {
        var variables = ProcessInfo.processInfo.environment
        variables["NO_COLOR"] = nil
        for (name, value) in environment { variables[name] = value }
        variables["PAGER"] = ""
        let line = ([Lockstep.executable] + words).map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await ChildProcess.run(
            "script", ["-qec", line, "/dev/null"], environment: variables, within: .seconds(300))
        #expect(outcome.status == 0)
        return String(decoding: outcome.output, as: UTF8.self)
    }

    #if os(Linux)
    @Test func escapeCodesAreWrittenOnlyToATerminal() async throws {
        let coloured = try await onTerminal(Self.quick, ["TERM": "xterm-256color"])
        #expect(coloured.contains("\u{1b}[1m"), "a terminal gets colours")
        for variables in [["TERM": "dumb"], ["TERM": "xterm-256color", "NO_COLOR": "1"], ["TERM": "dumb", "NO_COLOR": "1"]] {
            let plain = try await onTerminal(Self.quick, variables)
            #expect(plain.contains("Steps of each journey") && !plain.contains("\u{1b}"), "\(variables)")
        }
        #expect(
            try await !onTerminal(Self.quick, ["TERM": "dumb"]).contains("\rSupabase (GoTrue): "),
            "a dumb terminal writes nothing over")
    }

    /// Tokens and keys are only in the memory of the process and in the output that the page documents.
    @Test func processTableShowsNoSecret() async throws {
        try await BlockingThread.run {
            let process = try ChildProcess(Lockstep.executable, ["serve", "--port", "0", "gotrue", "clerk"])
            var bytes: [UInt8] = []
            while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < 2 { bytes += try process.readOutput() }
            let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
            var secrets = lines.compactMap { $0["control"]?["Authorization"]?.string?.replacing("Bearer ", with: "") }
            secrets += lines.compactMap { $0["vars"]?["secret_key"]?.string }
            #expect(secrets.count == 3)
            for name in ["environ", "cmdline", "comm"] {
                let text = String(
                    decoding: try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process.id)/\(name)")), as: UTF8.self)
                for secret in secrets { #expect(!text.contains(secret), "\(name)") }
            }
            let limits = try String(contentsOfFile: "/proc/\(process.id)/limits", encoding: .utf8)
            let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").suffix(3).first == "0", "\(core)")
            process.send(.interrupt)
            _ = try process.wait()
        }
    }
    #endif

    @Test(arguments: ["\u{1b}[31mred", "\u{9b}31mred", "\u{202e}der", "a\rb", "\u{7}", "\u{2066}x"])
    func invisibleArgumentCharactersAreEscaped(_ text: String) async throws {
        for words in [[text], ["compare", "--journeys", text], ["compare", "--format", "json", "--from", text]] {
            let run = try await Lockstep.run(words)
            #expect(run.status == 2)
            let odd = (run.output + run.errors).unicodeScalars.filter { $0.isInvisible && $0 != "\n" }
            #expect(odd.isEmpty, "\(run.errors.debugDescription)")
        }
    }

    @Test func noStreamAndNoFileShowsASecret() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        for format in ["text", "json", "markdown", "html", "junit"] {
            let events = "\(folder)/\(format).jsonl"
            let run = try await Lockstep.run([
                "contracts", "--provider", "gotrue", "--only", "session.token,sign-in.password,session.end", "--format", format,
                "--events", events,
            ])
            #expect(run.status == 0, "\(run.errors)")
            let told = try String(contentsOfFile: events, encoding: .utf8)
            #expect(told.contains("request.ended"))
            // Every token of this provider begins like this, and every bearer token is one.
            for text in [run.output, run.errors, told] { #expect(!text.contains("eyJ") && !text.contains("Bearer")) }
        }
        // An invalid value of a settings file is named by its place and not quoted.
        for line in ["GOTRUE_JWT_SECRET canary-7f3a", "GOTRUE_JWT_SECRET=\"canary-7f3a", "GOTRUE_JWT_KEYS=canary-7f3a"] {
            let file = folder + "/auth.env"
            try "\(line)\n".write(toFile: file, atomically: true, encoding: .utf8)
            let run = try await Lockstep.run("serve", "--port", "0", "gotrue", "--env", file)
            #expect(run.status == 2 && !run.errors.contains("canary") && run.output.isEmpty, "\(run.errors)")
        }
        // No option accepts a secret. The shell's history and the process table contain the command line.
        for command in ["compare", "contracts", "serve", "try"] {
            let help = try await Lockstep.run(command, "--help").output
            for word in ["--key", "--secret", "--password", "--token"] { #expect(!help.contains(word), "\(command)") }
        }
    }
}
