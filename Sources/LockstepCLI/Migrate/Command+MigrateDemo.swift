import LockstepPrimitives

extension Command {
    static let migrateDemo = Command(
        name: "migrate demo",
        summary: "show the whole move on two emulators, and check each step",
        about: """
            Starts both emulators, and fills the source with ordinary and unusual users. Plans, applies, kills its own process \
            in the middle, resumes and verifies. Signs users in with their old passwords, follows changes of the source, and \
            undoes. Each line is checked. So far it writes only through the target's API: times, identities and second factors stay \
            behind, and the plan says so.
            """,
        options: [
            Option("from", .choice(["firebase"]), "the source (default: firebase)"),
            Option("to", .choice(["gotrue"]), "the target (default: gotrue)"),
            Option("api-only", .none, "write only through the target's API (so far, always the case)"),
            Option("users", .number("N", 20...100_000), "how many users the source has (default: 100)"),
        ],
        examples: [
            Example(line: "lockstep migrate demo --from firebase --to gotrue --api-only", meaning: "with 100 users"),
            Example(line: "lockstep migrate demo --users 2000", meaning: "with more users"),
        ],
        failure: "a check of the demo failed"
    ) { invocation, terminal in
        try await MigrateDemo(users: invocation.number("users") ?? 100, terminal).run()
    }
}
