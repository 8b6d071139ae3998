import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// The scripts run in the real shells.
///
/// A missing shell is skipped with a note, except bash.
@Suite("lockstep completion", .limitedConcurrency)
struct CompletionTests {
    /// The typed text, some of the offered words, and one word that must not be offered.
    private static let cases: [(typed: [String], offered: [String], missing: String)] = [
        (["se"], ["serve"], "exec"), ([""], ["serve", "exec", "token", "config", "completion"], "--port"),
        (["token", ""], ["new"], "serve"), (["token", "new", ""], ["firebase", "gotrue", "clerk"], "new"),
        (["serve", "go"], ["gotrue"], "clerk"),
        (["serve", "--"], ["--port", "--env", "--ready-file", "--help"], "--on-failure"),
        (["serve", "--mo"], ["--mode"], "--port"), (["exec", "--on"], ["--on-failure"], "--ready-file"),
        (["serve", "--mode", ""], ["emulator", "strict"], "gotrue"),
        (["serve", "gotrue", "--hashing", "r"], ["real"], "least"), (["completion", ""], ["bash", "zsh", "fish"], "serve"),
        (["config", "--format", ""], ["text", "json"], "exec"),
    ]

    private func script(_ shell: String) async throws -> String {
        let run = try await Lockstep.run("completion", shell)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return run.output
    }

    private func isInstalled(_ shell: String) async throws -> Bool {
        let isThere = try await ChildProcess.run("sh", ["-c", "command -v \"$0\"", shell]).status == 0
        if !isThere { print("lockstep completion: \(shell) is not installed: its script was not run.") }
        return isThere
    }

    /// Runs a program with the command's script and the typed text as arguments.
    private func candidates(_ shell: String, _ program: String, _ words: [String], in folder: String? = nil) async throws
        -> [String]
    {
        let outcome = try await ChildProcess.run(
            shell,
            (shell == "zsh" ? ["-f"] : []) + ["-c", program] + (shell == "fish" ? [] : [shell]) + [try await script(shell)]
                + words)
        #expect(outcome.status == 0, "\(words): \(String(decoding: outcome.errors, as: UTF8.self))")
        return outcome.text.split(separator: "\n").map { String($0).trimmingCharacters(in: .whitespaces) }
    }

    private static let bash = """
        eval "$1"; shift; COMP_WORDS=(lockstep "$@"); COMP_CWORD=$#; _lockstep lockstep "${COMP_WORDS[COMP_CWORD]}" ""
        printf '%s\\n' "${COMPREPLY[@]}"
        """

    @Test func bashCompletesCommandsOptionsAndValues() async throws {
        for (typed, offered, missing) in Self.cases {
            let found = try await candidates("bash", Self.bash, typed)
            #expect(offered.allSatisfy(found.contains) && !found.contains(missing), "\(typed): \(found)")
        }
        // In bash the sign is a separate word. A list continues after its comma.
        #expect(try await candidates("bash", Self.bash, ["serve", "--mode", "=", "st"]) == ["strict"])
        #expect(try await candidates("bash", Self.bash, ["serve", "--mode", "="]) == ["emulator", "strict"])
        #expect(try await candidates("bash", Self.bash, ["compare", "--provider", "clerk,go"]) == ["clerk,gotrue"])
        #expect(try await candidates("bash", Self.bash, ["serve", "--data", "/et"]) == ["/etc"])
        #expect(try await candidates("bash", Self.bash, ["exec", "gotrue", "--", "mkfif"]).contains("mkfifo"))
        #expect(try await candidates("bash", Self.bash, ["exec", "--", "ls", "/et"]) == ["/etc"])
    }

    /// Types keys into the real line editor, like a person.
    @Test func bashCompletesInTheLineEditor() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try (try await script("bash")).write(toFile: folder + "/script", atomically: true, encoding: .utf8)
        let shown = try await BlockingThread.run { () throws -> String in
            let process = try ChildProcess(
                "bash", ["--norc", "--noprofile", "-i"],
                environment: Lockstep.environment(["PS1": "", "TERM": "dumb", "HISTFILE": "/dev/null"]), terminalColumns: 80)
            try process.write(Array("source \(folder)/script; lockstep() { echo \"<$*>\"; exit; }\n".utf8))
            try process.write(Array("lockstep serve gotr\t--mode=str\t--host\n".utf8))
            var bytes: [UInt8] = []
            while case let part = try process.readOutput(), !part.isEmpty { bytes += part }
            _ = try process.wait()
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(shown.contains("<serve gotrue --mode=strict --host>"), "\(shown)")
    }

