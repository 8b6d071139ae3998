import LockstepContracts
import LockstepModels
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep try`.
    static let tryModels = Command(
        name: "try",
        summary: "an app in the terminal: sign up, in and out on an emulator, or on a project of yours",
        about: """
            Shows every screen that an app needs, made of nothing but the models of LockstepModels: sign-up with a generated name and the
            password's strength, code or link, sign-in, second factor, forgotten password, guest, account, deletion. The emulator
            runs inside: its inbox, its authenticator app and its clock are at hand, and everything is forgotten at the end. Lines
            and numbers only: no drawing, no mouse; passwords are not shown. Ctrl-D or q ends it.
            """,
        operands: Operands(
            placeholder: "PROVIDER", summary: TryProject.names.listedAsChoice + " (default: gotrue)", choices: TryProject.names,
            option: "provider"),
        options: [
            Option("variant", .text("NAME"), "how the emulator's project is set up, such as hosted"),
            Option(
                "minimum-strength", .number("N", 0...4), "refuse passwords of a lower score; none is refused by default"),
            Option(
                "project", .none, "a project of yours, and no emulator; its public key is asked for, or in LOCKSTEP_PUBLIC_KEY"),
            Option("url", .text("URL"), "with --project, gotrue: its address"),
            Option("callback", .text("URL"), "with --project: the address of the app that its links lead back to"),
        ],
        examples: [
            Example(line: "lockstep try", meaning: "an app on GoTrue's emulator"),
            Example(line: "lockstep try clerk --variant client-trust", meaning: "a password on a new device asks for a code"),
            Example(
                line: "lockstep try gotrue --project --url https://abc.supabase.co/auth/v1",
                meaning: "the same app on a project of yours: use addresses of your own"),
        ],
        endsBySignal: true
    ) { invocation, terminal in
        guard invocation.operands.count <= 1 else { throw UsageError("lockstep try accepts one provider. Name one.") }
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
        let run = { @Sendable (project: TryProject, summary: String) async throws in
            try await TryApp.run(on: project, options, summary, terminal, lines)
        }
        guard invocation.has("project") else {
            for option in ["url", "callback"] where invocation.has(option) {
                throw UsageError("--\(option) goes with --project.")
            }
            let (harness, variant) = try TryProject.emulator(name, variant: invocation["variant"])
            try await harness.withEnvironment(variant) { environment in
                try await run(
                    TryProject(name, environment), "\(TryProject.title(of: name)), variant \(variant.name): \(variant.summary)")
            }
            return .success
        }
        guard name != "memory", !invocation.has("variant") else {
            throw UsageError("--project is for a project of firebase, gotrue or clerk, as it is: leave out memory and --variant.")
        }
        let key = try await publicKey(terminal, lines)
        let project = try TryProject.real(name, url: invocation["url"], key: key, callback: invocation["callback"])
        try await run(project, "a project of yours: \(name)")
        return .success
    }

    private static func publicKey(_ terminal: Terminal, _ lines: InputLines) async throws -> Secret {
        if let key = Environment["LOCKSTEP_PUBLIC_KEY"], !key.isEmpty { return Secret(key) }
        let typed = try? await Dialogue(terminal, lines).askUnseen("The project's public key")
        guard let typed, !typed.isEmpty else {
            throw UsageError("--project needs the project's public key: type it, or set LOCKSTEP_PUBLIC_KEY.")
        }
        return Secret(typed)
    }
}
