import LockstepPrimitives

extension Command {
    static let migrateDemo = Command(
        name: "migrate demo",
        summary: "show the whole move on two emulators, and check each step",
        about: """
            Starts both emulators, and fills the source with ordinary and unusual users. Plans and applies the move, kills its \
            own process in the middle, resumes the move and verifies it. Signs users in with old passwords and with Google, \
            copies later changes, and undoes the move. Checks each line that it prints. If PostgreSQL is installed, the demo \
            starts a server and writes the target's rows. Otherwise it writes through the target's API, and lists what the API \
            cannot write.
            """,
        options: [
            Option("from", .choice(["firebase"]), "the source (default: firebase)"),
            Option("to", .choice(["gotrue"]), "the target (default: gotrue)"),
            Option("api-only", .none, "write through the target's API only"),
            Option("users", .number("N", 20...100_000), "the number of users on the source (default: about 2000)"),
        ],
        examples: [
            Example(line: "lockstep migrate demo --from firebase --to gotrue", meaning: "with about 2000 users"),
            Example(line: "lockstep migrate demo --api-only --users 100", meaning: "through the API, with fewer users"),
        ],
        failure: "a check of the demo failed"
    ) { invocation, terminal in
        try await MigrateDemo(users: invocation.number("users"), isAPIOnly: invocation.has("api-only"), terminal).run()
    }
}
