import LockstepDirectory
import LockstepPrimitives
import Synchronization

/// Users in the order of a list, like those of a file.
struct ListedUsers: UserDirectory {
    let list: [DirectoryUser]
    /// The number of users that it claims to have.
    let claim: Int

    init(_ list: [DirectoryUser], claiming count: Int? = nil) {
        self.list = list
        claim = count ?? list.count
    }

    var name: String { "firebase" }
    var backend: String { "list" }
    var features: Set<DirectoryFeature> { [] }
    func count() async throws(AuthError) -> Int { claim }
    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        let start = cursor.flatMap { Int($0.rawValue) } ?? 0
        let end = min(start + size, list.count)
        return DirectoryPage(
            users: Array(list[start..<end]), next: end < list.count ? DirectoryCursor(rawValue: String(end)) : nil)
    }
    func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let user = list.first(where: { $0.id == id }) else { throw AuthError(.userNotFound, "none") }
        return user
    }
    func user(email: String) async throws(AuthError) -> DirectoryUser? { list.first { $0.email == email } }
    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { throw AuthError(.unsupported, "a list") }
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        throw AuthError(.unsupported, "a list")
    }
    func delete(_ id: String) async throws(AuthError) { throw AuthError(.unsupported, "a list") }
}

/// Rows of a database, with a count of the calls.
struct WatchedRows: ForwardingDirectory {
    struct Calls: Sendable, Equatable {
        var pages = 0
        var lookUps = 0
        var counts = 0
    }

    private final class Counter: Sendable { let state = Mutex(Calls()) }

    let base: any UserDirectory
    private let beforePage: @Sendable () async -> Void
    private let counter: Counter

    init(rows: any UserDirectory, beforePage: @escaping @Sendable () async -> Void = {}) {
        self.init(rows: rows, beforePage, Counter())
    }

    private init(rows: any UserDirectory, _ beforePage: @escaping @Sendable () async -> Void, _ counter: Counter) {
        base = rows
        self.beforePage = beforePage
        self.counter = counter
    }

    var calls: Calls { counter.state.withLock { $0 } }
    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        counter.state.withLock { $0.pages += 1 }
        await beforePage()
        return try await base.page(after: cursor, size: size)
    }
    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        counter.state.withLock { $0.lookUps += 1 }
        return try await base.users(requests)
    }
    func count() async throws(AuthError) -> Int {
        counter.state.withLock { $0.counts += 1 }
        return try await base.count()
    }
    func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value {
        let (beforePage, counter) = (beforePage, counter)
        return try await base.withSnapshot { rows in try await body(WatchedRows(rows: rows, beforePage, counter)) }
    }
}
