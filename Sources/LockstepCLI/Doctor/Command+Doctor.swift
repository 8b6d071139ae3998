import LockstepDoctor
import LockstepPrimitives

extension Command {
    /// The command `lockstep doctor`.
    static let doctor = Command(
        name: "doctor",
        summary: "check the settings of a real project, and report what is risky",
        about: """
            Reads the settings of a project. It reports what an app can rely on, what is risky, and what the project does not \
            disclose. It changes nothing in the project. Without a provider, it checks this machine. If no project is named, or \
            its address is that of a running emulator of yours, it reads the emulator's settings, and says which would be risky in \
            production. Keys come from the environment, or from a prompt that does not show them. Supabase: \
            SUPABASE_PUBLISHABLE_KEY, SUPABASE_SERVICE_ROLE_KEY, SUPABASE_ACCESS_TOKEN. Firebase: FIREBASE_API_KEY, \
            FIREBASE_ACCESS_TOKEN, or GOOGLE_APPLICATION_CREDENTIALS (the path of a service account file). Clerk: \
            CLERK_PUBLISHABLE_KEY, CLERK_SECRET_KEY.
            """,
        operands: Operands(
            placeholder: "PROVIDER", summary: Providers.names.listedAsChoice + " (default: this machine)",
            choices: Providers.names,
            option: "provider"),
        options: [
            Option("url", .text("URL"), "gotrue: the URL of the auth API; firebase and clerk: the URL of an emulator"),
            Option(
                "project", .text("ID"), "the project's reference (gotrue) or id (firebase), to read the project's configuration"),
            Option(
                "probe", .none,
                "firebase: also send two POST requests with an unknown address; they create no user and send no email"),
            Option(
                "format", .choice(["table", "json", "markdown", "github"]),
                "\"table\" for people, \"json\" for scripts, \"markdown\" for pages, \"github\" for workflows", standard: "table"),
        ],
        examples: [
            Example(
                line: "lockstep doctor gotrue --url https://abc.supabase.co/auth/v1",
                meaning: "a Supabase project; the command asks for its key"),
            Example(line: "lockstep doctor gotrue", meaning: "the running emulator"),
            Example(line: "lockstep doctor firebase --probe --format github", meaning: "in a workflow"),
        ],
        failure: "a finding has the level \"fail\", or the project did not respond"
    ) { invocation, terminal in
        guard invocation.operands.count <= 1 else { throw UsageError("\"lockstep doctor\" accepts only one provider.") }
        let report: DoctorReport
        if let name = invocation.operands.first {
            do {
                report = try await DoctorProject(name, invocation, terminal).doctor().report()
            } catch let error as DoctorError {
                throw error.isUsage ? UsageError(error.description) : CommandFailure(error.description)
            }
        } else {
            for option in ["url", "project", "probe"] where invocation.has(option) {
                throw UsageError("--\(option) needs a provider. Add \(Providers.names.listedAsChoice).")
            }
            report = try await LocalMachine.current().report
        }
        switch invocation["format"] {
        case "json": try terminal.print(report.json.text(.indented))
        case "markdown": try terminal.print(report.markdown)
        case "github": try terminal.print(report.workflowCommands)
        default: try terminal.print(DoctorPage(report, width: terminal.width, paint: terminal.paint).text)
        }
        return report.count(.fail) == 0 ? .success : .failure
    }
}
