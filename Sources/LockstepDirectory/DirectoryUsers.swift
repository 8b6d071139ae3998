public import Lockstep

/// All users of a directory, page by page.
///
/// A user who is there from the first page to the last comes exactly once, also if others are added or deleted meanwhile and the
/// backend's pages shift. The list always ends: a page that brings nobody new twice is an error, and so are pages that bring nobody new
/// without end.
public struct DirectoryUsers: AsyncSequence, Sendable {
    /// A user.
    public typealias Element = DirectoryUser
    /// What a page can fail with.
    public typealias Failure = AuthError

    let directory: any UserDirectory
    let pageSize: Int

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(directory: directory, pageSize: pageSize) }

    /// The place in the list.
    public struct Iterator: AsyncIteratorProtocol {
        let directory: any UserDirectory
        let pageSize: Int
        private var rest: ArraySlice<DirectoryUser> = []
        private var cursor: DirectoryCursor?
        private var isLast = false
        private var seen: Set<String> = []
        private var repetitions = PageRepetitions()

        init(directory: any UserDirectory, pageSize: Int) {
            self.directory = directory
            self.pageSize = pageSize
        }

        /// Returns the next user, and requests a page if the last one is used up.
        ///
        /// - Returns: The user; `nil` at the end of the list, and after an error that ended it.
        /// - Throws: The error of the page; `invalidResponse` if the backend repeats a page.
        public mutating func next() async throws(AuthError) -> DirectoryUser? {
            try await next(isolation: nil)
        }

        /// Returns the next user, and requests a page if the last one is used up.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: The user; `nil` at the end of the list, and after an error that ended it.
        /// - Throws: The error of the page; `invalidResponse` if the backend repeats a page.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AuthError) -> DirectoryUser? {
            while true {
                if let user = rest.popFirst() { return user }
                if isLast { return nil }
                let page = try await directory.page(after: cursor, size: pageSize)
                cursor = page.next
                isLast = page.next == nil
                let new = page.users.filter { seen.insert($0.id).inserted }
                guard repetitions.accept(page, new: new.count, seen: seen.count) else {
                    isLast = true
                    throw AuthError(
                        .invalidResponse,
                        "\"\(directory.address)\" repeats a page of users, so the list has no end or lacks users. Find the cache or "
                            + "proxy that ignores the query of a request, and list the users again.")
                }
                rest = new[...]
            }
        }
    }
}

/// The pages of a list that brought nobody new.
///
/// Some are in order: users who are added move the others down, and after a deletion GoTrue's directory reads pages again.
private struct PageRepetitions {
    /// A page that brought nobody new; the total tells a backend that changes from one that repeats itself.
    private struct Page: Hashable {
        let ids: [String]
        let total: Int?
    }

    /// The pages since the last new user.
    private var pages: Set<Page> = []
    private var count = 0
    private var fruitful = 0
    private var total: Int?

    /// Returns whether the list can go on after a page.
    mutating func accept(_ page: DirectoryPage, new: Int, seen: Int) -> Bool {
        defer { total = page.total }
        guard new == 0 else {
            fruitful += 1
            count = 0
            pages = []
            return true
        }
        count += 1
        // Pages that are read again go back to the first one at most, and forward to where they began.
        guard count <= 2 * fruitful + 8 else { return false }
        guard !page.users.isEmpty else { return true }
        // The same page at the end of an unchanged list: users of that many are missing.
        if page.next == nil, let known = page.total, known == total, seen < known { return false }
        return pages.insert(Page(ids: page.users.map(\.id), total: page.total)).inserted
    }
}
