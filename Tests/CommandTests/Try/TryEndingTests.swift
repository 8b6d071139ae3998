import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// How `lockstep try` ends, and the state of the terminal afterwards.
@Suite("How the app in the terminal ends", .serialized, .limitedConcurrency)
struct TryEndingTests {
    @Test func endOfInputEndsTheApp() async throws {
        try await TerminalApp.run(["memory"]) { app in
            try app.choose("Create an account")
            try app.read(to: "]: ")
            try app.press("\u{4}")
            #expect(try app.end() == 0)
            #expect(app.shown.hasSuffix("The input ended.\nGoodbye. All data of this run was deleted.\n"))
        }
    }

    /// Also in the middle of a password.
    ///
    /// Afterwards the terminal echoes typed text again.
    @Test func controlCRestoresTheTerminal() async throws {
        let script = "trap : INT; '\(Lockstep.executable)' try memory; echo status $?; stty -a"
        let shown = try await BlockingThread.run {
            let shell = try ChildProcess("/bin/sh", ["-c", script], terminalColumns: 60)
            defer { shell.kill() }
            var shown = ""
            func read(to text: String) throws {
                while !shown.contains(text), case let part = try shell.readOutput(within: .seconds(60)), !part.isEmpty {
                    shown += String(decoding: part, as: UTF8.self)
                }
            }
            try read(to: "Choice: ")
            try shell.write(Array("2\n".utf8))
            try read(to: "E-mail (- to go back): ")
            try shell.write(Array("ada@example.com\n".utf8))
            try read(to: "(not shown): ")
            try shell.write(Array("half a sec\u{3}".utf8))
            try read(to: "\0")
            return shown
        }
        #expect(shown.contains("lockstep: interrupted\r\nstatus 130\r\n"), "\(shown)")
        let settings = shown.split(whereSeparator: { " ;\r\n".contains($0) })
        #expect(settings.contains("echo") && settings.contains("-echonl"), "\(shown)")
        #expect(!shown.contains("half a sec"))
    }

    @Test func headlinesAreBoldOnATerminal() async throws {
        try await TerminalApp.run(["memory"], environment: ["NO_COLOR": ""]) { app in
            try app.read(to: "\u{1b}[1mSign in\u{1b}[0m\n")
            try app.press(key: "q")
            #expect(try app.end() == 0)
        }
    }

    /// Without a terminal: a file answers the same questions.
    @Test func appReadsItsInputFromAPipe() async throws {
        let input = "nothing like this\n1\nAda\nada@example.com\n\(TerminalApp.password)\nq\n"
        let run = try await ChildProcess.run(Lockstep.executable, ["try", "memory"], input: Array(input.utf8))
        let shown = String(decoding: run.output, as: UTF8.self)
        #expect(run.status == 0 && run.errors.isEmpty, "\(shown)")
        #expect(shown.contains("! Type a number from 1 to ") && shown.contains("Confirm that it is you\n"), "\(shown)")
        #expect(!shown.contains("\u{1b}") && !shown.contains(TerminalApp.password))
    }

    /// A remote project has no inbox here, and no command line contains its key.
    @Test func appUsesARemoteProject() async throws {
        _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            let words = ["gotrue", "--project", "--url", base, "--callback", "lockstep://auth/callback"]
            try await TerminalApp.run(words) { app in
                try app.answerUnseen("The project's public key", "a-public-key")
                let menu = try app.choose("Sign in: password")
                #expect(menu.contains("your own project") && !menu.contains("inbox") && !menu.contains("let time pass"))
                try app.answer("E-mail", "ada@example.com")
                try app.answerUnseen("Password", "not the password")
                try app.read(to: "! Password: Incorrect e-mail or password.")
                try app.signUp("ada@example.com")
                try app.choose("Paste the last address from the browser")
                try app.answer("Address", "https://elsewhere.example/")
                try app.read(to: "! This address belongs to another app.")
                #expect(!app.showsSecrets)
            }
            try await TerminalApp.run(words, environment: ["LOCKSTEP_PUBLIC_KEY": "a-public-key"]) { app in
                _ = try app.read(to: "Choice: ")
            }
        }
        // Without a key there is no app.
        let run = try await ChildProcess.run(Lockstep.executable, ["try", "gotrue", "--project", "--url", "http://127.0.0.1:1"])
        #expect(run.status == 2)
    }
}
