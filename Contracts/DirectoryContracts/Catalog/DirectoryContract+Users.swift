internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension DirectoryContract {
    static let createdSignsIn = DirectoryContract(
        "directory.created-signs-in",
        "If a user is created with a password, the user can sign in with this password through the adapter, and with no other password."
    ) { world in
        let directory = try world.directory()
        let made = try await directory.create(world.user("ada"))
        world.expect(made.email == "ada@example.com" && made.isEmailConfirmed, "the address is \(made.email ?? "none")")
        let read = try await directory.user(id: made.id)
        world.expect(read == made, "the user is read otherwise than made")
        let found = try await directory.user(email: "ADA@example.com")
        world.expect(found?.id == made.id, "the user is not found by the address")
        let refusal = try await world.refusal("ada@example.com")
        world.expect(refusal == nil, "the sign-in is refused: \(refusal.map { "\($0)" } ?? "")")
        let wrong = try await world.refusal("ada@example.com", "Wrong-Horse-2")
        world.expect(wrong?.code == .invalidCredentials, "with another password it is \(wrong.map { "\($0)" } ?? "let in")")
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
            world.expect(refusal == nil, "hash \(number) is refused: \(refusal.map { "\($0)" } ?? "")")
            let wrong = try await world.refusal("hash\(number)@example.com", "Wrong-Horse-2")
            world.expect(wrong?.code == .invalidCredentials, "hash \(number) lets in another password")
        }
        await world.expect(.invalidInput, "an unreadable hash") { () async throws(AuthError) in
            _ = try await directory.create(world.user("broken", .hash(SampleHash.unreadable)))
        }
        let broken = try await directory.user(email: "broken@example.com")
        world.expect(broken == nil, "the user with an unreadable hash was made")
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
        world.expect(made.isDisabled && changed.isDisabled, "a disabled user is not shown as such")
        for name in ["made", "later"] {
            let refusal = try await world.refusal("\(name)@example.com")
            world.expect(refusal != nil, "\(name): a disabled user signs in")
        }
        changes.isDisabled = false
        let enabled = try await directory.update(later.id, changes)
        world.expect(!enabled.isDisabled, "an enabled user is shown as disabled")
        let refusal = try await world.refusal("later@example.com")
        world.expect(refusal == nil, "an enabled user is refused: \(refusal.map { "\($0)" } ?? "")")
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
        world.expect(outcomes.count == 1 && outcomes[0].error == nil, "a batch of one is \(outcomes)")
        for user in [one, many] {
            await world.expect(.userNotFound, "a deleted user by id") { () async throws(AuthError) in
                _ = try await directory.user(id: user.id)
            }
            await world.expect(.userNotFound, "a deleted user, deleted again") { () async throws(AuthError) in
                try await directory.delete(user.id)
            }
            let found = try await directory.user(email: user.email ?? "")
            world.expect(found == nil, "a deleted user is found by the address")
            let refusal = try await world.refusal(user.email ?? "")
            world.expect(refusal != nil, "a deleted user signs in")
        }
        var listed: [String] = []
        for try await user in directory.all() { listed.append(user.id) }
        world.expect(listed == [other.id], "\(listed.count) users are listed, not the one that is left")
    }
}
