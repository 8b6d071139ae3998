import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("The command line", .limitedConcurrency)
struct CommandLineTests {
    @Test func withoutACommandItListsTheCommands() async throws {
        let run = try await Lockstep.run()
        #expect(run.status == 2)
        for command in ["compare", "contracts", "serve", "try"] { #expect(run.output.contains(command)) }
    }

    @Test func printedSeedRepeatsTheOrder() async throws {
        let words = ["contracts", "--provider", "firebase", "--only", "sign-in.password", "--format", "json", "--shuffle"]
        let drawn = try await Lockstep.run(words + ["new"])
        #expect(drawn.status == 0, "\(drawn.errors)")
        let seed = try #require(drawn.errors.split(whereSeparator: { " \n".contains($0) }).last.flatMap { UInt64($0) })
        let again = try await Lockstep.run(words + ["\(seed)"])
        #expect(again.output == drawn.output && again.errors == drawn.errors)
    }

    @Test(arguments: ["compare", "contracts", "serve", "try"])
    func everyCommandHasAPageWithExamples(_ command: String) async throws {
        let run = try await Lockstep.run(command, "--help")
        #expect(run.status == 0)
        #expect(run.output.contains("usage: lockstep \(command)"))
        #expect(run.output.contains("examples:") && run.output.contains("exit status:"))
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [
        (["comparr"], "compare"), (["compare", "--providers"], "--provider"), (["serve", "gotru"], "gotrue"),
        (["try", "firebas"], "firebase"), (["try", "clerk", "--variant", "client-trusst"], "client-trust"),
        (["compare", "--format", "markdwon"], "markdown"),
        (["contracts", "--only", "sign-in.password.complets"], "sign-in.password.completes"),
    ])
    func aMistypedWordGetsASuggestion(_ words: [String], _ meant: String) async throws {
        let run = try await Lockstep.run(words)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Did you mean \(meant)?"), "\(run.errors)")
    }

    @Test(arguments: [
        ["compare", "--from", "firebase"], ["compare", "--from", "clerk", "--to", "clerk"], ["compare", "acme"],
        ["serve", "--port", "70000"],
        ["serve", "--port", "x"], ["compare", "--format"], ["serve", "--env", "/nowhere/at/all"],
        ["serve", "gotrue", "--env", "/nowhere/at/all"],
        ["serve", "gotrue", "--mode", "strict"], ["serve", "gotrue", "--data", "/proc/none"], ["compare", "--provider", "acme"],
        ["try", "gotrue", "clerk"], ["try", "--url", "http://127.0.0.1:1"], ["try", "memory", "--project"],
        ["try", "clerk", "--project", "--variant", "hosted"], ["try", "--minimum-strength", "5"],
        ["serve", "--print-env"], ["serve", "clerk", "--print-env"], ["compare", "--from", "supabase", "--to", "gotrue"],
        ["contracts", "--only", "nothing.like.this"], ["contracts", "--quick", "--only", "session"], ["code"],
        ["code", "a@b.c", "d@e.f"],
        ["link", "a@b.c", "--wait", "x"], ["contracts", "--shuffle", "soon"], ["compare", "--no-contracts=yes"],
        ["-x"],
    ])
    func invalidInputPrintsOneSentenceAndExits2(_ words: [String]) async throws {
        let run = try await Lockstep.run(words)
        #expect(run.status == 2, "\(words): \(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("lockstep: "))
    }

    @Test(arguments: ["> /dev/full", ">&-"])
    func fullOrClosedOutputPrintsOneSentence(_ output: String) async throws {
        let outcome = try await ChildProcess.run("sh", ["-c", "exec \"$0\" compare --help \(output)", Lockstep.executable])
        #expect(outcome.status == 1)
        let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("lockstep: write to a standard stream: "), "\(lines)")
    }

    /// A missing reader is an ordinary error.
    ///
    /// It does not end the process by a silent signal.
    @Test func closedReaderPrintsOneSentence() async throws {
        // The shell's own end of the pipe is the only reader. The script closes it before the command starts.
        let script = "mkfifo \"$1\" && (exec 3<>\"$1\" 4>\"$1\" 3>&-; exec \"$0\" compare --help >&4)"
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let outcome = try await ChildProcess.run("sh", ["-c", script, Lockstep.executable, folder + "/pipe"])
        #expect(outcome.status == 1)
        let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("lockstep: write to a standard stream: "), "\(lines)")
    }

    @Test func theVersionIsOneLine() async throws {
        let run = try await Lockstep.run("--version")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("lockstep "))
    }

    /// The command accepts the name of the platform wherever it accepts a provider.
    ///
    /// The output is that of GoTrue.
    @Test func supabaseNamesGoTrue() async throws {
        let contracts = ["--only", "sign-in.password.completes", "--format", "json"]
        let named = try await Lockstep.run(["contracts", "--provider", "supabase"] + contracts)
        #expect(named.status == 0, "\(named.errors)")
        #expect(named.output == (try await Lockstep.run(["contracts", "--provider", "gotrue"] + contracts)).output)
        let journeys = ["--journeys", "sign-up", "--format", "json", "--no-contracts"]
        let list = try await Lockstep.run(["compare", "--provider", "supabase,clerk"] + journeys)
        #expect(list.status == 0 && list.output.contains("gotrue") && !list.output.contains("supabase"), "\(list.errors)")
        let variant = try await Lockstep.run("try", "supabase", "--variant", "hostet")
        #expect(variant.status == 2 && variant.errors.contains("Did you mean hosted?"), "\(variant.errors)")
        let typo = try await Lockstep.run("serve", "supabse")
        #expect(typo.status == 2 && typo.errors.contains("Did you mean supabase?"), "\(typo.errors)")
    }
}
