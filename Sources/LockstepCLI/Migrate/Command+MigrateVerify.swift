import LockstepMigration
import LockstepPrimitives

extension Command {
    static let migrateVerify = verb(
        "verify",
        summary: "read the target once and compare each user",
        about: """
            Reads all users of the target, compares them with the run, and shows the values that differ. Without --canaries it \
            writes to neither side. With --canaries it creates temporary users on the target, signs them in through the public \
            API, and removes them.
            """,
        options: [
            Option("canaries", .none, "also verify sign-ins, with temporary users that are created and removed")
        ] + consent + [UserNames.option],
        examples: [
            Example(line: "lockstep migrate verify --format json", meaning: "the newest run, as JSON for scripts"),
            Example(line: "lockstep migrate verify --canaries --yes", meaning: "also verify that passwords work"),
        ],
        failure: "a backend failed too often",
        difference: "users differ, are missing, or have not been created yet, or a temporary user could not sign in"
    ) { session, invocation in
        try session.showHeader()
        let hasCanaries = invocation.has("canaries")
        let verb = hasCanaries ? "verify --canaries" : "verify"
        if hasCanaries {
            guard session.ends.adapter != nil else {
                throw UsageError(
                    "\(session.file.path): --canaries needs \"to.\(session.ends.publicKey)\", the public key of the target. Add it."
                )
            }
            let kinds = try await session.move.plannedSummary().hashes.count
            guard try await session.isAllowed(verb, "create and remove \(kinds + 2) temporary users") else { return .usage }
        }
        let adapter = hasCanaries ? session.ends.adapter : nil
        let progress = session.progress { "\($0) users read" }
        let report = try await session.working(verb) { move in
            try await move.verify(signingInThrough: adapter, progress: progress)
        }
        let names = try await UserNames(report.differing.map(\.sourceID) + report.missing, session, invocation)
        try session.show(report.text(names), "verify", report.json(names))
        return report.isSuccess ? .success : .differences
    }
}
