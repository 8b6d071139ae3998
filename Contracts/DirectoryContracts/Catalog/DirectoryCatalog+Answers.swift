internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension DirectoryCatalog {
    static let ownAnswers = DirectoryContract(
        "directory.own-answers",
        """
        If a response is about a different user than the request, every call throws `invalidResponse`. The directory neither \
        returns nor changes the other user.
        """
    ) { world in
        let directory = try world.directory()
        let ada = try await directory.create(world.user("ada"))
        let bob = try await directory.create(world.user("bob"))

        _ = try await directory.user(id: bob.id)
        try world.project.fail(.lookup, with: .earlierAnswer)
        await world.expect(.invalidResponse, "a user by id") { () async throws(AuthError) in
            _ = try await directory.user(id: ada.id)
        }

        _ = try await directory.user(email: "bob@example.com")
        try world.project.fail(.search, with: .earlierAnswer)
        await world.expect(.invalidResponse, "a user by address") { () async throws(AuthError) in
            _ = try await directory.user(email: "ada@example.com")
        }

        _ = try await directory.users(emails: ["bob@example.com"])
        try world.project.fail(.search, with: .earlierAnswer)
        await world.expect(.invalidResponse, "users by address") { () async throws(AuthError) in
            _ = try await directory.users(emails: ["ada@example.com"])
        }

        // The read before or after a change returns another user.
        var changes = DirectoryChanges()
        changes.email = "new@example.com"
        changes.isEmailConfirmed = true
        _ = try await directory.user(id: bob.id)
        try world.project.fail(.lookup, with: .earlierAnswer)
        let change = changes
        await world.expect(.invalidResponse, "a change after a lookup that returned another user") { () async throws(AuthError) in
            _ = try await directory.update(ada.id, change)
        }
        let read = try await directory.user(id: bob.id)
        world.expect(read == bob, "the change was made to the user in the wrong response")

        // The response to the change itself contains another user.
        changes = DirectoryChanges()
        changes.displayName = "Bob"
        _ = try await directory.update(bob.id, changes)
        changes.displayName = "Ada"
        try world.project.fail(.change, with: .earlierAnswer)
        let naming = changes
        do throws(AuthError) {
            _ = try await directory.update(ada.id, naming)
            world.report("a change succeeded, although its response contained another user")
        } catch {
            world.expect(error.code == .invalidResponse, "a change with another user in the response failed with \(error)")
            let isUnknown = if case .unknown = DirectoryOutcome(of: error) { true } else { false }
            world.expect(isUnknown, "a change with another user in the response was reported as not done")
        }
        let name = try await directory.user(id: bob.id).displayName
        world.expect(name == "Bob", "the name of the user in the wrong response is \(name ?? "nothing")")

        try world.project.fail(.creation, with: .earlierAnswer)
        await world.expect(.invalidResponse, "a new user") { () async throws(AuthError) in
            _ = try await directory.create(world.user("carol"))
        }
    }
}
