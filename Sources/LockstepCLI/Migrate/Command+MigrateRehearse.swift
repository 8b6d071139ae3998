import LockstepPrimitives

extension Command {
    /// The command `lockstep migrate rehearse`.
    static let migrateRehearse: Command = {
        var command = Command(
            name: "migrate \(MigrateRehearsal.verb)",
            summary: "move your own users into an emulator on this machine, and let your app sign them in",
            about: """
                Reads the real source, starts an emulator with the settings of the real target, and plans, applies and verifies the \
                move into it, with temporary users who sign in. Sends only reads to the source, and reads only the settings of the \
                real target. With --serve, keeps the emulator running until Ctrl-C. As the users are real people, the emulator \
                listens only on this machine, its keys are random, and nobody reads its messages without the control token. At \
                the end, the users and all files of the rehearsal are removed.
                """,
            options: [
                Option("sample", .number("N", 1...1_000_000), "only N users, those with unusual values first (default: all)"),
                Option("serve", .none, "keep the emulator running until Ctrl-C"),
                Option("port", .number("N", 0...65_535), "with --serve, the port of the emulator (default: as lockstep serve)"),
                Option("ready-file", .path("FILE"), "with --serve, write the ready line to a file, which is removed at the end"),
                Option("yes", .none, "copy the users to this machine without asking"),
                Option("keep", .none, "keep the journal, the map of the ids and the log of the requests"), UserNames.option,
                Option("move", .path("FILE"), "the file that names the source and the target (default: move.json)"),
                Option("format", .choice(["text", "json"]), "output format (default: text)"),
            ],
            examples: [
                Example(line: "lockstep migrate rehearse --sample 500", meaning: "with 500 users, after a question"),
                Example(line: "lockstep migrate rehearse --serve --yes", meaning: "with all users, for your app"),
            ],
            endsBySignal: true, failure: "the emulator rejected users, or a backend failed too often"
        ) { invocation, terminal in
            try await reporting(invocation, terminal) {
                try await MigrateRehearsal(try MoveFile(try MoveFile.path(for: invocation)), invocation, terminal).run()
            }
        }
        command.difference = "users differ or are missing, or a temporary user could not sign in"
        return command
    }()
}
