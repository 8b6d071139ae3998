@_exported public import Lockstep

/// The users of a backend, as an administrator sees them: for tools and servers, never for an app.
///
/// A directory is a product of its own at each provider, so that no app carries an administrator's code.
public protocol UserDirectory: Sendable {
    /// The provider's short name, the same as the adapter's.
    var name: String { get }
    /// The address of the backend.
    var backend: String { get }
    /// What can be written here.
    var features: Set<DirectoryFeature> { get }
    /// The order of the pages.
    var order: DirectoryOrder { get }

    /// A page of users, in an order that does not change while no user is added.
    ///
    /// - Parameter cursor: the cursor of the page before; `nil` for the first.
    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage

    /// A user.
    ///
    /// - Throws: `userNotFound`
    func user(id: String) async throws(AuthError) -> DirectoryUser

    /// The user of an address, in any case; `nil` where there is none.
    func user(email: String) async throws(AuthError) -> DirectoryUser?

    /// Returns many users, in as few requests as the backend allows.
    ///
    /// - Parameter requests: The users, by id, address, number, identity or external id.
    /// - Returns: The user of each request in the order given; `nil` if there is none.
    /// - Throws: `unsupported` for a kind of request that the backend has no look-up for: nothing is sent then.
    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?]

    /// Returns how many users there are, as the backend itself counts them.
    ///
    /// - Returns: The number.
    func count() async throws(AuthError) -> Int

    /// Returns what the project asks of its users and offers them.
    ///
    /// - Returns: What the project shows of that.
    func demands() async throws(AuthError) -> DirectoryDemands

    /// Reads all users as they are at one moment, if the backend can do that; otherwise as they are when they are read.
    ///
    /// - Parameter body: Reads with a directory whose reads are of one moment.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value

    /// Makes a user, without a message to them.
    ///
    /// - Throws: `emailAlreadyInUse`, `phoneAlreadyInUse`, `weakPassword`, `invalidInput`; `unsupported` for a value that this
    ///   backend cannot keep: nothing is made then.
    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser

    /// Changes what is given of a user, and leaves the rest.
    ///
    /// - Throws: as ``create(_:)``, and `userNotFound`.
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser

    /// Deletes a user for good.
    ///
    /// - Throws: `userNotFound`
    func delete(_ id: String) async throws(AuthError)

    /// Makes many users, in as few requests as the backend allows.
    ///
    /// - Returns: what became of each, in the order given. The batch ends where an answer is lost or no user would be taken; it goes on
    ///   after a user who is refused.
    func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome]

    /// Deletes many users for good, in as few requests as the backend allows.
    ///
    /// - Returns: what became of each, in the order given, as for creating. Of a user who was not there, a backend may say
    ///   either that it is done or that it refuses.
    func delete(_ ids: [String]) async -> [DirectoryOutcome]
}

extension UserDirectory {
    /// Any user can come again: the default for a backend whose order is not known.
    public var order: DirectoryOrder { .any }

    /// Makes one user after the other: the default for a backend without batches.
    ///
    /// - Parameter users: The users.
    /// - Returns: What became of each, in the order given.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: users, width: 1, marks: \.marks) { user throws(AuthError) in try await create(user).id }
    }

    /// Deletes one user after the other: the default for a backend without batches.
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: What became of each, in the order given.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: ids, width: 1, marks: { [$0] }) { id throws(AuthError) in
            try await delete(id)
            return id
        }
    }

    /// Looks up one user after the other, by id or address: the default for a backend without batches.
    ///
    /// - Parameter requests: The users.
    /// - Returns: The user of each request in the order given; `nil` if there is none.
    /// - Throws: `unsupported` for any other kind of request.
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(oneByOne: requests, width: 1, of: "This backend")
    }

    /// Nothing is known: the default for a backend that shows no settings.
    ///
    /// - Returns: Demands without a value.
    public func demands() async throws(AuthError) -> DirectoryDemands { DirectoryDemands() }

    /// Reads with this directory itself: the default for a backend without snapshots.
    ///
    /// - Parameter body: Reads.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value {
        try await body(self)
    }

    /// Reads all users and counts them: the default for a backend that does not.
    ///
    /// - Returns: The number.
    public func count() async throws(AuthError) -> Int {
        var count = 0
        for try await _ in all(pageSize: 500) { count += 1 }
        return count
    }
}

