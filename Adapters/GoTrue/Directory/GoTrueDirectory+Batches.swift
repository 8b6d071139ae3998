internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrue
internal import LockstepHTTP
internal import LockstepWire

extension GoTrueDirectory {
    /// Looks up many users by id or email address, with one request for each user.
    ///
    /// The directory sends several requests at the same time (``RequestLimiter/width``).
    ///
    /// - Parameter requests: The users to look up.
    /// - Returns: The users, in the order of `requests`; `nil` for a user who does not exist.
    /// - Throws: `unsupported` if a request looks up anything other than an id or an email address.
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(
            oneByOne: requests, width: limiter.width, of: "GoTrue's API", instead: "ask the database (GoTrueDatabase)")
    }

    /// Returns the number of users on the server.
    ///
    /// - Returns: The number of users.
    /// - Throws: An `AuthError` of the backend.
    public func count() async throws(AuthError) -> Int {
        let response = try await list(["page": "1", "per_page": "1"])
        guard let total = response.headers["X-Total-Count"].flatMap({ Self.count($0) }) else {
            throw GoTrueWire.incomplete("the number of users")
        }
        return total
    }

    /// Creates many users, with one request for each user.
    ///
    /// The directory sends several requests at the same time (``RequestLimiter/width``). The directory does not read
    /// the users again after it has created them.
    ///
    /// - Parameter users: The values of the new users.
    /// - Returns: The outcome for each user, in the order of `users`.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: users, width: limiter.width, marks: \.marks) { user throws(AuthError) in
            try await add(user)
        }
    }

    /// Deletes many users, with one request for each user.
    ///
    /// The directory sends several requests at the same time (``RequestLimiter/width``).
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcome for each user, in the order of `ids`.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: ids, width: limiter.width, marks: { [$0.lowercased()] }) { id throws(AuthError) in
            try await delete(id)
            return id
        }
    }
}
