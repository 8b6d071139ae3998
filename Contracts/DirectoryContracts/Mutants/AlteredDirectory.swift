internal import Lockstep
internal import LockstepDirectory

/// A directory that forwards each call to another directory, except the replaced calls.
struct AlteredDirectory: ForwardingDirectory {
    let base: any UserDirectory
    var onPage: @Sendable (any UserDirectory, DirectoryCursor?, Int) async throws(AuthError) -> DirectoryPage
    var onUser: @Sendable (any UserDirectory, String) async throws(AuthError) -> DirectoryUser
    var onUsers: @Sendable (any UserDirectory, [RequestedUser]) async throws(AuthError) -> [DirectoryUser?]
    var onCreate: @Sendable (any UserDirectory, NewDirectoryUser) async throws(AuthError) -> DirectoryUser
    var onUpdate: @Sendable (any UserDirectory, String, DirectoryChanges) async throws(AuthError) -> DirectoryUser
    var onCreateAll: @Sendable (any UserDirectory, [NewDirectoryUser]) async -> [DirectoryOutcome]
    var onDeleteAll: @Sendable (any UserDirectory, [String]) async -> [DirectoryOutcome]

    /// Creates a directory that changes no call.
    init(_ base: any UserDirectory) {
        self.base = base
        onPage = { base, cursor, size throws(AuthError) in try await base.page(after: cursor, size: size) }
        onUser = { base, id throws(AuthError) in try await base.user(id: id) }
        onUsers = { base, requests throws(AuthError) in try await base.users(requests) }
        onCreate = { base, user throws(AuthError) in try await base.create(user) }
        onUpdate = { base, id, changes throws(AuthError) in try await base.update(id, changes) }
        onCreateAll = { base, users in await base.create(users) }
        onDeleteAll = { base, ids in await base.delete(ids) }
    }

    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        try await onPage(base, cursor, size)
    }

    func user(id: String) async throws(AuthError) -> DirectoryUser { try await onUser(base, id) }

    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] { try await onUsers(base, requests) }

    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { try await onCreate(base, user) }

    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try await onUpdate(base, id, changes)
    }

    func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] { await onCreateAll(base, users) }

    func delete(_ ids: [String]) async -> [DirectoryOutcome] { await onDeleteAll(base, ids) }
}
