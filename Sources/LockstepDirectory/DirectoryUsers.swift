public import Lockstep

/// All users of a directory, page by page.
///
/// A user who is there from the first page to the last comes exactly once, also where others are added or deleted meanwhile
/// and the backend's pages shift.
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

        init(directory: any UserDirectory, pageSize: Int) {
            self.directory = directory
            self.pageSize = pageSize
        }

        /// The next user; asks for a page where the last is used up.
        public mutating func next() async throws(AuthError) -> DirectoryUser? {
            try await next(isolation: nil)
        }

        /// The next user; asks for a page where the last is used up.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AuthError) -> DirectoryUser? {
            while true {
                if let user = rest.popFirst() {
                    if seen.insert(user.id).inserted { return user }
                } else if isLast {
                    return nil
                } else {
                    let page = try await directory.page(after: cursor, size: pageSize)
                    rest = page.users[...]
                    cursor = page.next
                    isLast = page.next == nil
                }
            }
        }
    }
}
