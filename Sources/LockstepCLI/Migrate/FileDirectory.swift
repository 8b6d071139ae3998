import LockstepDirectory
import LockstepEmulation
import LockstepMigration
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// A directory of the users in a file, as a read-only source of a move.
///
/// A page starts at an offset of the file, so memory use does not grow with the file. A lookup reads the whole file.
final class FileDirectory: UserDirectory {
    /// The provider that the users come from.
    let name: String
    /// The path.
    let backend: String
    let features: Set<DirectoryFeature> = []
    let order = DirectoryOrder.stable
    /// The first line.
    let header: UserFile.Header
    private let form: UserFileForm
    private let found = Mutex<String?>(nil)
    /// For each gap of the format, the number of users of the pages since the first one.
    private let counts: Mutex<[Int]>

    /// The file's error that ended the reading, if any.
    var problem: String? { found.withLock(\.self) }

    /// Reads the beginning of a file.
    ///
    /// - Throws: ``UsageError``.
    init(_ form: UserFileForm) throws(UsageError) {
        self.form = form
        do { header = try form.open().header } catch { throw form.named(error) }
        counts = Mutex([Int](repeating: 0, count: form.gaps.count))
        name = header.provider
        backend = form.path
    }

    /// What the format of the file leaves out, after all pages were read; `nil` for the neutral format.
    var sourceForm: SourceForm? {
        form.title.map { SourceForm(name: $0, lacks: form.lacks(counts.withLock(\.self))) }
    }

    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        if cursor == nil { counts.withLock { $0 = [Int](repeating: 0, count: $0.count) } }
        return try await reading { [self] reader in
            if let cursor { try reader.seek(to: cursor.place) }
            var users: [DirectoryUser] = []
            while users.count < size {
                guard let (user, line) = try reader.next() else { return DirectoryPage(users: users) }
                let concerned = form.gaps.indices.filter { form.gaps[$0].concerns(user) }
                counts.withLock { counts in for index in concerned { counts[index] += 1 } }
                users.append(try form.directoryUser(user, line))
            }
            return DirectoryPage(users: users, next: DirectoryCursor(reader.place))
        }
    }

    func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let user = try await users([.id(id)])[0] else {
            throw AuthError(.userNotFound, "\"\(backend)\" has no user with this id.")
        }
        return user
    }

    func user(email: String) async throws(AuthError) -> DirectoryUser? { try await users([.email(email)])[0] }

    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await reading { [form] reader in
            let wanted = Dictionary(grouping: requests.indices) { requests[$0].key }
            var found = [DirectoryUser?](repeating: nil, count: requests.count)
            while let (seed, line) = try reader.next() {
                let user = try form.directoryUser(seed, line)
                for request in RequestedUser.all(of: user) {
                    for index in wanted[request.key] ?? [] where found[index] == nil { found[index] = user }
                }
            }
            return found
        }
    }

    func count() async throws(AuthError) -> Int {
        try await reading { reader in
            var count = 0
            while try reader.skip() { count += 1 }
            return count
        }
    }

    /// Checks that no two users of the file have the same id.
    ///
    /// The ids stay in memory meanwhile, so a move calls this method only to explain an error.
    func requireDistinctIDs() async throws(AuthError) {
        _ = try await reading { reader in
            var lines = UserLines()
            while let (user, line) = try reader.next() {
                if let problem = lines.add(user.id ?? "", at: line) { throw UsageError(problem) }
            }
        }
    }

    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { throw readOnly }
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser { throw readOnly }
    func delete(_ id: String) async throws(AuthError) { throw readOnly }

    private var readOnly: AuthError {
        AuthError(.unsupported, "\"\(backend)\" is a file, and a move does not change its source.")
    }

    /// Reads the file from its start, on a thread that may wait for the disk.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (inout UserReader) throws -> Value
    ) async throws(AuthError) -> Value {
        do {
            return try await BlockingThread.run { [form] in
                var reader = try form.open().reader
                return try body(&reader)
            }
        } catch {
            let sentence = form.named(error).description
            found.withLock { $0 = $0 ?? sentence }
            throw AuthError(.invalidConfiguration, sentence)
        }
    }
}

extension DirectoryCursor {
    fileprivate init(_ place: UserFileReader.Place) { self.init(rawValue: "\(place.offset):\(place.line)") }

    fileprivate var place: UserFileReader.Place {
        let parts = rawValue.split(separator: ":").compactMap { Int($0) }
        return UserFileReader.Place(offset: parts.first ?? 0, line: parts.last ?? 0)
    }
}

extension RequestedUser {
    /// Returns all keys with which a user can be requested.
    fileprivate static func all(of user: DirectoryUser) -> [RequestedUser] {
        [.id(user.id)] + user.emails.map { .email($0.value) } + user.phones.map { .phone($0.value) }
            + user.providerIdentities.map { .identity($0.provider, subject: $0.subject) }
            + [user.externalID.map { .externalID($0) }].compactMap(\.self)
    }
}
