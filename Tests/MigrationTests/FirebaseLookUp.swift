import LockstepCurl
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepPrimitives

@testable import LockstepMigration

/// The source's users, read and changed during a run.
enum FirebaseLookUp {
    private static func directory(_ world: MoveWorld) throws -> FirebaseDirectory {
        try FirebaseDirectory(
            url: world.source.base, project: world.source.emulator.settings.project, transport: CurlTransport())
    }

    /// A user as in the list, with the hash.
    static func user(_ id: String, in world: MoveWorld, _ folder: RunFolder) async throws -> DirectoryUser {
        for try await user in try await directory(world).readingHashes().all() where user.id == id { return user }
        throw AuthError(.userNotFound, "The source has no such user.")
    }

    static func update(_ id: String, in world: MoveWorld, _ change: (inout DirectoryChanges) -> Void) async throws {
        var changes = DirectoryChanges()
        change(&changes)
        _ = try await directory(world).update(id, changes)
    }

    static func delete(_ id: String, in world: MoveWorld) async throws { try await directory(world).delete(id) }
}
