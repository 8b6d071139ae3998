import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep init`.
    static let initialize = Command(
        name: "init",
        summary: "write a starter lockstep.json and seed.json",
        about: """
            Writes lockstep.json with the settings of serve and exec. They apply to this folder and the folders below it. Also \
            writes seed.json with the users that the emulators start with. An existing file is left unchanged.
            """,
        operands: .providers, options: [],
        examples: [
            Example(line: "lockstep init", meaning: "for the three emulators"),
            Example(line: "lockstep init gotrue", meaning: "for a team that uses only Supabase"),
        ]
    ) { invocation, terminal in
        for name in ["lockstep.yaml", "lockstep.yml"] where try Folder.isThere(name) {
            throw UsageError(
                "\"\(name)\" is YAML, but lockstep reads only \(configurationName). Remove the YAML file, and run lockstep init again."
            )
        }
        let files = [
            (configurationName, firstConfiguration(for: invocation.operands).text(.indented) + "\n"),
            ("seed.json", firstSeed.text(.indented) + "\n"),
        ]
        let missing = try files.filter { try FileStatus(of: $0.0) == nil }
        guard !missing.isEmpty else {
            throw UsageError("lockstep.json and seed.json already exist. Edit them, or run lockstep init in another folder.")
        }
        for (name, text) in files {
            guard missing.contains(where: { $0.0 == name }) else {
                try terminal.print("\(name): left unchanged")
                continue
            }
            do throws(SystemError) {
                try AtomicFile.replace(name, with: Array(text.utf8), mode: 0o644)
            } catch {
                throw UsageError("\"\(name)\" cannot be written: \(error.reason). Run lockstep init in a folder that you own.")
            }
            try terminal.print("\(name): written")
        }
        if terminal.isTerminal { try terminal.print("Next: lockstep serve, in this folder. It reads both files.") }
        return .success
    }

    private static func firstConfiguration(for providers: [String]) -> JSON {
        var members: JSONObject = ["version": .int(ConfigurationFile.version)]
        if !providers.isEmpty { members["provider"] = .array(providers.map { .string($0) }) }
        if sharedSettings.contains(where: { $0.member == "seed" }) { members["seed"] = "seed.json" }
        return .object(members)
    }

    private static let firstSeed: JSON = [
        "version": 1,
        "users": [
            ["email": "ada@example.com", "emailConfirmed": true, "password": "Correct-Horse-1", "displayName": "Ada Lovelace"]
        ],
    ]
}
