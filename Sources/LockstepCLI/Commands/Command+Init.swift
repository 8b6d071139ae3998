import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep init`.
    static let initialize = Command(
        name: "init",
        summary: "write a starter lockstep.json and seed.json",
        about: """
            Writes lockstep.json with the settings of serve and exec. They apply to this folder and the folders below it. Also \
            writes seed.json with the users that the emulators start with. Both files name their schemas, with which an editor \
            completes and checks them. An existing file is left unchanged.
            """,
        operands: .providers,
        options: [
            Option(
                "compose", .none,
                "instead, write compose.yaml for the emulators in a container, and .env with their random keys")
        ],
        examples: [
            Example(line: "lockstep init", meaning: "for the three emulators"),
            Example(line: "lockstep init gotrue", meaning: "for a team that uses only Supabase"),
            Example(line: "lockstep init --compose && docker compose up", meaning: "the emulators in a container"),
        ]
    ) { invocation, terminal in
        for name in ["lockstep.yaml", "lockstep.yml"] where try Folder.isThere(name) {
            throw UsageError(
                "\"\(name)\" is YAML, but lockstep reads only \(configurationName). Remove the YAML file, and run lockstep init again."
            )
        }
        let isCompose = invocation.has("compose")
        guard !isCompose || invocation.operands.isEmpty else {
            throw UsageError("--compose starts all emulators. Remove the provider, and name it in \"command\" of compose.yaml.")
        }
        let files: [(name: String, text: String, mode: UInt32)] =
            isCompose
            ? [("compose.yaml", ComposeFile.text, 0o644), (".env", ComposeFile.variables(SystemRandomness()), 0o600)]
            : [
                (configurationName, firstConfiguration(for: invocation.operands).text(.indented) + "\n", 0o644),
                ("seed.json", firstSeed.text(.indented) + "\n", 0o644),
            ]
        let missing = try files.filter { try FileStatus(of: $0.name) == nil }
        guard !missing.isEmpty else {
            let names = files.map(\.name).joined(separator: " and ")
            throw UsageError("\(names) already exist. Edit them, or run lockstep init in another folder.")
        }
        for (name, text, mode) in files {
            guard missing.contains(where: { $0.name == name }) else {
                try terminal.print("\(name): left unchanged")
                continue
            }
            do throws(SystemError) {
                try AtomicFile.replace(name, with: Array(text.utf8), mode: mode)
            } catch {
                throw UsageError("\"\(name)\" cannot be written: \(error.reason). Run lockstep init in a folder that you own.")
            }
            try terminal.print("\(name): written")
        }
        if terminal.isTerminal {
            try terminal.print(
                "Next: \(isCompose ? "docker compose up" : "lockstep serve"), in this folder. It reads both files.")
        }
        return .success
    }

    private static func firstConfiguration(for providers: [String]) -> JSON {
        var members: JSONObject = ["$schema": .string(schema("lockstep")), "version": .int(ConfigurationFile.version)]
        if !providers.isEmpty { members["provider"] = .array(providers.map { .string($0) }) }
        if sharedSettings.contains(where: { $0.member == "seed" }) { members["seed"] = "seed.json" }
        return .object(members)
    }

    /// The address of a schema that `make install` or a package has installed in one of the system's folders for data.
    private static func schema(_ name: String) -> String {
        let named = (Environment["XDG_DATA_DIRS"] ?? "").pieces(at: ":").filter { $0.hasPrefix("/") }.map { String($0) }
        let usual = ["/usr/local/share", "/usr/share"]
        let paths = (named + usual).map { "\($0)/lockstep/\(name).schema.json" }
        let found = paths.first { (try? Folder.isThere($0)) == true }
        return "file://" + (found ?? "/usr/local/share/lockstep/\(name).schema.json")
    }

    private static var firstSeed: JSON {
        [
            "$schema": .string(schema("seed")), "version": 1,
            "users": [
                [
                    "email": "ada@example.com", "emailConfirmed": true, "password": "Correct-Horse-1",
                    "displayName": "Ada Lovelace",
                ]
            ],
        ]
    }
}
