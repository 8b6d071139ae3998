import LockstepComparison
import LockstepPrimitives

extension Command {
    /// The command `lockstep version`.
    static let version = Command(
        name: "version",
        summary: "show the release and the commit",
        about: "Shows the release of this command. If the build recorded the commit, shows the commit too.",
        options: [Option("format", .choice(["text", "json"]), "\"text\" for people (default), \"json\" for scripts")],
        examples: [
            Example(line: "lockstep version", meaning: "on one line; lockstep --version and lockstep -v print the same"),
            Example(line: "lockstep version --format json", meaning: "as JSON, for scripts"),
        ]
    ) { invocation, terminal in
        guard invocation["format"] == "json" else {
            try terminal.print(Release.line)
            return .success
        }
        let document: JSON = [
            "version": .int(Comparison.formatVersion), "release": .string(Release.version),
            "commit": Release.commit.map { .string($0) } ?? .null,
        ]
        try terminal.print(document.text(.indented))
        return .success
    }
}
