internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension DirectoryCatalog {
    static let createdSignsIn = DirectoryContract(
        "directory.created-signs-in",
        "If a user is created with a password, the user can sign in with this password through the adapter, and with no other password."
    ) { world in
        let directory = try world.directory()
        let made = try await directory.create(world.user("ada"))
        world.expect(made.email == "ada@example.com" && made.isEmailConfirmed, "the address is \(made.email ?? "none")")
        let read = try await directory.user(id: made.id)
        world.expect(read == made, "the lookup returned different data than the creation")
        let found = try await directory.user(email: "ADA@example.com")
        world.expect(found?.id == made.id, "a search by address does not find the user")
        let refusal = try await world.refusal("ada@example.com")
        world.expect(refusal == nil, "the sign-in failed with \(refusal.map { "\($0)" } ?? "")")
        let wrong = try await world.refusal("ada@example.com", "Wrong-Horse-2")
        world.expect(
            wrong?.code == .invalidCredentials,
            "with another password the sign-in returned \(wrong.map { "\($0)" } ?? "a session")")
    }

    static let hashSignsIn = DirectoryContract(
        "directory.hash-signs-in",
        """
        If a user is created with a hash of another system, the user can sign in with the old password. If the backend cannot \
        verify a hash, no user is created.
        """
    ) { world in
        let directory = try world.directory()
        guard directory.features.contains(.passwordHashes) else { return }
        for (number, hash) in SampleHash.all.enumerated() {
            _ = try await directory.create(world.user("hash\(number)", .hash(hash)))
            let refusal = try await world.refusal("hash\(number)@example.com", SampleHash.password)
            world.expect(refusal == nil, "hash \(number): the sign-in failed with \(refusal.map { "\($0)" } ?? "")")
            let wrong = try await world.refusal("hash\(number)@example.com", "Wrong-Horse-2")
            world.expect(wrong?.code == .invalidCredentials, "hash \(number) accepts another password")
        }
        await world.expect(.invalidInput, "an unreadable hash") { () async throws(AuthError) in
            _ = try await directory.create(world.user("broken", .hash(SampleHash.unreadable)))
        }
        let broken = try await directory.user(email: "broken@example.com")
        world.expect(broken == nil, "the directory created a user with an unreadable hash")
    }

    static let disabled = DirectoryContract(
        "directory.disabled",
        "If a user is disabled, at creation or later, the directory shows this, and the user cannot sign in. "
            + "An enabled user can sign in again.",
        buildsOn: ["directory.created-signs-in"]
    ) { world in
        let directory = try world.directory()
        guard directory.features.contains(.disabling) else { return }
        var new = world.user("made")
        new.isDisabled = true
        let made = try await directory.create(new)
        let later = try await directory.create(world.user("later"))
        var changes = DirectoryChanges()
        changes.isDisabled = true
        let changed = try await directory.update(later.id, changes)
        world.expect(made.isDisabled && changed.isDisabled, "the directory shows a disabled user as enabled")
        for name in ["made", "later"] {
            let refusal = try await world.refusal("\(name)@example.com")
            world.expect(refusal != nil, "\(name): a disabled user signed in")
        }
        changes.isDisabled = false
        let enabled = try await directory.update(later.id, changes)
        world.expect(!enabled.isDisabled, "the directory shows an enabled user as disabled")
        let refusal = try await world.refusal("later@example.com")
        world.expect(refusal == nil, "the sign-in of an enabled user failed with \(refusal.map { "\($0)" } ?? "")")
    }

    static let deleted = DirectoryContract(
        "directory.deleted",
        "A deleted user is not found, is not listed, and cannot sign in. A second deletion reports that the user does not exist.",
        buildsOn: ["directory.created-signs-in"]
    ) { world in
        let directory = try world.directory()
        let one = try await directory.create(world.user("one"))
        let many = try await directory.create(world.user("many"))
        let other = try await directory.create(world.user("other"))
        try await directory.delete(one.id)
        let outcomes = await directory.delete([many.id])
        world.expect(outcomes.count == 1 && outcomes[0].error == nil, "the outcome of a batch of one is \(outcomes)")
        for user in [one, many] {
            await world.expect(.userNotFound, "a lookup of a deleted user by id") { () async throws(AuthError) in
                _ = try await directory.user(id: user.id)
            }
            await world.expect(.userNotFound, "a second deletion of a user") { () async throws(AuthError) in
                try await directory.delete(user.id)
            }
            let found = try await directory.user(email: user.email ?? "")
            world.expect(found == nil, "a search by address finds a deleted user")
            let refusal = try await world.refusal(user.email ?? "")
            world.expect(refusal != nil, "a deleted user signed in")
        }
        var listed: [String] = []
        for try await user in directory.all() { listed.append(user.id) }
        world.expect(listed == [other.id], "the list contains \(listed.count) users, expected only the remaining one")
    }
}
