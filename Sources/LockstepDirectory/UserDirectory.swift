@_exported public import Lockstep

/// The users of a backend, as an administrator sees them.
///
/// Use it in tools and servers, never in an app.
///
/// Each provider's directory is a separate product, so no app contains administrator code.
///
/// ```swift
/// let directory: any UserDirectory = backend.directory
/// let user = try await directory.create(NewDirectoryUser(email: "ada@example.com"))
/// try await directory.delete(user.id)
/// ```
public protocol UserDirectory: Sendable {
    /// The provider's short name, equal to the adapter's.
    var name: String { get }
    /// The URL of the backend.
    var backend: String { get }
    /// The data that this directory can write.
    var features: Set<DirectoryFeature> { get }
    /// The order of the pages.
    var order: DirectoryOrder { get }

    /// Returns a page of users.
    ///
    /// The order does not change unless users are added.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the previous page; `nil` for the first page.
    ///   - size: The number of users per page.
    /// - Returns: The page.
    /// - Throws: An `AuthError` of the backend.
    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage

    /// Returns a user.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user.
    /// - Throws: `userNotFound` if there is no such user.
    func user(id: String) async throws(AuthError) -> DirectoryUser

    /// Returns the user with an email address.
    ///
    /// - Parameter email: The email address, in any case.
    /// - Returns: The user; `nil` if there is none.
    /// - Throws: An `AuthError` of the backend.
    func user(email: String) async throws(AuthError) -> DirectoryUser?

    /// Returns many users, in as few requests as the backend allows.
    ///
    /// - Parameter requests: The users, by id, email address, phone number, identity or external id.
    /// - Returns: The users in the given order; `nil` for a user who does not exist.
    /// - Throws: `unsupported` if the backend does not support this kind of lookup. Then nothing is sent.
    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?]

    /// Returns the number of users, as the backend counts them.
    ///
    /// - Returns: The number of users.
    /// - Throws: An `AuthError` of the backend.
    func count() async throws(AuthError) -> Int

    /// Returns the project's requirements for its users.
    ///
    /// - Returns: The requirements that the project shows.
    /// - Throws: An `AuthError` of the backend.
    func demands() async throws(AuthError) -> DirectoryDemands

    /// Reads all users at one point in time, if the backend supports it.
    ///
    /// Otherwise each user is read when the request is sent.
    ///
    /// - Parameter body: Reads with the given directory, whose reads are of one point in time.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value

    /// Creates a user without sending a message to them.
    ///
    /// - Parameter user: The user.
    /// - Returns: The created user.
    /// - Throws: `emailAlreadyInUse`, `phoneAlreadyInUse`, `weakPassword`, `invalidInput`; `unsupported` for a value that
    ///   this backend cannot store. Then no user is created.
    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser

    /// Changes a user.
    ///
    /// Values without a change stay.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - changes: The changes.
    /// - Returns: The changed user.
    /// - Throws: The errors of ``create(_:)``, and `userNotFound`.
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser

    /// Deletes a user permanently.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: `userNotFound` if there is no such user.
    func delete(_ id: String) async throws(AuthError)

    /// Creates many users, in as few requests as the backend allows.
    ///
    /// - Parameter users: The users.
    /// - Returns: The outcomes in the given order. The batch ends if a response is lost or if no user would be accepted.
    ///   It continues after a user who is rejected.
    func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome]

    /// Deletes many users permanently, in as few requests as the backend allows.
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcomes in the given order, as for ``create(_:)``. For a user who did not exist, a backend may
    ///   return either success or an error.
    func delete(_ ids: [String]) async -> [DirectoryOutcome]
}

extension UserDirectory {
    /// Default: any user can be repeated, because the backend's order is unknown.
    public var order: DirectoryOrder { .any }

