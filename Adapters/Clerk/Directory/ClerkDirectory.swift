@_exported public import Lockstep
internal import LockstepClerk
@_exported public import LockstepDirectory
@_exported public import LockstepHTTP
internal import LockstepPasswords
@_exported public import LockstepPrimitives
internal import LockstepWire

/// A directory that manages the users of a Clerk instance with its Backend API (`/v1/users`).
///
/// Use the directory in tools and servers, never in an app.
///
/// ```swift
/// let directory = try ClerkDirectory(secretKey: Secret(secretKey), transport: CurlTransport())
/// let user = try await directory.user(email: "ada@example.com")
/// ```
public struct ClerkDirectory: UserDirectory {
    let url: String
    private let key: Secret
    private let wire: JSONWire<DirectoryErrors>
    let limiter: RequestLimiter
    private let deadline: Duration

    /// The URL of Clerk's own Backend API.
    public static let clerk = "https://api.clerk.com"

    /// Creates a directory.
    ///
    /// - Parameters:
    ///   - secretKey: The secret key, `sk_test_…` or `sk_live_…`.
    ///   - url: The URL of the Backend API. Default: Clerk's own.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock for the waits between requests.
    ///   - limiter: A limiter for all directories of the instance. Default: a separate limiter with the instance's
    ///     limit (``limiter(for:clock:)``).
    ///   - deadline: The time limit of a request. Default: 30 seconds.
    /// - Throws: `invalidConfiguration` if the URL is invalid or uses plain http to another machine, or if the key is
    ///   not a secret key.
    public init(
        secretKey: Secret, url: String = ClerkDirectory.clerk, transport: some HTTPTransport,
        clock: any DeviceClock = SystemClock(), limiter: RequestLimiter? = nil, deadline: Duration = .seconds(30)
    ) throws(AuthError) {
        let text = secretKey.reveal()
        guard text.hasPrefix("sk_test_") || text.hasPrefix("sk_live_"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration,
                "The key is not a Clerk secret key. Copy the secret key from the dashboard. It begins with sk_test_ or sk_live_.")
        }
        self.url = try BackendAddress(url, called: "address of the back-end API").dropping("/v1").url
        key = secretKey
        wire = JSONWire(transport)
        self.limiter = limiter ?? Self.limiter(for: secretKey, clock: clock)
        self.deadline = deadline
    }

    /// Creates a limiter with the rate limit of an instance, which all directories of the instance can share.
    ///
    /// Clerk documents 1,000 requests in ten seconds in production, and 100 in development
    /// (clerk.com/docs/guides/how-clerk-works/system-limits).
    ///
    /// ```swift
    /// let limiter = ClerkDirectory.limiter(for: Secret(secretKey))
    /// let first = try ClerkDirectory(secretKey: Secret(secretKey), transport: CurlTransport(), limiter: limiter)
    /// let second = try ClerkDirectory(secretKey: Secret(secretKey), transport: CurlTransport(), limiter: limiter)
    /// print(first.name, second.name)
    /// ```
    ///
    /// - Parameters:
    ///   - secretKey: The secret key.
    ///   - clock: The clock for the waits between requests.
    /// - Returns: The limiter.
    public static func limiter(for secretKey: Secret, clock: any DeviceClock = SystemClock()) -> RequestLimiter {
        RequestLimiter(secretKey.reveal().hasPrefix("sk_live_") ? 1000 : 100, per: .seconds(10), clock: clock)
    }

    /// The name `clerk`.
    public var name: String { "clerk" }
    /// The identity of the instance, which consists of the URL of the Backend API and a digest of the key.
    public var backend: String { "\(url)#\(FlowMemory.digest(key.reveal()))" }
    /// The features of this directory.
    ///
    /// The directory does not support ids, photos, sign-in times or unverified phone numbers. Clerk would let users
    /// sign in with an unverified number.
    public var features: Set<DirectoryFeature> { Self.features }

    static let features: Set<DirectoryFeature> = [
        .passwordHashes, .confirmation, .disabling, .locks, .phones, .otherAddresses, .addressIdentities, .usernames,
        .personNames, .userMetadata, .privateMetadata, .externalIDs, .creationTimes, .phoneFactors, .appFactors, .backupCodes,
        .policyExemptions,
    ]

    /// The order of a list, in which the newest user comes first.
    public var order: DirectoryOrder { .newestFirst }

    /// Returns a page of up to 500 users, newest first.
    ///
    /// Even if users are added or deleted during the iteration, each other user occurs exactly once.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the previous page; `nil` for the first page.
    ///   - size: The number of users per page.
    /// - Returns: The page.
    /// - Throws: An `AuthError` of the backend.
    public func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        let size = min(max(size, 1), 500)
        let users = try await list(after: cursor.flatMap(ListPlace.init), size)
        var read: [DirectoryUser] = []
        for user in users { read.append(try DirectoryUser(clerk: user.object ?? [:])) }
        let next = users.count < size ? nil : read.last.map(ListPlace.init(after:))
        return DirectoryPage(users: read, next: next.map { DirectoryCursor(rawValue: $0.text) })
    }

    private func list(after place: ListPlace?, _ size: Int) async throws(AuthError) -> [JSON] {
        let query: HTTPForm = ["limit": String(size), "order_by": "-created_at"]
        guard let place else { return try await users(query) }
        var following = query
        following.append("starting_after", place.id)
        do {
            return try await users(following)
        } catch  where [404, 422].contains(error.provider?.status ?? 0) {
            // The user after whom the page begins no longer exists. Users of the same millisecond are returned again,
            // and are recognized by their ids.
            guard let created = place.createdAt else { throw error }
            var earlier = query
            earlier.append("created_at_before", String(created.milliseconds + 1))
            return try await users(earlier)
        }
    }

    func users(_ query: HTTPForm) async throws(AuthError) -> [JSON] {
        let response: JSONResponse
        do {
            response = try await call(.get, "/users", query: query)
        } catch {
            // A list that begins after a user fails if that user no longer exists.
            throw query.pairs.contains { $0.name == "starting_after" } ? error : error.ofUnnamedUser(at: url)
        }
        guard let users = response.json.array else {
            throw DirectoryErrors.incomplete("the list of users")
        }
        return users
    }

    /// Returns the user with an id.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user.
    /// - Throws: `userNotFound` if the user does not exist.
    public func user(id: String) async throws(AuthError) -> DirectoryUser {
        try checked(try read(try await call(.get, try path(id))), as: .id(id))
    }

    /// Returns the user with an email address, even if the address is not the primary one.
    ///
    /// - Parameter email: The email address, in upper or lower case.
    /// - Returns: The user; `nil` if no user has this address.
    /// - Throws: An `AuthError` of the backend.
    public func user(email: String) async throws(AuthError) -> DirectoryUser? {
        let address = try EmailAddress(email).text.lowercased()
        let found = try await users(["email_address": address, "limit": "10"])
        // An address that is neither verified nor reserved may belong to several users.
        let first = found.first { $0.holds(address, claimed: true) } ?? found.first { $0.holds(address, claimed: false) }
        guard first != nil || found.isEmpty else { throw foreignAnswer }
        return try (first?.object).map { user throws(AuthError) in try DirectoryUser(clerk: user) }
    }

    /// Creates a user without sending a message.
    ///
    /// An unverified email address is reserved for the user. So the user can sign in with the address, and no other
    /// user can register it. If `hasEmailIdentity` is false, unverified addresses are not reserved: the user cannot sign in with
    /// them, and another user can register them.
    ///
    /// Such an address, and each number that is a second factor, needs a request of its own. Until the last of these numbers, the
    /// user is banned. If a request is refused, the user is deleted again.
    ///
    /// - Parameter user: The values of the new user.
    /// - Returns: The created user.
    /// - Throws: The errors of `UserDirectory.create(_:)`.
    public func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser {
        _ = try user.clerkBody()
        let stages = stages(of: user)
        let made = try await create(stages[0], try stages[0].clerkBody())
        guard stages.count > 1 else { return made }
        do throws(AuthError) {
            return try await complete(user, made)
        } catch {
            var failure = error
            // A user who was refused in part is removed again.
            do throws(AuthError) {
                guard !error.mayHaveTakenEffect else { throw error }
                try await delete(made.id)
            } catch {
                failure = error
                failure.completed = ["user"]
            }
            throw failure
        }
    }

    private func create(_ user: NewDirectoryUser, _ body: JSONObject) async throws(AuthError) -> DirectoryUser {
        let made: DirectoryUser
        do {
            made = try read(try await call(.post, "/users", body: body))
        } catch {
            throw error.ofUnnamedUser(at: url)
        }
        // A proxy that mixes up responses must not give the id of one user to another.
        if let id = user.externalID, made.externalID?.exact != id.exact { throw foreignAnswer }
        guard let address = body["email_address"]?[0]?.string else { return made }
        guard JSON.object(made.fields).holds(address.lowercased(), claimed: false) else { throw foreignAnswer }
        return made
    }

    /// Deletes a user permanently.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: `userNotFound` if the user does not exist.
    public func delete(_ id: String) async throws(AuthError) {
        let answer = try await call(.delete, try path(id)).object
        try check(answered: answer["id"]?.string, for: id)
    }

    func call(
        _ method: HTTPMethod, _ path: BackendPath, query: HTTPForm = [:], body: JSONObject? = nil
    ) async throws(AuthError) -> JSONResponse {
        let address = url + (try ("/v1" + path).text())
        return try await limiter.run { () throws(AuthError) in
            try await wire.call(
                HTTPRequest(
                    method, address, query: query,
                    headers: [
                        "Accept": "application/json", "Clerk-API-Version": Self.version,
                        "Authorization": "Bearer " + key.reveal(),
                    ],
                    body: body.map { .json(.object($0)) } ?? .none, deadline: deadline), takesLists: true)
        }
    }

    /// Requests the environment of a Frontend API.
    ///
    /// It is public, so the secret key is not sent.
    func environment(of address: String) async throws(AuthError) -> JSONObject {
        try await limiter.run { () throws(AuthError) in
            try await wire.call(
                HTTPRequest(
                    .get, address + "/v1/environment", query: ["_is_native": "1"],
                    headers: ["Accept": "application/json", "Clerk-API-Version": Self.version], deadline: deadline)
            ).object
        }
    }

    /// The version of the API that the directory uses.
    private static let version = "2026-05-12"

    /// Returns the path of a user.
    ///
    /// A word that names another resource, such as `count`, is rejected.
    func path(_ id: String) throws(AuthError) -> BackendPath {
        guard id.hasPrefix("user_"), BackendPath.isSegment(id) else {
            throw AuthError(
                .userNotFound, "The id is not a Clerk user id. Copy the id from the dashboard; it begins with user_.")
        }
        return "/users/\(given: id)"
    }

    func read(_ response: JSONResponse) throws(AuthError) -> DirectoryUser { try DirectoryUser(clerk: response.object) }
}

/// The place at which a page begins: after a user, or if that user no longer exists, after the time of the account.
private struct ListPlace {
    let id: String
    let createdAt: Instant?

    init(after user: DirectoryUser) {
        id = user.id
        createdAt = user.createdAt
    }

    init?(_ cursor: DirectoryCursor) {
        let parts = cursor.rawValue.pieces(at: "@", maxSplits: 1)
        guard let first = parts.first else { return nil }
        id = String(first)
        createdAt = parts.count == 2 ? Int64(parts[1]).map { Instant(milliseconds: min($0, .max - 1)) } : nil
    }

    var text: String { createdAt.map { "\(id)@\($0.milliseconds)" } ?? id }
}

extension JSON {
    /// Whether the user has an address; if `claimed` is true, whether no other user can have it.
    func holds(_ address: String, claimed: Bool) -> Bool {
        (self["email_addresses"]?.array ?? []).contains { entry in
            entry["email_address"]?.string?.lowercased() == address
                && (!claimed || entry["reserved"]?.bool == true || entry["verification"]?["status"] == "verified")
        }
    }
}
