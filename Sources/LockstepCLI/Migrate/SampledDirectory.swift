import LockstepDirectory
import LockstepEmulation
import LockstepPrimitives
import Synchronization

/// A source of which a rehearsal reads only some users: of each kind of user at least one, the rare kinds first.
///
/// The first call reads all users of the source once.
final class SampledDirectory: ForwardingDirectory {
    let base: any UserDirectory
    private let size: Int
    private let sample = Mutex<[DirectoryUser]?>(nil)

    var order: DirectoryOrder { .stable }

    init(_ directory: any UserDirectory, size: Int) {
        base = directory
        self.size = size
    }

    private func users() async throws(AuthError) -> [DirectoryUser] {
        if let sample = sample.withLock(\.self) { return sample }
        var kinds: [String: (count: Int, first: [DirectoryUser])] = [:]
        for try await user in base.all(pageSize: 500) {
            let name = Self.kind(of: user)
            kinds[name, default: (0, [])].count += 1
            if kinds[name]?.first.count ?? 0 < size { kinds[name]?.first.append(user) }
        }
        let ordered = kinds.sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }.map(\.value.first)
        var users: [DirectoryUser] = []
        var round = 0
        while users.count < size, case let next = ordered.compactMap({ $0.dropFirst(round).first }), !next.isEmpty {
            users += next.prefix(size - users.count)
            round += 1
        }
        sample.withLock { [users] in $0 = users }
        return users
    }

    /// The values that a user has, without the values themselves: two users of one kind move in the same way.
    private static func kind(of user: DirectoryUser) -> String {
        let object = (try? JSON.parse(UserFile.line(SeedUser(user)).dropLast()))?.object ?? [:]
        return object.map { "\($0.name)=\(kind(of: $0.value, named: $0.name))" }.sorted().joined(separator: " ")
    }

    private static func kind(of value: JSON, named name: String) -> String {
        switch value {
        case .bool(let value): "\(value)"
        case .string(let text) where ["provider", "kind", "missingHash"].contains(name): text
        // The mark of a hash, such as $2b.
        case .string(let text) where text.hasPrefix("$"): String(text.dropFirst().unicodeScalars.prefix { $0 != "$" })
        case .string(let text): (text.utf8.allSatisfy { $0 < 0x80 } ? "ascii" : "other") + (text.utf8.count > 255 ? "+" : "")
        case .array(let elements): Set(elements.map { kind(of: $0, named: name) }).sorted().joined(separator: ",")
        case .object(let object) where ["identities", "factors"].contains(name):
            object.map { "\($0.name):\(kind(of: $0.value, named: $0.name))" }.sorted().joined(separator: ";")
        case .object(let object): object.isEmpty ? "empty" : value.text().utf8.count > 1000 ? "large" : "some"
        default: ""
        }
    }

    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        let users = try await users()
        let start = min(cursor.flatMap { Int($0.rawValue) } ?? 0, users.count)
        let end = min(start + max(size, 1), users.count)
        return DirectoryPage(
            users: Array(users[start..<end]), next: end < users.count ? DirectoryCursor(rawValue: "\(end)") : nil,
            total: users.count)
    }

    func count() async throws(AuthError) -> Int { try await users().count }

    private static let readOnly = AuthError(.unsupported, "A rehearsal only reads its source.")

    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { throw Self.readOnly }
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser { throw Self.readOnly }
    func delete(_ id: String) async throws(AuthError) { throw Self.readOnly }
}
