import LockstepMigration
import LockstepPrimitives

extension Command {
    static let migrateFollow = verb(
        "follow",
        summary: "copy later changes on the source to the target",
        about: """
            Reads the source again and again, until a pass finds nothing to do. Creates new users according to the plan. Repeats \
            changes and deletions on the target for users who were not changed there. Lists all other changed users. Without \
            --yes, asks before it writes.
            """,
        options: consent + [UserNames.option],
        examples: [
            Example(line: "lockstep migrate follow", meaning: "show what would be created, changed and deleted"),
            Example(
                line: "lockstep migrate follow --yes",
                meaning: "make these changes; if the run is killed, the same command continues it"),
        ],
        failure: "a backend failed too often", difference: "some users were not changed, so the target differs from the source"
    ) { session, invocation in
        try session.showHeader()
        let progress = session.progress { "\($0) users were read from the source" }
        let dry = try await session.working("follow") { move in try await move.follow(isDry: true, progress: progress) }
        guard
            try await session.isAllowed(
                "follow", "create \(dry.created) users, change \(dry.changed) and delete \(dry.deleted)", dry.references)
        else { return .usage }
        let report = try await session.working("follow") { move in try await move.follow(isDry: false, progress: progress) }
        let names = try await UserNames(report.named.map(\.sourceID), session, invocation)
        try session.show(report.text(names) + "\ncontinue with: \(session.command("verify"))\n", "follow", report.json(names))
        try await session.folder.writeMap()
        return report.isSuccess ? .success : .differences
    }
}