    @Test func zshCompletesCommandsOptionsAndValues() async throws {
        guard try await isInstalled("zsh") else { return }
        // Completion works only in the line editor of a shell in a terminal. The test records the candidates when zsh adds them,
        // and the shell then ends. So the result does not depend on when zsh draws the list.
        let program = """
            script=$1; shift; dir=$(mktemp -d); print -r -- "$script" > $dir/_lockstep; : > $dir/found
            cat > $dir/capture <<'END'
            compadd() {
              if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
              typeset -a hits; builtin compadd -O hits "$@"; print -rl -- $hits >> $dir/found; builtin compadd "$@"
            }
            comppostfuncs=(exit)
            END
            zmodload zsh/zpty; zpty shell zsh -f -i
            zpty -w shell "PS1=; dir=$dir; fpath=($dir \\$fpath); autoload -Uz compinit; compinit -u -d $dir/dump; . $dir/capture"
            zpty -n -w shell "lockstep $*"$'\\t'
            while zpty -r shell line; do :; done; cat $dir/found; rm -r $dir
            """
        for (typed, offered, missing) in Self.cases {
            let found = try await candidates("zsh", program, typed)
            #expect(offered.allSatisfy(found.contains) && !found.contains(missing), "\(typed): \(found)")
        }
    }

    @Test func fishCompletesCommandsOptionsAndValues() async throws {
        guard try await isInstalled("fish") else { return }
        let program = "eval $argv[1]; set -e argv[1]; complete -C \"lockstep $argv\" | cut -f 1"
        for (typed, offered, missing) in Self.cases {
            let found = try await candidates("fish", program, typed)
            #expect(offered.allSatisfy(found.contains) && !found.contains(missing), "\(typed): \(found)")
        }
        #expect(try await candidates("fish", program, ["compare", "--provider", "clerk,go"]) == ["clerk,gotrue"])
        #expect(try await candidates("fish", program, ["exec", "--", "mkfif"]).contains("mkfifo"))
    }

    /// Each script contains each command and each option of the declarations.
    @Test(arguments: ["bash", "zsh", "fish"])
    func scriptHasEveryOption(_ shell: String) async throws {
        let text = try await script(shell)
        let commands = try #require(try JSON.parse(try await Lockstep.run("help", "--format", "json").output)["commands"]?.array)
        #expect(commands.count > 10)
        for command in commands.flatMap({ [$0] + ($0["commands"]?.array ?? []) }) {
            #expect(text.contains(command["name"]?.string ?? "?"), "\(command.text())")
            for option in command["options"]?.array ?? [] {
                let name = option["name"]?.string ?? "?"
                #expect(text.contains(shell == "fish" ? "-l \(name.dropFirst(2)) " : name), "\(name)")
            }
        }
        let syntax = shell == "fish" ? ["-n"] : ["-n"]
        guard try await isInstalled(shell) else { return }
        let outcome = try await ChildProcess.run(shell, syntax + ["/dev/stdin"], input: Array(text.utf8))
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(String(decoding: outcome.errors, as: UTF8.self))")
    }

    @Test func manualPageMatchesTheDeclarations() async throws {
        let run = try await Lockstep.run("help", "--format", "man")
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/lockstep.1")
        #expect(
            run.output == (try String(contentsOf: page.standardized, encoding: .utf8)),
            "run lockstep help --format man > docs/lockstep.1")
        for text in ["\\-\\-on\\-failure DIR", ".SH LOCKSTEP SERVE", "LOCKSTEP_PORT"] { #expect(run.output.contains(text)) }
        if try await isInstalled("mandoc") {
            let lint = try await ChildProcess.run("mandoc", ["-T", "lint", "-W", "warning", page.standardized.path])
            #expect(lint.text.isEmpty && lint.status == 0, "\(lint.text)")
        }
        guard try await isInstalled("man") else { return }
        let warnings = try await ChildProcess.run(
            "sh", ["-c", "MANWIDTH=80 man --warnings=all -l \"$0\" 2>&1 >/dev/null", page.standardized.path])
        #expect(warnings.text.isEmpty, "\(warnings.text)")
    }

    @Test(arguments: [
        ["completion"], ["completion", "tcsh"], ["completion", "bash", "zsh"], ["help", "--format", "man", "serve"],
    ])
    func unknownShellOrFormatExits2(_ words: [String]) async throws {
        let run = try await Lockstep.run(words)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
}
