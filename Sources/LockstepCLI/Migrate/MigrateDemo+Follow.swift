import LockstepEmulation
import LockstepMigration
import LockstepPrimitives

extension MigrateDemo {
    /// The number of additional users on the source after the changes.
    static let growth = 1

    /// Changes the source, and copies the changes to the target.
    func follow(_ servers: DemoServers, _ folder: DemoFolder) async throws {
        try say("7. change, create and delete users on the source, and run follow")
        let (changed, deleted) = (Self.plainSignIns, Self.plainSignIns + 1)
        let new = Self.growth + 1
        try await servers.source.change(servers.plainID(changed), name: "Renamed", claims: ["role": "editor"])
        try await servers.source.delete(servers.plainID(deleted))
        let problems = try await servers.add(new)
        try check(problems.isEmpty, "\(servers.source.name): 1 user changed, 1 deleted, \(new) new", "\(problems)")
        try folder.write(servers.source.export())
        let count = try servers.target.userCount()
        let question = try await folder.lockstep("follow")
        try check(
            question.status == 2 && question.text.contains("create \(new) users, change 1 and delete 1")
                && (try servers.target.userCount()) == count,
            "without --yes, nothing is written, and the exit status is 2", question.complaint)
        let run = try await folder.lockstep("follow", "--yes")
        try terminal.print(run.text)
        let found = try servers.target.displayName(email: DemoServers.plainEmail(changed))
        let gone = try servers.target.displayName(email: DemoServers.plainEmail(deleted))
        try check(
            run.status == 0 && found == "Renamed" && gone == nil
                && (try servers.target.userCount()) == created + Self.growth,
            "\(servers.target.name) has the \(new) new users and the change, but not the deleted user", run.complaint)
        let again = try await folder.document("follow", "--yes")["follow"]
        try check(
            again?["passes"]?.int == 1 && again?["created"]?.int == 0 && again?["changed"]?.int == 0
                && again?["deleted"]?.int == 0,
            "a second run of follow finds nothing to do", "\(again?.text() ?? "none")")
        let signIn = try await servers.signIn("new0@example.com")
        try check(signIn == expectedOfPlain(servers), "new-0".padded + words(ofPlain: signIn), "\(signIn)")
    }

    /// Verifies sign-ins with temporary users.
    func canaries(_ servers: DemoServers, _ folder: DemoFolder) async throws {
        let document = try await folder.document("verify", "--canaries", "--yes")["verify"]
        let checks = document?["canaries"]?["checks"]?.array ?? []
        for check in checks {
            let claim = check["claim"]?.string ?? ""
            try self.check(check["failure"]?.isNull == true, claim, check["failure"]?.string ?? "")
        }
        let hashes = document?["hashes"]?.array ?? []
        try check(
            hashes.isEmpty != servers.source.showsHashes && hashes.allSatisfy { $0["proven"] == true },
            "a temporary user signed in with each kind of hash in the plan", "\(document?.text() ?? "none")")
        let count = try servers.target.userCount()
        try check(count == created, "the temporary users are removed", "\(count) users")
    }
}
