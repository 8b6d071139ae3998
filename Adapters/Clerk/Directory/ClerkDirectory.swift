@_exported public import Lockstep
internal import LockstepClerk
@_exported public import LockstepDirectory
@_exported public import LockstepHTTP
internal import LockstepPasswords
@_exported public import LockstepPrimitives
internal import LockstepWire

/// Manages the users of a Clerk instance by its back-end API (`/v1/users`): for tools and servers, never for an app.
public struct ClerkDirectory: UserDirectory {
    let url: String
    private let key: Secret
    private let wire: JSONWire<DirectoryErrors>
    let limiter: RequestLimiter
    private let deadline: Duration

    /// The address of Clerk's own back-end API.
    public static let clerk = "https://api.clerk.com"

    /// A directory.
    ///
    /// - Parameters:
    ///   - secretKey: `sk_test_…` or `sk_live_…`.
    ///   - url: The address of the back-end API, with or without `/v1`.
    ///   - limiter: What other directories of the instance share; `nil` for one of its own with the limit of the key's instance
    ///     (``limiter(for:clock:)``).
    /// - Throws: `invalidConfiguration` for a malformed address, for plain http to another machine, for a key that is no secret one.
    public init(
        secretKey: Secret, url: String = ClerkDirectory.clerk, transport: some HTTPTransport,
        clock: any DeviceClock = SystemClock(), limiter: RequestLimiter? = nil, deadline: Duration = .seconds(30)
    ) throws(AuthError) {
        let text = secretKey.reveal()
        guard text.hasPrefix("sk_test_") || text.hasPrefix("sk_live_"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration,
                "The key is no secret key: copy it from the dashboard; it begins with sk_test_ or sk_live_.")
        }
        self.url = try BackendAddress(url, called: "address of the back-end API").dropping("/v1").url
        key = secretKey
        wire = JSONWire(transport)
        self.limiter = limiter ?? Self.limiter(for: secretKey, clock: clock)
        self.deadline = deadline
    }

    /// A limiter with the limit of an instance, for all directories of it to share.
    ///
    /// Clerk documents 1,000 requests in ten seconds in production, and 100 in development
    /// (clerk.com/docs/guides/how-clerk-works/system-limits).
    public static func limiter(for secretKey: Secret, clock: any DeviceClock = SystemClock()) -> RequestLimiter {
        RequestLimiter(secretKey.reveal().hasPrefix("sk_live_") ? 1000 : 100, per: .seconds(10), clock: clock)
    }

    /// `clerk`.
    public var name: String { "clerk" }
    /// The address of the back-end API, and which instance the key is of.
    public var backend: String { "\(url)#\(FlowMemory.digest(key.reveal()))" }
    /// All but ids, photos, times of sign-ins, and numbers without a proof: a number that is not proven signs its user in here.
    ///
    /// Further addresses and second factors are read, and not written yet.
    public var features: Set<DirectoryFeature> { Self.features }

    static let features: Set<DirectoryFeature> = [
        .passwordHashes, .confirmation, .disabling, .locks, .phones, .usernames, .personNames, .userMetadata, .privateMetadata,
        .externalIDs, .creationTimes, .policyExemptions,
    ]

    /// The newest user comes first.
    public var order: DirectoryOrder { .newestFirst }

    /// A page of users, newest first, at most 500: what is added or deleted meanwhile moves no other user.
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
            // The user behind whom the page begins is gone. Those of the same millisecond come again, and are told apart by their ids.
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
            // A list that begins behind a user fails if that user is gone.
            throw query.pairs.contains { $0.name == "starting_after" } ? error : error.ofUnnamedUser(at: url)
        }
        guard let users = response.json.array else {
            throw DirectoryErrors.incomplete("the users")
        }
        return users
    }

    /// A user.
    public func user(id: String) async throws(AuthError) -> DirectoryUser {
        try checked(try read(try await call(.get, try path(id))), as: .id(id))
    }

    /// The user of an address, be it the first one or another.
    public func user(email: String) async throws(AuthError) -> DirectoryUser? {
        let address = try EmailAddress(email).text.lowercased()
        let found = try await users(["email_address": address, "limit": "10"])
        // An address that is neither proven nor reserved may be several users'.
        let first = found.first { $0.holds(address, claimed: true) } ?? found.first { $0.holds(address, claimed: false) }
        guard first != nil || found.isEmpty else { throw foreignAnswer }
        return try (first?.object).map { user throws(AuthError) in try DirectoryUser(clerk: user) }
    }

    /// Creates a user, without a message: an address that is not proven is reserved, so that it signs in and no other user gets it.
    public func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser {
        let body = try user.clerkBody()
        let made: DirectoryUser
        do {
            made = try read(try await call(.post, "/users", body: body))
        } catch {
            throw error.ofUnnamedUser(at: url)
        }
        guard let address = body["email_address"]?[0]?.string else { return made }
        guard JSON.object(made.fields).holds(address.lowercased(), claimed: false) else { throw foreignAnswer }
        return made
    }

    /// Deletes a user for good.
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

    /// The environment of a front-end API, which everyone may read: the secret key is not sent.
    func environment(of address: String) async throws(AuthError) -> JSONObject {
        try await limiter.run { () throws(AuthError) in
            try await wire.call(
                HTTPRequest(
                    .get, address + "/v1/environment", query: ["_is_native": "1"],
                    headers: ["Accept": "application/json", "Clerk-API-Version": Self.version], deadline: deadline)
            ).object
        }
    }

    /// The version of the API that is spoken here.
    private static let version = "2026-05-12"

    /// The path of a user: no other word stands at this place, such as `count`.
    func path(_ id: String) throws(AuthError) -> BackendPath {
        guard id.hasPrefix("user_"), BackendPath.isSegment(id) else {
            throw AuthError(
                .userNotFound, "Clerk's ids of users begin with user_ and stand in addresses, which this one does not.")
        }
        return "/users/\(given: id)"
    }

    func read(_ response: JSONResponse) throws(AuthError) -> DirectoryUser { try DirectoryUser(clerk: response.object) }
}

/// Where a page begins: behind a user, or, should that one be gone, behind the time of the account.
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
    /// Whether the user has an address, and, where `claimed`, as one that no other user can have.
    func holds(_ address: String, claimed: Bool) -> Bool {
        (self["email_addresses"]?.array ?? []).contains { entry in
            entry["email_address"]?.string?.lowercased() == address
                && (!claimed || entry["reserved"]?.bool == true || entry["verification"]?["status"] == "verified")
        }
    }
}
