internal import Lockstep
internal import LockstepClerk
internal import LockstepDirectory
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension ClerkDirectory {
    /// Creates many users, with one request for each user.
    ///
    /// The directory sends several requests at the same time (``RequestLimiter/width``).
    ///
    /// - Parameter users: The users.
    /// - Returns: The outcome for each user, in the order of `users`.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: users, width: limiter.width, marks: \.marks) { user throws(AuthError) in
            try await create(user).id
        }
    }

    /// Deletes many users, with one request for each user.
    ///
    /// The directory sends several requests at the same time (``RequestLimiter/width``).
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcome for each user, in the order of `ids`.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: ids, width: limiter.width, marks: { [$0] }) { id throws(AuthError) in
            try await delete(id)
            return id
        }
    }

    /// Looks up many users; one request contains up to 100 lookups of one kind.
    ///
    /// If several users have the same email address, the result is the user with the verified or reserved address.
    ///
    /// - Parameter requests: The users to look up.
    /// - Returns: The users, in the order of `requests`; `nil` for a user who does not exist.
    /// - Throws: An `AuthError` of the backend.
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        var filters: [UserFilter] = []
        var open: [ExactString: Int] = [:]
        for request in requests {
            let filter = try UserFilter(request)
            if let place = open[filter.kind.exact], filters[place].requests.count < UserFilter.most {
                filters[place].requests.append(request)
                filters[place].query.append(filter.parameter, filter.value)
            } else {
                open[filter.kind.exact] = filters.count
                filters.append(filter)
            }
        }
        let results = await SideBySide.run(filters, width: limiter.width) { filter in
            do throws(AuthError) {
                return Result<[DirectoryUser?], AuthError>.success(try sorted(try await read(filter), as: filter.requests))
            } catch {
                return .failure(error)
            }
        } isLast: { result in
            if case .failure = result { true } else { false }
        }
        for case .failure(let error)? in results { throw error }
        var found: [RequestedUser.Key: DirectoryUser] = [:]
        for (filter, result) in zip(filters, results) {
            guard let users = try result?.get() else { throw .cancelled }
            for (request, user) in zip(filter.requests, users) { found[request.key] = user }
        }
        return requests.map { found[$0.key] }
    }

    /// Returns all users of a filter.
    ///
    /// Users who have verified their addresses, or for whom the addresses are reserved, come first.
    private func read(_ filter: UserFilter) async throws(AuthError) -> [DirectoryUser] {
        var (claimed, others): ([DirectoryUser], [DirectoryUser]) = ([], [])
        for object in try await users(filter.query) {
            let user = try DirectoryUser(clerk: object.object ?? [:])
            switch filter.parameter {
            case "email_address" where !filter.emails.contains { object.holds($0, claimed: true) }: others.append(user)
            // No user can sign in with an unverified account of a provider, so the account has no user here.
            case "provider_user_id" where user.providerIdentities.isEmpty: continue
            default: claimed.append(user)
            }
        }
        return claimed + others
    }

    /// Returns the number of users in the instance.
    ///
    /// - Returns: The number of users.
    /// - Throws: An `AuthError` of the backend.
    public func count() async throws(AuthError) -> Int {
        let object = try await call(.get, "/users/count").object
        guard let count = object["total_count"]?.int, count >= 0 else {
            throw DirectoryErrors.incomplete("the number of users")
        }
        return Int(count)
    }
}

/// The parameters of a list that contains the requested users.
private struct UserFilter: Sendable {
    /// The maximum number of values in a filter (clerk.com/docs/reference/backend-api).
    static let most = 100

    let parameter: String
    let value: String
    /// The kind of lookups that one filter can contain.
    let kind: String
    var requests: [RequestedUser]
    var query: HTTPForm = ["limit": "500"]

    /// - Throws: `invalidEmail`.
    init(_ request: RequestedUser) throws(AuthError) {
        requests = [request]
        var provider: String?
        switch request {
        case .id(let id): (parameter, value) = ("user_id", id)
        case .email(let address): (parameter, value) = ("email_address", try EmailAddress(address).text.lowercased())
        case .phone(let number): (parameter, value) = ("phone_number", number)
        case .externalID(let id): (parameter, value) = ("external_id", id)
        case .identity(let name, let subject):
            (parameter, value) = ("provider_user_id", subject)
            provider = "oauth_" + name.rawValue
        }
        kind = parameter + (provider ?? "")
        query.append("provider", provider)
        query.append(parameter, value)
    }

    var emails: [String] {
        requests.compactMap { if case .email(let address) = $0 { address.lowercased() } else { nil } }
    }
}
