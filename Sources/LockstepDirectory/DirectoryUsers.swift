public import Lockstep
internal import LockstepPrimitives

/// The order in which a directory lists its users: it decides which users can come again on a later page.
public enum DirectoryOrder: Sendable, Hashable {
    /// A page begins behind the last user of the page before: no user comes again.
    case stable
    /// The newest user comes first. Users who were read come again when others are added or deleted meanwhile, but none who is older than
    /// all of them.
    case newestFirst
    /// Any user can come again.
    case any
}

/// All users of a directory, page by page.
///
/// A user who is there from the first page to the last comes exactly once, also if others are added or deleted meanwhile and the
/// backend's pages shift. The list always ends: a page that brings nobody new twice is an error, and so are pages that bring nobody new
/// without end. It remembers as many users as the backend can repeat (``UserDirectory/order``): of a million users in a stable order those
/// of the last page, and one of each page before.
public struct DirectoryUsers: AsyncSequence, Sendable {
    /// A user.
    public typealias Element = DirectoryUser
    /// What a page can fail with.
    public typealias Failure = AuthError

    /// The same users, by pages.
    public let pages: DirectoryPages

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// The place in the list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pages: DirectoryPages.Iterator
        private var rest: ArraySlice<DirectoryUser> = []

        fileprivate init(pages: DirectoryPages.Iterator) { self.pages = pages }

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
            while rest.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                rest = page.users[...]
            }
            return rest.popFirst()
        }
    }
}

/// The pages of a directory, without the users whom an earlier page had.
///
/// ``DirectoryPage/next`` of a page is where another run goes on (``UserDirectory/pages(after:size:)``): a caller keeps it when all users
/// of the page are dealt with.
public struct DirectoryPages: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = DirectoryPage
    /// What a page can fail with.
    public typealias Failure = AuthError

    let directory: any UserDirectory
    let size: Int
    let start: DirectoryCursor?

    /// Begins at the start.
    public func makeAsyncIterator() -> Iterator { Iterator(directory: directory, size: size, cursor: start) }

    /// The place in the list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let directory: any UserDirectory
        private let size: Int
        private var cursor: DirectoryCursor?
        private var isLast = false
        private var seen: SeenUsers
        private var repetitions = PageRepetitions()

        fileprivate init(directory: any UserDirectory, size: Int, cursor: DirectoryCursor?) {
            self.directory = directory
            self.size = size
            self.cursor = cursor
            seen = SeenUsers(directory.order)
        }

        /// Requests the next page.
        ///
        /// - Returns: The page, which may be empty; `nil` at the end of the list, and after an error that ended it.
        /// - Throws: The error of the page; `invalidResponse` if the backend repeats a page.
        public mutating func next() async throws(AuthError) -> DirectoryPage? {
            try await next(isolation: nil)
        }

        /// Requests the next page.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: The page, which may be empty; `nil` at the end of the list, and after an error that ended it.
        /// - Throws: The error of the page; `invalidResponse` if the backend repeats a page.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AuthError) -> DirectoryPage? {
            if isLast { return nil }
            var page = try await directory.page(after: cursor, size: size)
            cursor = page.next
            isLast = page.next == nil
            let new = seen.add(page.users)
            guard repetitions.accept(page, new: new.count, seen: seen.count) else {
                isLast = true
                throw AuthError(
                    .invalidResponse,
                    "\"\(directory.address)\" repeats a page of users, so the list has no end or lacks users. Find the cache or "
                        + "proxy that ignores the query of a request, and list the users again.")
            }
            page.users = new
            return page
        }
    }
}

extension UserDirectory {
    /// Returns all users, page by page.
    ///
    /// - Parameters:
    ///   - cursor: Where to begin, from ``DirectoryPage/next`` of a page; `nil` for the first page.
    ///   - pageSize: How many users a page has.
    /// - Returns: The users.
    public func all(after cursor: DirectoryCursor? = nil, pageSize: Int = 100) -> DirectoryUsers {
        DirectoryUsers(pages: pages(after: cursor, size: pageSize))
    }

    /// Returns the pages of all users, each user once.
    ///
    /// - Parameters:
    ///   - cursor: Where to begin, from ``DirectoryPage/next`` of a page; `nil` for the first page.
    ///   - size: How many users a page has.
    /// - Returns: The pages.
    public func pages(after cursor: DirectoryCursor? = nil, size: Int = 100) -> DirectoryPages {
        DirectoryPages(directory: self, size: size, start: cursor)
    }
}
