import LockstepPrimitives
import Testing

@Suite("The command line")
struct CommandLineTests {
    @Test func withoutACommandItShowsWhatThereIs() async throws {
        let run = try await Lockstep.run()
        #expect(run.status == 2)
        for command in ["compare", "contracts", "serve"] { #expect(run.output.contains(command)) }
    }

    @Test(arguments: ["compare", "contracts", "serve"])
    func everyCommandHasAPageWithExamples(_ command: String) async throws {
        let run = try await Lockstep.run(command, "--help")
        #expect(run.status == 0)
        #expect(run.output.contains("usage: lockstep \(command)"))
        #expect(run.output.contains("examples:"))
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [
        (["comparr"], "compare"), (["compare", "--provider"], "--providers"), (["serve", "gotru"], "gotrue"),
        (["compare", "--format", "tabel"], "table"),
        (["contracts", "--only", "sign-in.password.complets"], "sign-in.password.completes"),
    ])
    func aMistypedWordGetsASuggestion(_ words: [String], _ meant: String) async throws {
        let run = try await Lockstep.run(words)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Did you mean \(meant)?"), "\(run.errors)")
    }

    @Test(arguments: [
        ["compare", "--from", "firebase"], ["compare", "--from", "clerk", "--to", "clerk"], ["compare", "extra"],
        ["serve", "--port", "70000"],
        ["serve", "--port", "x"], ["compare", "--format"], ["serve", "--env", "/nowhere/at/all"],
        ["serve", "gotrue", "--env", "/nowhere/at/all"],
        ["serve", "gotrue", "--mode", "strict"], ["serve", "gotrue", "--data", "/proc/none"], ["compare", "--providers", "acme"],
        ["contracts", "--only", "nothing.like.this"], ["compare", "--no-promises=yes"], ["-x"],
    ])
    func whatCannotBeUsedIsOneSentenceAndStatusTwo(_ words: [String]) async throws {
        let run = try await Lockstep.run(words)
        #expect(run.status == 2, "\(words): \(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("lockstep: "))
    }

    @Test func theVersionIsOneLine() async throws {
        let run = try await Lockstep.run("--version")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("lockstep "))
    }
}
