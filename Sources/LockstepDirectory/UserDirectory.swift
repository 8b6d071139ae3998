@_exported public import Lockstep
internal import LockstepUserFields

/// The users of a backend, as an administrator sees them.
///
/// Use a directory in tools and on servers, never in an app. The directory of each provider is a separate product, so that no app
/// contains administrator code.
///
/// ```swift
/// let directory: any UserDirectory = backend.directory
/// let user = try await directory.create(NewDirectoryUser(email: "ada@example.com"))
/// try await directory.delete(user.id)
/// ```
public protocol UserDirectory: Sendable {
    /// The short name of the provider, which is also the name of its adapter.
    var name: String { get }
    /// The URL of the backend.
    var backend: String { get }
    /// The data that this directory can write.
    var features: Set<DirectoryFeature> { get }
    /// The order in which the pages list the users.
    var order: DirectoryOrder { get }

    /// Returns one page of users.
    ///
    /// The order of the users changes only if users are added.
    ///
    /// - Parameters:
    ///   - cursor: ``DirectoryPage/next`` of the previous page; `nil` for the first page.
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
    /// - Returns: The user, or `nil`.
    /// - Throws: An `AuthError` of the backend.
    func user(email: String) async throws(AuthError) -> DirectoryUser?

    /// Returns many users, in as few requests as the backend allows.
    ///
    /// - Parameter requests: The users to look up: by id, email address, phone number, account at an identity provider, or
    ///   external id.
    /// - Returns: The users in the given order; `nil` for a user who does not exist.
    /// - Throws: `unsupported` if the backend cannot look up users by one of these properties. In that case, nothing is sent.
    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?]

    /// Returns the number of users, as the backend counts them.
    ///
    /// - Returns: The number of users.
    /// - Throws: An `AuthError` of the backend.
    func count() async throws(AuthError) -> Int

    /// Returns the settings of the project that limit its users.
    ///
    /// - Returns: The settings that the backend returns.
    /// - Throws: An `AuthError` of the backend.
    func demands() async throws(AuthError) -> DirectoryDemands

    /// Reads all users as they were at one point in time, if the backend supports this.
    ///
    /// Otherwise, the closure reads each user as it is at the time of the request.
    ///
    /// - Parameter body: A closure that reads from the directory that it receives.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value

    /// Creates a user, without sending the user a message.
    ///
    /// - Parameter user: The user to create.
    /// - Returns: The created user.
    /// - Throws: `emailAlreadyInUse`, `phoneAlreadyInUse`, `weakPassword`, `invalidInput`; `unsupported` if this backend cannot
    ///   store a value. In that case, no user is created.
    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser

    /// Changes the values of a user that `changes` contains, and keeps the others.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - changes: The values to change.
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
    /// The batch continues after a rejected user. It ends early if a response is lost, or if the backend would reject every
    /// user.
    ///
    /// - Parameter users: The users to create.
    /// - Returns: The outcome for each user, in the given order.
    func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome]

    /// Deletes many users permanently, in as few requests as the backend allows.
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcome for each user, in the given order, as for ``create(_:)``. For a user who does not exist, the
    ///   backend decides whether the outcome is a success or an error.
    func delete(_ ids: [String]) async -> [DirectoryOutcome]
}

extension UserDirectory {
    /// The default order: any user can appear again, because the backend's order is unknown.
    public var order: DirectoryOrder { .any }

