import LockstepDirectory
import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// A directory of the users in a file in the neutral format, as a read-only source of a move.
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
    /// The provider and the project of users in comma-separated values; `nil` for JSON Lines.
    private let source: UserFile.Header?
    private let found = Mutex<String?>(nil)

    /// The end of the name of a file of comma-separated values.
    static let tableEnding = ".csv"

    /// The file's error that ended the reading, if any.
    var problem: String? { found.withLock(\.self) }

    /// Reads the first line of a file.
    ///
    /// - Parameters:
    ///   - source: The provider and the project of the users, if the file has comma-separated values; `nil` for JSON Lines.
    /// - Throws: ``UsageError``.
    init(_ path: String, _ source: UserFile.Header? = nil) throws(UsageError) {
        self.source = source
        do {
            let file = try FileReader(path)
            guard file.size != nil else {
                throw UsageError("\"\(path)\" is a pipe. A move reads its source more than once. Use a file instead.")
            }
            header = try Self.reader(file, source).header
        } catch {
            switch UserFilePlace.usage(error, path) {
            case let error as UsageError: throw error
            case let error: throw UsageError("cannot read \"\(path)\": \(error)")
            }
        }
        name = header.provider
        backend = path
    }

    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        try await reading { reader in
            if let cursor { try reader.seek(to: cursor.place) }
            var users: [DirectoryUser] = []
            while users.count < size {
                guard let user = try Self.next(&reader) else { return DirectoryPage(users: users) }
                users.append(user)
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
        try await reading { reader in
            let wanted = Dictionary(grouping: requests.indices) { requests[$0].key }
            var found = [DirectoryUser?](repeating: nil, count: requests.count)
            while let user = try Self.next(&reader) {
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
            while true {
                let line = reader.place.line + 1
                guard let user = try Self.next(&reader) else { return }
                if let problem = lines.add(user.id, at: line) { throw UsageError(problem) }
            }
        }
    }

    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { throw readOnly }
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser { throw readOnly }
    func delete(_ id: String) async throws(AuthError) { throw readOnly }

    private var readOnly: AuthError {
        AuthError(.unsupported, "\"\(backend)\" is a file, and a move does not change its source.")
    }

    private static func next(_ reader: inout UserFileReader) throws -> DirectoryUser? {
        guard let user = try reader.next() else { return nil }
        do throws(MoveValueProblem) {
            return try DirectoryUser(user)
        } catch {
            throw UsageError("line \(reader.place.line): \(error.sentence)")
        }
    }

    private static func reader(_ file: FileReader, _ source: UserFile.Header?) throws -> UserFileReader {
        if let source { return try UserFileReader(table: file, source: source) }
        return try UserFileReader(file)
    }

    /// Reads the file from its start, on a thread that may wait for the disk.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (inout UserFileReader) throws -> Value
    ) async throws(AuthError) -> Value {
        do {
            return try await BlockingThread.run { [backend, source] in
                var reader = try Self.reader(FileReader(backend), source)
                return try body(&reader)
            }
        } catch {
            let sentence =
                if let error = error as? UsageError { "\(backend): \(error)" } else { "\(UserFilePlace.usage(error, backend))" }
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
