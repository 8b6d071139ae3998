internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// Reads the users of a directory page by page, at most one page ahead of their processing.
///
/// A longer queue would need more memory and save no time, because the slower of the two sides sets the speed.
actor PageReader {
    private let move: UserMove
    private let occasion: String
    /// The place in the list; `nil` at its end.
    private var place: DirectoryPages.Iterator?

    /// Creates a reader at the start of the list.
    ///
    /// - Parameters:
    ///   - move: The run.
    ///   - directory: The directory.
    ///   - occasion: The start of the sentence that reports a failure.
    init(_ move: UserMove, of directory: any UserDirectory, _ occasion: String) {
        self.move = move
        self.occasion = occasion
        place = directory.pages(size: move.pageSize).makeAsyncIterator()
    }

    /// Returns the users of the next page; `nil` at the end of the list.
    ///
    /// A backend may return fewer users at a time, so several of its pages can form one page.
    func page() async -> Result<[DirectoryUser]?, MigrationError> {
        guard var pages = place else { return .success(nil) }
        // The list is held here alone, so that what it remembers is not copied.
        place = nil
        var users: [DirectoryUser] = []
        do throws(MigrationError) {
            while users.count < move.pageSize {
                guard let page = try await move.next(&pages, occasion) else {
                    return .success(users.isEmpty ? nil : users)
                }
                users += page
            }
        } catch {
            return .failure(error)
        }
        place = pages
        return .success(users)
    }
}

extension UserMove {
    /// Calls a function with the users of each page, while the next page is read.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - occasion: The start of the sentence that reports a failure.
    ///   - body: Called with the users of a page.
    /// - Throws: `cancelled` between two pages, `stopped` if a page cannot be read, and what `body` throws.
    func forEachPage(
        of directory: any UserDirectory, _ occasion: String, _ body: ([DirectoryUser]) async throws(MigrationError) -> Void
    ) async throws(MigrationError) {
        let reader = PageReader(self, of: directory, occasion)
        var page = try await reader.page().get()
        while let users = page {
            guard !Task.isCancelled else { throw Self.cancelled }
            async let next = reader.page()
            try await body(users)
            page = try await next.get()
        }
    }

    /// Returns the users of the next page of a list; requests a page again if it fails.
    fileprivate func next(
        _ pages: inout DirectoryPages.Iterator, _ occasion: String
    ) async throws(MigrationError) -> [DirectoryUser]? {
        var patience = Patience(self)
        var failure: AuthError?
        while true {
            do throws(AuthError) {
                let page = try await pages.next()
                // A list that rejects a repeated page reports its end although users are missing.
                if page == nil, let failure, failure.code == .invalidResponse { throw failure }
                return page?.users
            } catch {
                guard failure?.code != .invalidResponse || error.code != .invalidResponse else { throw .stopped(error, occasion) }
                failure = error
                try await patience.wait(after: error, occasion)
            }
        }
    }
}
