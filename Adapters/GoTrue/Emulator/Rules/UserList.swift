internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import Synchronization

/// The list of users by age, page by page.
///
/// Each page contains the number of users on all pages. As long as nothing changes, one count is used for all pages,
/// and each page begins at the end of the previous one. So the time for a whole list grows with the number of users,
/// and not with its square.
struct UserList {
    let context: RequestContext

    /// Returns a page of users, without their identities and factors.
    ///
    /// The result is the users of the page, and how many there are on all pages.
    ///
    /// - `filter`: A part of the address, or of the full name; empty for all.
    /// - `isAscending`: Whether the oldest user comes first.
    func page(
        of audience: String, matching filter: String, isAscending: Bool, _ page: Page
    ) throws -> (users: [User], count: Int) {
        var condition: SQL = "aud = \(audience)"
        if !filter.isEmpty { condition += " AND \(try Self.condition(filter))" }
        let list = UserListMemory.List(audience: audience, filter: filter)
        let memory = context.state.userLists
        let version = try version()
        let count = try memory.count(of: list, at: version) ?? context.db.count(User.self, condition)
        let start = UserListMemory.Place(list: list, isAscending: isAscending, offset: page.offset)
        let last = memory.user(before: start, at: version)
        if let last {
            condition += isAscending ? " AND (created_at, row) > " : " AND (created_at, row) < "
            condition += "(\(last.createdAt), \(last.row))"
        }
        condition += isAscending ? " ORDER BY created_at, row" : " ORDER BY created_at DESC, row DESC"
        condition += " LIMIT \(page.size) OFFSET \(last == nil ? page.offset : 0)"
        let users = try context.db.all(User.self, condition).map(\.confirmed)
        var end: (place: UserListMemory.Place, user: UserListMemory.Position)?
        if let user = users.last, let row: Int64 = try context.db.value("SELECT row FROM users WHERE id = \(user.id)") {
            let (offset, isTooMuch) = page.offset.addingReportingOverflow(Int64(users.count))
            let place = UserListMemory.Place(list: list, isAscending: isAscending, offset: offset)
            if !isTooMuch { end = (place, UserListMemory.Position(createdAt: user.createdAt, row: row)) }
        }
        memory.note(count, of: list, end, at: version)
        return (users, count)
    }

    /// Returns a value that changes with each change of a row, by this process or, in a folder, by another one.
    private func version() throws -> UserListMemory.Version {
        UserListMemory.Version(own: context.db.allChanges, others: try context.db.value("PRAGMA data_version") ?? 0)
    }

    /// The maximum length of a filter in bytes.
    ///
    /// A pattern costs its length for each letter of each user.
    private static let longestFilter = 1000

    private static func condition(_ filter: String) throws(GoTrueError) -> SQL {
        guard filter.utf8.count <= longestFilter else {
            throw .invalid("The emulator accepts a filter of up to \(longestFilter) bytes")
        }
        let name: SQL = "json_extract(raw_user_meta_data, '$.full_name')"
        guard filter.utf8.contains(where: { "%_\\".utf8.contains($0) }) else {
            return "(instr(email, \(filter)) OR \(SQL.contains(filter, in: name)))"
        }
        return "(email GLOB \(glob("%\(filter)%")) OR \(name) LIKE \("%\(filter)%") ESCAPE '\\')"
    }

    /// Returns a case-sensitive pattern from a `LIKE` pattern with `%` and `_`.
    private static func glob(_ filter: String) -> String {
        var glob = ""
        var isEscaped = false
        for character in filter {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: glob += "*"
            case "_" where !isEscaped: glob += "?"
            case "*", "?", "[": glob += "[\(character)]"
            default: glob.append(character)
            }
            isEscaped = false
        }
        return glob
    }
}

/// The results of the last pages of user lists.
final class UserListMemory: Sendable {
    /// The state of the rows.
    struct Version: Hashable {
        let own: Int
        let others: Int64
    }

    /// The users that are listed.
    struct List: Hashable {
        let audience: String
        let filter: String
    }

    /// A place in a list.
    struct Place: Hashable {
        let list: List
        let isAscending: Bool
        let offset: Int64
    }

    /// A user in the order of a list.
    struct Position {
        let createdAt: Instant
        let row: Int64
    }

    private struct State {
        var version: Version?
        var counts: [List: Int] = [:]
        var ends: [Place: Position] = [:]
    }

    /// More positions than anyone reads at the same time.
    private static let limit = 64
    private let state = Mutex(State())

    func count(of list: List, at version: Version) -> Int? {
        state.withLock { $0.version == version ? $0.counts[list] : nil }
    }

    /// The user before a place.
    func user(before place: Place, at version: Version) -> Position? {
        state.withLock { $0.version == version ? $0.ends[place] : nil }
    }

    /// Stores the count of a list, and the user before the next page.
    func note(_ count: Int, of list: List, _ end: (place: Place, user: Position)?, at version: Version) {
        state.withLock { state in
            if state.version != version || state.ends.count >= Self.limit || state.counts.count >= Self.limit {
                state = State(version: version)
            }
            state.counts[list] = count
            if let end { state.ends[end.place] = end.user }
        }
    }
}
