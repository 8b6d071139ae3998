public import Lockstep
internal import LockstepDirectory
public import LockstepPrimitives

/// A list of a source beside its users, which no move copies, such as its organizations.
///
/// A plan counts the entries and their users, and writes them to a file of the run.
public struct MoveList: Sendable {
    /// A kind of entries.
    public enum Kind: String, Sendable, CaseIterable {
        /// Organizations.
        case organizations
        /// The members of organizations.
        case memberships
        /// The roles of members.
        case roles
        /// The connections of organizations to their own identity providers.
        case connections

        /// The name of the file in the folder of a run.
        var file: String { rawValue + ".jsonl" }
    }

    /// A part of a list.
    public struct Page: Sendable, Hashable {
        /// The entries; the member `user` is the id of the user of the source to whom an entry belongs.
        public let entries: [JSONObject]
        /// The number of all entries, as the source counts them.
        public let total: Int

        /// Creates a part of a list.
        ///
        /// - Parameters:
        ///   - entries: The entries.
        ///   - total: The number of all entries.
        public init(_ entries: [JSONObject], of total: Int) {
            self.entries = entries
            self.total = total
        }
    }

    /// The kind of the entries.
    public let kind: Kind
    /// Returns the part of the list after a number of entries.
    public let page: @Sendable (_ start: Int) async throws(AuthError) -> Page

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - kind: The kind of the entries.
    ///   - page: Returns the part of the list after a number of entries.
    public init(_ kind: Kind, page: @escaping @Sendable (_ start: Int) async throws(AuthError) -> Page) {
        self.kind = kind
        self.page = page
    }
}

extension UserMove {
    /// Reads the lists of the source, and writes them to files of the run.
    ///
    /// - Returns: The number of entries and users of each list.
    /// - Throws: `count` if a list ends early; `stopped`, `cancelled`, `journal`.
    func readLists() async throws(MigrationError) -> [PlanSummary.ListCount] {
        var counts: [PlanSummary.ListCount] = []
        for list in source.lists { counts.append(try await read(list)) }
        return counts
    }

    private func read(_ list: MoveList) async throws(MigrationError) -> PlanSummary.ListCount {
        let path = folder.map { "\($0)/\(list.kind.file)" }
        var writer: RunFileWriter?
        var (entries, users): (Int, Set<ExactString>) = (0, [])
        do throws(MigrationError) {
            while true {
                guard let page = try await page(of: list, after: entries) else {
                    writer?.discard()
                    return .init(kind: list.kind, entries: nil, users: 0)
                }
                guard !page.entries.isEmpty || entries >= page.total else {
                    throw MigrationError(
                        .count,
                        "The source reports \(page.total) \(list.kind.rawValue), but returned \(entries). Plan again. If they still "
                            + "differ, look for a missing page.")
                }
                for user in page.entries.compactMap({ $0["user"]?.string }) { users.insert(user.exact) }
                if let path, writer == nil, !page.entries.isEmpty { writer = try await RunFileWriter(path) }
                try await writer?.append(page.entries.flatMap { JSON.object($0).bytes() + [0x0a] }, users: page.entries.count)
                entries += page.entries.count
                if entries >= page.total { break }
            }
        } catch {
            writer?.discard()
            throw error
        }
        if let writer { _ = try await writer.finish() } else if let path { try await RunFileWriter.remove(path) }
        return .init(kind: list.kind, entries: entries, users: users.count)
    }

    /// Returns a part of a list; `nil` if the source does not show the list to this key.
    private func page(of list: MoveList, after start: Int) async throws(MigrationError) -> MoveList.Page? {
        try await asking("the \(list.kind.rawValue) of the source cannot be read") { () throws(AuthError) -> MoveList.Page? in
            do throws(AuthError) {
                return try await list.page(start)
            } catch {
                guard !error.mayPass, error.code != .cancelled else { throw error }
                return nil
            }
        }
    }
}

extension PlanSummary {
    /// The size of a list that stays on the source.
    public struct ListCount: Sendable, Hashable {
        /// The kind of the entries.
        public let kind: MoveList.Kind
        /// The number of entries; `nil` if the source does not show them.
        public let entries: Int?
        /// The number of users to whom entries belong.
        public let users: Int
    }

    /// The users whom only a file of the source names, such as an export that is older than their deletion.
    public struct Unlisted: Sendable, Hashable {
        /// The number of users.
        public var count = 0
        /// The ids of the first users.
        public var ids: [String] = []

        /// The largest number of ids that a plan names.
        static let most = 100

        /// The users as a part of a sentence.
        var names: String {
            ids.prefix(10).map(\.visible).joined(separator: ", ") + (count > 10 ? ", …" : "")
        }
    }

    /// The lists that stay on the source, as a part of a sentence; `nil` if there are none.
    var listsText: String? {
        let names = lists.compactMap { list -> String? in
            guard let entries = list.entries, entries > 0 else { return nil }
            let users = list.users > 0 ? " (\(Self.grouped(list.users)) users)" : ""
            return "\(list.kind.rawValue) \(Self.grouped(entries))" + users
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
