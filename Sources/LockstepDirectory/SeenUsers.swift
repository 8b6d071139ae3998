internal import LockstepPrimitives
internal import LockstepUserFields

/// The users of a list who can appear again on a later page.
package struct SeenUsers {
    private let order: DirectoryOrder
    /// The number of users that were added.
    package private(set) var count = 0
    /// The ids of the users who can appear again: all users, those of the last page, or those with the oldest time.
    private var ids: Set<ExactString> = []
    /// The first user of each page, in a stable order.
    private var firsts: Set<ExactString> = []
    /// The time when the oldest user so far was created.
    private var oldest: Instant?
    /// The ids of the users without a creation time.
    private var undated: Set<ExactString> = []

    /// The number of ids that are remembered.
    package var remembered: Int { ids.count + firsts.count + undated.count }

    package init(_ order: DirectoryOrder) { self.order = order }

    /// Adds the users of a page.
    ///
    /// - Parameter users: The users of the page.
    /// - Returns: The users who have not appeared before.
    package mutating func add(_ users: [DirectoryUser]) -> [DirectoryUser] {
        let new: [DirectoryUser]
        switch order {
        case .any: new = users.filter { ids.insert($0.id.exact).inserted }
        case .stable: new = addBehind(users)
        case .newestFirst: new = users.filter { isOlder($0) }
        }
        count += new.count
        return new
    }

    private mutating func addBehind(_ users: [DirectoryUser]) -> [DirectoryUser] {
        guard let first = users.first else { return [] }
        // If two pages begin with the same user, they are the same page.
        guard firsts.insert(first.id.exact).inserted else { return [] }
        var page: Set<ExactString> = []
        let new = users.filter { !ids.contains($0.id.exact) && page.insert($0.id.exact).inserted }
        ids = page
        return new
    }

    private mutating func isOlder(_ user: DirectoryUser) -> Bool {
        guard let created = user.createdAt else { return undated.insert(user.id.exact).inserted }
        if let oldest, created > oldest { return false }
        if created != oldest {
            oldest = created
            ids = []
        }
        return ids.insert(user.id.exact).inserted
    }
}

/// The pages of a list that contained no new user.
///
/// Some such pages are normal. If users are added, the others move to later pages. After a deletion, GoTrue's directory reads
/// pages again.
struct PageRepetitions {
    /// A page that contained no new user.
    ///
    /// The total number of users shows whether a backend changes or repeats a page.
    private struct Page: Hashable {
        let ids: [ExactString]
        let total: Int?
    }

    /// The pages since the last new user.
    private var pages: Set<Page> = []
    private var count = 0
    private var fruitful = 0
    private var total: Int?

    /// Returns whether the list can continue after a page.
    mutating func accept(_ page: DirectoryPage, new: Int, seen: Int) -> Bool {
        defer { total = page.total }
        guard new == 0 else {
            fruitful += 1
            count = 0
            pages = []
            return true
        }
        count += 1
        // Repeated reading goes back to the first page at most, and then forward to the page where it started.
        guard count <= 2 * fruitful + 8 else { return false }
        guard !page.users.isEmpty else { return true }
        // The list has ended with an unchanged total, but fewer users were returned than the backend counts.
        if page.next == nil, let known = page.total, known == total, seen < known { return false }
        return pages.insert(Page(ids: page.users.map(\.id.exact), total: page.total)).inserted
    }
}
