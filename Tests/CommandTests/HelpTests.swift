import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Help and version", .limitedConcurrency)
struct HelpTests {
    private static let commands = [
        "compare", "contracts", "serve", "exec", "status", "wait", "code", "link", "logs", "stop", "config", "init", "help",
        "completion",
        "try", "migrate",
        "doctor", "version",
    ]
    private static let verbs = ["plan", "apply", "verify", "follow", "undo", "status", "demo"]

    private static func words(_ text: String) -> [String] {
        text.unicodeScalars.split(whereSeparator: { " \r\n".unicodeScalars.contains($0) }).map { String($0) }
    }

    /// The command's output on a terminal with this many columns.
    private static func shown(_ words: [String], columns: Int) async throws -> String {
        try await BlockingThread.run {
            let environment = Lockstep.environment(["PAGER": ""])
            let process = try ChildProcess(Lockstep.executable, words, environment: environment, terminalColumns: columns)
            var bytes: [UInt8] = []
            while case let part = try process.readOutput(), !part.isEmpty { bytes += part }
            #expect(try process.wait() == 0)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(arguments: [[]] + commands.map { [$0] } + verbs.map { ["migrate", $0] } + [["token", "new"], ["token", "check"]])
    func eachPageFitsEightyColumns(_ command: [String]) async throws {
        let page = try await Lockstep.run(["help"] + command)
        #expect(page.status == 0 && page.errors.isEmpty)
        let lines = page.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count > 10 && lines.allSatisfy { $0.count <= 80 }, "\(page.output)")
        #expect(page.output == (try await Lockstep.run(command + ["--help"])).output)
        let short = try await Lockstep.run(command + ["-h"])
        #expect(page.output == short.output)
    }

    /// The lines differ and the words do not.
    ///
    /// No word is broken.
    @Test(arguments: [40, 60, 80, 200])
    func pagesWrapToTheTerminal(_ columns: Int) async throws {
        for command in Self.commands {
            let page = try await Lockstep.run(["help"] + Self.words(command))
            let shown = try await Self.shown(["help"] + Self.words(command), columns: columns)
            // A list of choices breaks after its bars.
            #expect(
                Self.words(shown).joined().replacing("|", with: "") == Self.words(page.output).joined().replacing("|", with: ""))
            for line in shown.unicodeScalars.split(whereSeparator: { "\r\n".unicodeScalars.contains($0) }) {
                let isLongWord = Self.words(String(line)).count == 1
                #expect(line.count <= columns || isLongWord, "\(command): \(String(line))")
            }
        }
    }

    @Test func helpForAnUnknownCommandSuggestsOne() async throws {
        let run = try await Lockstep.run("help", "serv")
        #expect(run.status == 2 && run.errors.contains("Did you mean serve?"), "\(run.errors)")
        #expect(try await Lockstep.run("help", "serve", "try").status == 2)
    }

    /// A page begins with what most readers look for, and its options stand in groups.
    @Test func examplesComeBeforeGroupsOfOptions() async throws {
        let page = try await Lockstep.run("help", "serve").output
        let places = ["usage: ", "examples:", "\noptions:", "\ndata:", "\nnetwork:", "\noutput:", "exit status:"].map { head in
            page.firstRange(of: head)?.lowerBound
        }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(page)")
        let paged = try await TerminalOutput.of(["help", "serve"], columns: 80, variables: ["PAGER": "sed s/^/paged:/"])
        #expect(paged.lines.contains { $0.hasPrefix("paged:usage: lockstep serve") }, "\(paged.lines)")
    }

    /// Words of other tools name the command that they mean.
    @Test(arguments: [
        ("start", "serve"), ("up", "serve"), ("run", "serve"), ("dev", "serve"), ("ui", "open"), ("users", "open"),
        ("inbox", "open"),
        ("login", "try"), ("down", "stop"),
    ])
    func wordsOfOtherToolsNameTheirCommand(_ word: String, _ meant: String) async throws {
        let run = try await Lockstep.run([word])
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("lockstep \(meant)"), "\(run.errors)")
    }

    @Test func groupWithoutAVerbShowsItsVerbs() async throws {
        let run = try await Lockstep.run("migrate")
        #expect(run.status == 2 && Self.verbs.allSatisfy { run.output.contains("\n  \($0) ") }, "\(run.output)")
        let unknown = try await Lockstep.run("migrate", "pla")
        #expect(unknown.status == 2 && unknown.errors.contains("Did you mean plan?"), "\(unknown.errors)")
        #expect(try await Lockstep.run("help", "migrate", "plan", "apply").status == 2)
    }

    @Test func argumentsAfterTwoDashesBelongToTheCommand() async throws {
        let run = try await Lockstep.run("exec", "gotrue", "--", "echo", "--help", "-h")
        #expect(run.status == 0 && run.output == "--help -h\n", "\(run.output)")
    }

    /// If the build knows its commit, it is the checked-out one.
    @Test func versionNamesReleaseAndCommit() async throws {
        let line = try await Lockstep.run("version")
        #expect(line.status == 0 && line.output.hasPrefix("lockstep "))
        for word in ["-v", "--version"] { #expect(try await Lockstep.run(word).output == line.output) }
        let json = try JSON.parse(try await Lockstep.run("version", "--format", "json").output)
        #expect(try await Lockstep.run("--version", "--format", "json").output.contains("\"release\""))
        let release = try #require(json["release"]?.string)
        let commit = try #require(json["commit"])
        #expect(line.output == "lockstep \(release)" + (commit.string.map { " (commit \($0.prefix(12)))" } ?? "") + "\n")
        let served = try await ServerProcess.serving(["clerk"], lines: 1) { $0.first }.result
        #expect(served?["release"]?.string == release && served?["commit"]?.string == commit.string)
    }

    @Test func contractsAreListedWithoutACheck() async throws {
        let list = try JSON.parse(try await Lockstep.run("contracts", "--list", "--format", "json").output)
        let contracts = try #require(list["contracts"]?.array)
        #expect(contracts.count > 100)
        #expect(contracts.allSatisfy { $0["id"]?.string?.isEmpty == false && $0["promise"]?.string?.isEmpty == false })
        let some = try await Lockstep.run("contracts", "--list", "--only", "session.token")
        #expect(some.status == 0 && some.output.hasPrefix("session.token."))
        #expect(try await Lockstep.run("contracts", "--list", "--only", "nothing.like.this").status == 2)
        #expect(try await Lockstep.run("contracts", "--list", "--format", "junit").status == 2)
    }
}
