import LockstepPrimitives

extension Command {
    static let migrateDemo = Command(
        name: "migrate demo",
        summary: "show the whole move on two emulators, and check each step",
        about: """
            Starts both emulators, and fills the source with ordinary and unusual users. Plans and applies the move, kills its \
            own process in the middle, resumes the move and verifies it. Signs users in with old passwords and with Google, \
            copies later changes, and undoes the move. Checks each line that it prints. If PostgreSQL is installed, the demo \
            starts a server and uses GoTrue's rows. Otherwise it uses only GoTrue's API, and lists what the API cannot do.
            """,
        options: [
            Option("from", .choice(MoveProvider.names), "the source (default: firebase)"),
            Option("to", .choice(MoveProvider.names), "the target (default: gotrue, or firebase for a source gotrue)"),
            Option("api-only", .none, "use only the APIs, without the rows of GoTrue"),
            Option("users", .number("N", 20...100_000), "the number of users on the source (default: about 2000)"),
        ],
        examples: [
            Example(line: "lockstep migrate demo --from firebase --to gotrue", meaning: "with about 2000 users"),
            Example(line: "lockstep migrate demo --from gotrue --to firebase", meaning: "the other direction"),
            Example(line: "lockstep migrate demo --from firebase --to clerk", meaning: "to a target that makes the ids"),
            Example(line: "lockstep migrate demo --api-only --users 100", meaning: "through the API, with fewer users"),
        ],
        failure: "a check of the demo failed"
    ) { invocation, terminal in
        let from = invocation["from"] ?? MoveProvider.firebase.name
        let target = invocation["to"].flatMap(MoveProvider.named) ?? MoveProvider.other(than: from)
        guard let source = MoveProvider.named(from), source.name != target.name else {
            throw UsageError("the demo moves users from one provider to another. Choose two different ones with --from and --to.")
        }
        return try await MigrateDemo(
            from: source, to: target, users: invocation.number("users"), isAPIOnly: invocation.has("api-only"), terminal
        ).run()
    }
}
