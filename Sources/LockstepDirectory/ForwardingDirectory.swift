package import Lockstep

/// A directory in front of another directory: it forwards each call that the conforming type does not replace.
///
/// A snapshot is the exception: it has no front unless the conforming type makes one.
package protocol ForwardingDirectory: UserDirectory {
    var base: any UserDirectory { get }
}

extension ForwardingDirectory {
    package var name: String { base.name }
    package var backend: String { base.backend }
    package var features: Set<DirectoryFeature> { base.features }
    package var order: DirectoryOrder { base.order }

    package func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        try await base.page(after: cursor, size: size)
    }
    package func user(id: String) async throws(AuthError) -> DirectoryUser { try await base.user(id: id) }
    package func user(email: String) async throws(AuthError) -> DirectoryUser? { try await base.user(email: email) }
    package func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await base.users(requests)
    }
    package func count() async throws(AuthError) -> Int { try await base.count() }
    package func demands() async throws(AuthError) -> DirectoryDemands { try await base.demands() }
    package func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { try await base.create(user) }
    package func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try await base.update(id, changes)
    }
    package func delete(_ id: String) async throws(AuthError) { try await base.delete(id) }
    package func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] { await base.create(users) }
    package func delete(_ ids: [String]) async -> [DirectoryOutcome] { await base.delete(ids) }
}
