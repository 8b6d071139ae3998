import LockstepDirectory
import LockstepPasswords
import LockstepPrimitives
import Synchronization

/// The users of Clerk's API, joined by id with the hashes and secrets of an export.
///
/// The API decides about everything else. So a password that was changed or removed after the export is not in a user.
final class ExportedDirectory: ForwardingDirectory {
    let base: any UserDirectory
    private let export: ClerkExport
    private let failure = Mutex<UsageError?>(nil)

    /// The export's error that ended the reading, if any.
    var problem: UsageError? { failure.withLock(\.self) }

    init(_ base: any UserDirectory, _ export: ClerkExport) {
        self.base = base
        self.export = export
    }

    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        var page = try await base.page(after: cursor, size: size)
        page.users = try await join(page.users).compactMap(\.self)
        return page
    }

    func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let user = try await join([try await base.user(id: id)])[0] else {
            throw AuthError(.userNotFound, "The instance has no user with this id.")
        }
        return user
    }

    func user(email: String) async throws(AuthError) -> DirectoryUser? {
        try await join([try await base.user(email: email)])[0]
    }

    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await join(try await base.users(requests))
    }

    /// Returns the ids of the users in the export whom no page has contained.
    func unlisted() async throws(AuthError) -> [String] {
        try await reading { [export] in try await export.unseen() }
    }

    private func join(_ users: [DirectoryUser?]) async throws(AuthError) -> [DirectoryUser?] {
        let ids = users.compactMap { $0?.id }
        var rows = try await reading { [export] in try await export.rows(of: ids) }[...]
        return users.map { user in
            guard var user else { return nil }
            user.add(rows.removeFirst(), exportedAt: export.exportedAt)
            return user
        }
    }

    private func reading<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws(AuthError) -> Value {
        do {
            return try await body()
        } catch {
            let problem = error as? UsageError ?? UsageError("\(export.path): \(error)")
            failure.withLock { $0 = $0 ?? problem }
            throw AuthError(.invalidConfiguration, problem.description)
        }
    }
}

extension DirectoryUser {
    /// Adds the hash and the secret of an export, unless they are older than the user's own.
    fileprivate mutating func add(_ row: ClerkExport.Row?, exportedAt: Instant) {
        if hasPassword == true { (passwordHash, missingHash) = hash(in: row, exportedAt) }
        guard let secret = row?.appSecret, isOlder("mfa_enabled_at", than: exportedAt) else { return }
        for index in factors.indices {
            if case .authenticatorApp(nil) = factors[index].kind { factors[index].kind = .authenticatorApp(secret: secret) }
        }
    }

    private func hash(in row: ClerkExport.Row?, _ exportedAt: Instant) -> (hash: Secret?, reason: MissingHash?) {
        guard passwordChangedAt.map({ $0 <= exportedAt }) ?? true else { return (nil, .outdated) }
        guard let row, let digest = row.digest, let hasher = row.hasher else { return (nil, .notExported) }
        guard let hash = try? PasswordHash(clerkDigest: digest.reveal(), hasher: ClerkHasher(rawValue: hasher)) else {
            return (nil, .unreadable)
        }
        return (Secret(hash.text), nil)
    }

    /// Whether a time of the API is not after an export, or the API does not return it.
    private func isOlder(_ member: String, than exportedAt: Instant) -> Bool {
        fields[member]?.int.map { Instant(milliseconds: $0) <= exportedAt } ?? true
    }
}
