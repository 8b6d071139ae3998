public import Lockstep
internal import LockstepPrimitives

/// The order in which a directory lists its users.
///
/// The order decides which users of an earlier page may appear again on a later page.
public enum DirectoryOrder: Sendable, Hashable {
    /// Each page begins after the last user of the previous page, so no user appears twice.
    case stable
    /// The newest user comes first.
    ///
    /// If users are added or deleted while the list is read, a later page can repeat users. It does not repeat a user who is
    /// older than all users read so far.
    case newestFirst
    /// There is no fixed order, so a later page can repeat any user.
    case any
}

/// All users of a directory, requested page by page.
///
/// A user who exists during the whole iteration is returned exactly once.
/// This is true even if other users are added or deleted meanwhile and the backend's pages shift.
///
/// The iteration always ends. The iteration fails with an error if the backend repeats a page without new users, or keeps returning such
/// pages.
///
/// To skip repeated users, the iterator remembers as many users as the backend can repeat (``UserDirectory/order``).
/// If the order is stable, it remembers the users of the last page and one user of each earlier page.
///
/// ```swift
/// for try await user in directory.all() {
///     print(user.id, user.email ?? "no address")
/// }
/// ```
public struct DirectoryUsers: AsyncSequence, Sendable {
    /// The type of the elements: a user.
    public typealias Element = DirectoryUser
    /// The type of the error if a page cannot be read.
    public typealias Failure = AuthError

    /// The same users, as a sequence of pages.
    public let pages: DirectoryPages

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// An iterator over the users of a directory.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pages: DirectoryPages.Iterator
        private var rest: ArraySlice<DirectoryUser> = []

        fileprivate init(pages: DirectoryPages.Iterator) { self.pages = pages }

        /// Returns the next user.
        ///
        /// The iterator requests the next page after the last user of a page.
        ///
        /// - Returns: The user; `nil` at the end of the list, and after an error has ended the iteration.
        /// - Throws: The error with which the request for the page failed; `invalidResponse` if the backend repeats a page.
        public mutating func next() async throws(AuthError) -> DirectoryUser? {
            try await next(isolation: #isolation)
        }

        /// Returns the next user.
        ///
        /// The iterator requests the next page after the last user of a page.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The user; `nil` at the end of the list, and after an error has ended the iteration.
        /// - Throws: The error with which the request for the page failed; `invalidResponse` if the backend repeats a page.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AuthError) -> DirectoryUser? {
            while rest.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                rest = page.users[...]
            }
            return rest.popFirst()
        }
    }
}

/// The pages of a directory, in which no user appears twice.
///
/// To continue a list in a later run, first handle all users of a page. Then save ``DirectoryPage/next`` of this page.
/// Pass it to ``UserDirectory/pages(after:size:)``.
///
/// ```swift
/// for try await page in directory.pages(size: 500) {
///     print(page.users.count, page.next?.rawValue ?? "the last page")
/// }
/// ```
public struct DirectoryPages: AsyncSequence, Sendable {
    /// The type of the elements: a page.
    public typealias Element = DirectoryPage
    /// The type of the error if a page cannot be read.
    public typealias Failure = AuthError

    let directory: any UserDirectory
    let size: Int
    let start: DirectoryCursor?

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(directory: directory, size: size, cursor: start) }

    /// An iterator over the pages of a directory.
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
        /// - Returns: The page, which may be empty; `nil` at the end of the list, and after an error has ended the iteration.
        /// - Throws: The error with which the request for the page failed; `invalidResponse` if the backend repeats a page.
        public mutating func next() async throws(AuthError) -> DirectoryPage? {
            try await next(isolation: #isolation)
        }

        /// Requests the next page.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The page, which may be empty; `nil` at the end of the list, and after an error has ended the iteration.
        /// - Throws: The error with which the request for the page failed; `invalidResponse` if the backend repeats a page.
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
    /// Returns a sequence of all users, which requests the users page by page.
    ///
    /// - Parameters:
    ///   - cursor: Where to start: ``DirectoryPage/next`` of an earlier page. Default: the first page.
    ///   - pageSize: The number of users in each request. Default: 100.
    /// - Returns: The sequence of users.
    public func all(after cursor: DirectoryCursor? = nil, pageSize: Int = 100) -> DirectoryUsers {
        DirectoryUsers(pages: pages(after: cursor, size: pageSize))
    }

    /// Returns a sequence of pages that contains every user once.
    ///
    /// - Parameters:
    ///   - cursor: Where to start: ``DirectoryPage/next`` of an earlier page. Default: the first page.
    ///   - size: The number of users per page. Default: 100.
    /// - Returns: The sequence of pages.
    public func pages(after cursor: DirectoryCursor? = nil, size: Int = 100) -> DirectoryPages {
        DirectoryPages(directory: self, size: size, start: cursor)
    }
}
