import LockstepContracts
import LockstepModels
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep try`.
    static let tryModels = Command(
        name: "try",
        summary: "try every sign-in screen in the terminal, on an emulator or your own project",
        about: """
            Runs a demo app in the terminal. The app is built entirely on LockstepModels. It has every screen: sign-up, code or
            link, sign-in, second factor, forgotten password, guest, account and deletion. The sign-up screen suggests a name,
            and shows the strength of the password. The emulator runs in the same process, with its inbox, its authenticator app
            and its clock. You type numbers and text; passwords are not shown. All data is deleted when the app exits. Press
            Ctrl-D or type "q" to quit.
            """,
        operands: Operands(
            placeholder: "PROVIDER", summary: TryProject.names.listedAsChoice + " (default: gotrue)", choices: TryProject.names,
            option: "provider"),
        options: [
            Option(
                "variant", .text("NAME"),
                "variant of the emulator's project, such as \"hosted\" (default: the settings of a new project on the platform)"),
            Option(
                "minimum-strength", .number("N", 0...4), "reject passwords with a score below N (default: accept all)"),
            Option(
                "project", .none,
                "use your own project instead of an emulator; the project's public key comes from LOCKSTEP_PUBLIC_KEY or from a prompt"
            ),
            Option("url", .text("URL"), "with --project and gotrue: the project's URL"),
            Option("callback", .text("URL"), "with --project: the URL of the app, which opens from links in messages"),
        ],
        examples: [
            Example(line: "lockstep try", meaning: "an app on the Supabase (GoTrue) emulator"),
            Example(line: "lockstep try clerk --variant client-trust", meaning: "a sign-in on a new device requires a code"),
            Example(
                line: "lockstep try gotrue --project --url https://abc.supabase.co/auth/v1",
                meaning: "the same app on your own project (use email addresses that you own)"),
        ],
        endsBySignal: true
    ) { invocation, terminal in
        guard invocation.operands.count <= 1 else { throw UsageError("\"lockstep try\" accepts only one provider.") }
        let name = invocation.operands.first ?? "gotrue"
        let lines = InputLines()
        let watch = try SignalWatch()
        defer { watch.stop() }
        Task {
            for await signal in watch.signals {
                // The terminal outlives this process: what is typed there must be seen again.
                lines.show()
                terminal.tell("\nlockstep: interrupted", isLast: true)
                CurrentProcess.exit(signal.exitStatus)
            }
        }
        let options = TryApp.Options(
            minimum: invocation.number("minimum-strength").flatMap(PasswordStrength.Score.init(rawValue:)))
        let run = { @Sendable (project: TryProject, place: String, variant: String) async throws in
            try await TryApp.run(on: project, options, place, variant: variant, terminal, lines)
        }
        guard invocation.has("project") else {
            for option in ["url", "callback"] where invocation.has(option) {
                throw UsageError("--\(option) needs --project. Add it, or remove --\(option).")
            }
            let (harness, variant) = try TryProject.emulator(name, variant: invocation["variant"])
            try await harness.withEnvironment(variant) { environment in
                try await run(
                    TryProject(name, environment), TryProject.title(of: name), "Its variant \(variant.name): \(variant.summary).")
            }
            return .success
        }
        guard name != "memory", !invocation.has("variant") else {
            throw UsageError(
                "--project cannot be combined with --variant or with the memory provider. Remove one of them.")
        }
        let key = try await publicKey(terminal, lines)
        let project = try TryProject.real(name, url: invocation["url"], key: key.reveal(), callback: invocation["callback"])
        try await run(project, "your own project on \(Providers.title(of: name))", "")
        return .success
    }

    private static func publicKey(_ terminal: Terminal, _ lines: InputLines) async throws -> Secret {
        if let key = Environment["LOCKSTEP_PUBLIC_KEY"], !key.isEmpty { return Secret(key) }
        let typed = try? await Dialogue(terminal, lines).askUnseen("The project's public key")
        guard let typed, !typed.isEmpty else {
            throw UsageError("--project needs the project's public key. Type it, or set LOCKSTEP_PUBLIC_KEY.")
        }
        return Secret(typed)
    }
}