    /// Creates one user after the other.
    ///
    /// This default implementation is for backends without batch requests.
    ///
    /// - Parameter users: The users to create.
    /// - Returns: The outcome for each user, in the given order.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: users, width: 1, marks: \.marks) { user throws(AuthError) in try await create(user).id }
    }

    /// Deletes one user after the other.
    ///
    /// This default implementation is for backends without batch requests.
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcome for each user, in the given order.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.all(of: ids, width: 1, marks: { [$0] }) { id throws(AuthError) in
            try await delete(id)
            return id
        }
    }

    /// Looks up one user after the other, by id or email address.
    ///
    /// This default implementation is for backends without batch requests.
    ///
    /// - Parameter requests: The users to look up.
    /// - Returns: The users in the given order; `nil` for a user who does not exist.
    /// - Throws: `unsupported` for a lookup by any other property.
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(oneByOne: requests, width: 1, of: "This backend")
    }

    /// Returns settings in which every value is unknown.
    ///
    /// This default implementation is for backends that return no settings.
    ///
    /// - Returns: Settings without values.
    /// - Throws: Nothing.
    public func demands() async throws(AuthError) -> DirectoryDemands { DirectoryDemands() }

    /// Calls the closure with this directory itself.
    ///
    /// This default implementation is for backends without snapshots.
    ///
    /// - Parameter body: A closure that reads from the directory that it receives.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    public func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value {
        try await body(self)
    }

    /// Reads all users and counts them.
    ///
    /// This default implementation is for backends that do not count their users.
    ///
    /// - Returns: The number of users.
    /// - Throws: The error with which the request for a page failed.
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

    /// Returns the users with the given email addresses.
    ///
    /// Upper and lower case make no difference.
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
    /// - Parameter identities: The accounts at identity providers. The lookup uses only the provider and the subject of each account.
    /// - Returns: The users in the given order; `nil` for an account that no user has.
    /// - Throws: `unsupported` if the backend does not support this lookup.
    public func users(identities: [DirectoryIdentity]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(identities.map { .identity($0.provider, subject: $0.subject) })
    }

    /// Returns the users who have the given ids in another system.
    ///
    /// - Parameter externalIDs: The ids in the other system.
    /// - Returns: The users in the given order; `nil` for an id that no user has.
    /// - Throws: `unsupported` if the backend does not support this lookup.
    public func users(externalIDs: [String]) async throws(AuthError) -> [DirectoryUser?] {
        try await users(externalIDs.map { .externalID($0) })
    }

    /// Looks up each user with a separate request, by id or email address.
    ///
    /// - Parameters:
    ///   - requests: The users to look up.
    ///   - width: The maximum number of requests at the same time.
    ///   - name: The name of the backend.
    ///   - instead: What to do instead of a lookup of another kind.
    /// - Returns: The users in the given order; `nil` for a user who does not exist.
    /// - Throws: The first error; `unsupported` for a lookup by any other property.
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
    /// The values that no other user can have at the same time.
    package var marks: [String] {
        let identities = providerIdentities.map { "identity:\($0.provider):\($0.subject)" }
        return [
            id.map { "id:" + $0.lowercased() }, self.email.map { "email:" + $0.lowercased() }, self.phone.map { "phone:" + $0 },
            self.username.map { "username:" + $0.lowercased() }, self.externalID.map { "external:" + $0 },
        ].compactMap(\.self) + identities
    }
}

/// A page of a backend's users.
public struct DirectoryPage: Sendable, Hashable {
    /// The users.
    public var users: [DirectoryUser]
    /// The start of the next page; `nil` on the last page.
    public var next: DirectoryCursor?
    /// The number of all users of the backend; `nil` if the backend does not return the value.
    public var total: Int?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - users: The users on the page.
    ///   - next: The start of the next page; `nil` on the last page.
    ///   - total: The number of all users of the backend; `nil` if the backend does not return the value.
    public init(users: [DirectoryUser], next: DirectoryCursor? = nil, total: Int? = nil) {
        self.users = users
        self.next = next
        self.total = total
    }
}

/// The start of the next page of users.
///
/// The value of a cursor has a meaning only for the backend that returned the cursor.
public struct DirectoryCursor: RawRepresentable, Hashable, Sendable, Codable {
    /// The cursor as the backend returned it.
    public let rawValue: String

    /// Creates a cursor.
    ///
    /// - Parameter rawValue: The cursor as the backend returned it.
    public init(rawValue: String) { self.rawValue = rawValue }
}
