import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepMigration
import LockstepPrimitives

extension MigrateDemo {
    /// The number of additional users on the source after the changes.
    static let growth = 1

    /// Changes the source, and copies the changes to the target.
    func follow(_ servers: DemoServers, _ folder: DemoFolder) async throws {
        try say("7. change, create and delete users on the source, and run follow")
        let (changed, deleted) = (Self.plainSignIns, Self.plainSignIns + 1)
        var values = UserValues()
        (values.displayName, values.appMetadata) = ("Renamed", ["role": "editor"])
        let source = servers.source.emulator.admin
        try await source.update(DemoServers.plainID(changed), values)
        try source.deleteUser(DemoServers.plainID(deleted))
        let new = (0...Self.growth).map { number -> JSON in
            [
                "localId": .string("new-\(number)"), "email": .string("new\(number)@example.com"), "emailVerified": true,
                "rawPassword": .string(OddUser.password.reveal()),
            ]
        }
        let problems = try await source.importUsers(["users": .array(new)])
        try check(problems.isEmpty, "firebase: 1 user changed, 1 deleted, \(new.count) new", "\(problems.map(\.reason))")
        let count = try servers.target.emulator.admin.userCount()
        let question = try await folder.lockstep("follow")
        try check(
            question.status == 2 && question.text.contains("create \(new.count) users, change 1 and delete 1")
                && (try servers.target.emulator.admin.userCount()) == count,
            "without --yes, nothing is written, and the exit status is 2", question.complaint)
        let run = try await folder.lockstep("follow", "--yes")
        try terminal.print(run.text)
        let found = try servers.target.emulator.admin.account(email: DemoServers.plainEmail(changed))
        let gone = try servers.target.emulator.admin.account(email: DemoServers.plainEmail(deleted))
        try check(
            run.status == 0 && found?.metadata["display_name"] == "Renamed" && gone == nil
                && (try servers.target.emulator.admin.userCount()) == created + Self.growth,
            "gotrue has the \(new.count) new users and the change, but not the deleted user", run.complaint)
        let again = try await folder.document("follow", "--yes")["follow"]
        try check(
            again?["passes"]?.int == 1 && again?["created"]?.int == 0 && again?["changed"]?.int == 0
                && again?["deleted"]?.int == 0,
            "a second run of follow finds nothing to do", "\(again?.text() ?? "none")")
        let signIn = try await servers.signIn("new0@example.com")
        try check(signIn == .session, "new-0".padded + "signs in with the password from firebase", "\(signIn)")
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
            !hashes.isEmpty && hashes.allSatisfy { $0["proven"] == true },
            "a temporary user signed in with each kind of hash in the plan", "\(document?.text() ?? "none")")
        let count = try servers.target.emulator.admin.userCount()
        try check(count == created, "the temporary users are removed", "\(count) users")
    }
}
