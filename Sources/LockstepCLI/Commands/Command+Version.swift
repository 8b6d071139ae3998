import LockstepComparison
import LockstepPrimitives

extension Command {
    /// The command `lockstep version`.
    static let version = Command(
        name: "version",
        summary: "show release and commit",
        about: "Shows the release of this command, and the commit that it was built from if the build knows it.",
        options: [Option("format", .choice(["text", "json"]), "text for a person (default), json for a program")],
        examples: [
            Example(line: "lockstep version", meaning: "one line; also: lockstep --version, lockstep -v"),
            Example(line: "lockstep version --format json", meaning: "for a program"),
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