    /// Default for a backend without batches: creates one user after the other.
    ///
    /// - Parameter users: The users.
    /// - Returns: The outcomes in the given order.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: users, width: 1, marks: \.marks) { user throws(AuthError) in try await create(user).id }
    }

    /// Default for a backend without batches: deletes one user after the other.
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcomes in the given order.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: ids, width: 1, marks: { [$0] }) { id throws(AuthError) in
            try await delete(id)
            return id
        }
    }

    /// Default for a backend without batches: looks up one user after the other, by id or email address.
    ///
    /// - Parameter requests: The users.
    /// - Returns: The users in the given order; `nil` for a user who does not exist.
    /// - Throws: `unsupported` for any other kind of lookup.
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(oneByOne: requests, width: 1, of: "This backend")
    }

    /// Default for a backend that shows no settings: every value is unknown.
    ///
    /// - Returns: Requirements without values.
    /// - Throws: Nothing.
    public func demands() async throws(AuthError) -> DirectoryDemands { DirectoryDemands() }

    /// Default for a backend without snapshots: reads with this directory itself.
    ///
    /// - Parameter body: Reads with the given directory.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value {
        try await body(self)
    }

    /// Default for a backend that does not count: reads all users and counts them.
    ///
    /// - Returns: The number of users.
    /// - Throws: The error of a page.
    public func count() async throws(AuthError) -> Int {
        var count = 0
        for try await _ in all(pageSize: 500) { count += 1 }
        return count
    }
}

extension UserDirectory {
    /// Returns the users with the given ids.
    ///
    /// - Parameter ids: The ids.
    /// - Returns: The users in the given order; `nil` for an id that no user has.
    /// - Throws: An `AuthError` of the backend.
    public func users(ids: [String]) async throws(AuthError) -> [DirectoryUser?] { try await users(ids.map { .id($0) }) }

    /// Returns the users with the given email addresses, in any case.
    ///
    /// - Parameter emails: The email addresses.
    /// - Returns: The users in the given order; `nil` for an address that no user has.
    /// - Throws: An `AuthError` of the backend.
    public func users(emails: [String]) async throws(AuthError) -> [DirectoryUser?] { try await users(emails.map { .email($0) }) }

    /// Returns the users with the given phone numbers.
    ///
    /// - Parameter phones: The phone numbers in E.164 form.
    /// - Returns: The users in the given order; `nil` for a number that no user has.
    /// - Throws: `unsupported` if the backend does not support this lookup.
    public func users(phones: [String]) async throws(AuthError) -> [DirectoryUser?] { try await users(phones.map { .phone($0) }) }

    /// Returns the users with the given accounts at identity providers.
    ///
    /// - Parameter identities: The identities. Only their provider and subject are used.
    /// - Returns: The users in the given order; `nil` for an identity that no user has.
    /// - Throws: `unsupported` if the backend does not support this lookup.
    public func users(identities: [DirectoryIdentity]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(identities.map { .identity($0.provider, subject: $0.subject) })
    }

    /// Returns the users with the given ids in another system.
    ///
    /// - Parameter externalIDs: The ids.
    /// - Returns: The users in the given order; `nil` for an id that no user has.
    /// - Throws: `unsupported` if the backend does not support this lookup.
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

/// A page of a backend's users.
public struct DirectoryPage: Sendable, Hashable {
    /// The users.
    public var users: [DirectoryUser]
    /// The cursor of the next page; `nil` on the last page.
    public var next: DirectoryCursor?
    /// The number of users in the backend; `nil` if the backend does not return it.
    public var total: Int?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - next: The cursor of the next page; `nil` on the last page.
    ///   - total: The number of users in the backend.
    public init(users: [DirectoryUser], next: DirectoryCursor? = nil, total: Int? = nil) {
        self.users = users
        self.next = next
        self.total = total
    }
}

/// The start of the next page.
///
/// Its value has a meaning only for the backend.
public struct DirectoryCursor: RawRepresentable, Hashable, Sendable, Codable {
    /// The backend's own value.
    public let rawValue: String

    /// Creates a cursor.
    ///
    /// - Parameter rawValue: The backend's own value.
    public init(rawValue: String) { self.rawValue = rawValue }
}
