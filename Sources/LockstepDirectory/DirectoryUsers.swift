public import Lockstep
internal import LockstepPrimitives

/// The order in which a directory lists its users.
///
/// It determines which users can be repeated on a later page.
public enum DirectoryOrder: Sendable, Hashable {
    /// A page begins after the last user of the previous page.
    ///
    /// No user is repeated.
    case stable
    /// The newest user comes first.
    ///
    /// If users are added or deleted meanwhile, users are repeated, but none who is older than all users read so far.
    case newestFirst
    /// Any user can be repeated.
    case any
}

/// All users of a directory, page by page.
///
/// A user who exists during the whole iteration is returned exactly once, even if other users are added or deleted
/// meanwhile and the backend's pages shift. The iteration always ends. It fails if a page without new users is repeated,
/// or if pages without new users do not end. It remembers as many users as the backend can repeat
/// (``UserDirectory/order``). In a stable order, these are the users of the last page and one user of each earlier page.
///
/// ```swift
/// for try await user in directory.all() {
///     print(user.id, user.email ?? "no address")
/// }
/// ```
public struct DirectoryUsers: AsyncSequence, Sendable {
    /// A user.
    public typealias Element = DirectoryUser
    /// The error of a page.
    public typealias Failure = AuthError

    /// The same users, by page.
    public let pages: DirectoryPages

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// The position in the list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pages: DirectoryPages.Iterator
        private var rest: ArraySlice<DirectoryUser> = []

        fileprivate init(pages: DirectoryPages.Iterator) { self.pages = pages }

        /// Returns the next user.
        ///
        /// It requests a page if the last one is used up.
        ///
        /// - Returns: The user; `nil` at the end of the list, and after an error that ended it.
        /// - Throws: The error of the page; `invalidResponse` if the backend repeats a page.
        public mutating func next() async throws(AuthError) -> DirectoryUser? {
            try await next(isolation: #isolation)
        }

        /// Returns the next user.
        ///
        /// It requests a page if the last one is used up.
        ///
        /// - Parameter actor: The caller's actor.
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

/// The pages of a directory, without users of earlier pages.
///
/// ``DirectoryPage/next`` of a page is where a later run continues (``UserDirectory/pages(after:size:)``). Save it after
/// all users of the page have been handled.
public struct DirectoryPages: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = DirectoryPage
    /// What a page can fail with.
    public typealias Failure = AuthError

    let directory: any UserDirectory
    let size: Int
    let start: DirectoryCursor?

    /// Returns an iterator that starts at the first page.
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
            try await next(isolation: #isolation)
        }

        /// Requests the next page.
        ///
        /// - Parameter actor: The caller's actor.
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
    ///   - cursor: The start, from ``DirectoryPage/next`` of a page. Default: the first page.
    ///   - pageSize: The number of users per page. Default: 100.
    /// - Returns: The users.
    public func all(after cursor: DirectoryCursor? = nil, pageSize: Int = 100) -> DirectoryUsers {
        DirectoryUsers(pages: pages(after: cursor, size: pageSize))
    }

    /// Returns the pages of all users.
    ///
    /// Each user occurs once.
    ///
    /// - Parameters:
    ///   - cursor: The start, from ``DirectoryPage/next`` of a page. Default: the first page.
    ///   - size: The number of users per page. Default: 100.
    /// - Returns: The pages.
    public func pages(after cursor: DirectoryCursor? = nil, size: Int = 100) -> DirectoryPages {
        DirectoryPages(directory: self, size: size, start: cursor)
    }
}
