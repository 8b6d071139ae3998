internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrue
internal import LockstepHTTP
internal import LockstepWire

extension GoTrueDirectory {
    /// Returns many users by id or address, each by a request of its own, some at the same time (``RequestLimiter/width``).
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(
            oneByOne: requests, width: limiter.width, of: "GoTrue's API", instead: "ask the database (GoTrueDatabase)")
    }

    /// Returns how many users the server has.
    public func count() async throws(AuthError) -> Int {
        let response = try await list(["page": "1", "per_page": "1"])
        guard let total = response.headers["X-Total-Count"].flatMap({ Self.count($0) }) else {
            throw GoTrueWire.incomplete("the number of users")
        }
        return total
    }

    /// Makes many users, each by a request of its own, some at the same time (``RequestLimiter/width``).
    ///
    /// None is read back.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: users, width: limiter.width, marks: \.marks) { user throws(AuthError) in
            try await add(user)
        }
    }

    /// Deletes many users, each by a request of its own, some at the same time (``RequestLimiter/width``).
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: ids, width: limiter.width, marks: { [$0.lowercased()] }) { id throws(AuthError) in
            try await delete(id)
            return id
        }
    }
}