extension UserDirectory {
    /// Returns the users with these ids.
    ///
    /// - Parameter ids: The ids.
    /// - Returns: The users in the order given; `nil` for an id that no user has.
    public func users(ids: [String]) async throws(AuthError) -> [DirectoryUser?] { try await users(ids.map { .id($0) }) }

    /// Returns the users with these addresses, in any case.
    ///
    /// - Parameter emails: The addresses.
    /// - Returns: The users in the order given; `nil` for an address that no user has.
    public func users(emails: [String]) async throws(AuthError) -> [DirectoryUser?] { try await users(emails.map { .email($0) }) }

    /// Returns the users with these numbers.
    ///
    /// - Parameter phones: The numbers in E.164 form.
    /// - Returns: The users in the order given; `nil` for a number that no user has.
    /// - Throws: `unsupported` if the backend has no such look-up.
    public func users(phones: [String]) async throws(AuthError) -> [DirectoryUser?] { try await users(phones.map { .phone($0) }) }

    /// Returns the users who are these persons at identity providers.
    ///
    /// - Parameter identities: The identities; their provider and subject count.
    /// - Returns: The users in the order given; `nil` for a person who is no user.
    /// - Throws: `unsupported` if the backend has no such look-up.
    public func users(identities: [DirectoryIdentity]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(identities.map { .identity($0.provider, subject: $0.subject) })
    }

    /// Returns the users with these ids of another system.
    ///
    /// - Parameter externalIDs: The ids.
    /// - Returns: The users in the order given; `nil` for an id that no user has.
    /// - Throws: `unsupported` if the backend has no such look-up.
    public func users(externalIDs: [String]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(externalIDs.map { .externalID($0) })
    }

    /// Looks up each user by a request of its own, by id or address.
    ///
    /// - Parameters:
    ///   - requests: The users.
    ///   - width: How many requests are under way at the same time.
    ///   - name: The name of the backend.
    ///   - instead: What to do for a request of another kind.
    /// - Returns: The user of each request in the order given; `nil` if there is none.
    /// - Throws: The first error; `unsupported` for any other kind of request.
    package func users(
        oneByOne requests: [RequestedUser], width: Int, of name: String, instead: String = "list the users"
    ) async throws(AuthError) -> [DirectoryUser?] {
        for request in requests {
            switch request {
            case .id, .email: continue
            default: throw noLookUp(request, of: name, instead: instead)
            }
        }
        let results = await SideBySide.run(requests, width: width) { request in
            do throws(AuthError) {
                return Result<DirectoryUser?, AuthError>.success(try await user(request))
            } catch {
                return .failure(error)
            }
        } isLast: { result in
            if case .failure = result { true } else { false }
        }
        var users: [DirectoryUser?] = []
        for result in results where result != nil { if case .failure(let error) = result { throw error } }
        for result in results {
            guard let result else { throw .cancelled }
            users.append(try result.get())
        }
        return users
    }

    private func user(_ request: RequestedUser) async throws(AuthError) -> DirectoryUser? {
        switch request {
        case .id(let id):
            do throws(AuthError) {
                return try await user(id: id)
            } catch  where error.code == .userNotFound {
                return nil
            }
        case .email(let address): return try await user(email: address)
        default: return nil
        }
    }
}

extension NewDirectoryUser {
    /// What no other user can have at the same time.
    package var marks: [String] {
        let identities = providerIdentities.map { "identity:\($0.provider):\($0.subject)" }
        return [
            id.map { "id:" + $0.lowercased() }, email.map { "email:" + $0.lowercased() }, phone.map { "phone:" + $0 },
            username.map { "username:" + $0.lowercased() }, externalID.map { "external:" + $0 },
        ].compactMap(\.self) + identities
    }
}

/// Some of the users of a backend.
public struct DirectoryPage: Sendable, Hashable {
    /// The users.
    public var users: [DirectoryUser]
    /// Where the next page begins; `nil` on the last.
    public var next: DirectoryCursor?
    /// How many users there are, where the backend says.
    public var total: Int?

    /// A page.
    public init(users: [DirectoryUser], next: DirectoryCursor? = nil, total: Int? = nil) {
        self.users = users
        self.next = next
        self.total = total
    }
}

/// The beginning of the next page, as an opaque value of the backend.
public struct DirectoryCursor: RawRepresentable, Hashable, Sendable, Codable {
    /// The backend's own value.
    public let rawValue: String

    /// A cursor of the backend's.
    public init(rawValue: String) { self.rawValue = rawValue }
}
