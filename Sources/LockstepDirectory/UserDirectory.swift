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
    /// All users, page by page.
    public func all(pageSize: Int = 100) -> DirectoryUsers { DirectoryUsers(directory: self, pageSize: pageSize) }

    /// One request or more a user, for backends without batches.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.oneByOne(users) { user throws(AuthError) in try await create(user).id }
    }

    /// One request a user, for backends without batches.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        await DirectoryOutcome.oneByOne(ids) { id throws(AuthError) in
            try await delete(id)
            return id
        }
    }
}

/// Something that a directory may be able to write.
public struct DirectoryFeature: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// A feature by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// A user can be made with an id of the caller's choice.
    public static let chosenIDs = DirectoryFeature(rawValue: "chosenIDs")
    /// A user can be made with the hash of a password.
    public static let passwordHashes = DirectoryFeature(rawValue: "passwordHashes")
    /// An address can be marked as proven, or not.
    public static let confirmation = DirectoryFeature(rawValue: "confirmation")
    /// Sign-in can be refused to a user.
    public static let disabling = DirectoryFeature(rawValue: "disabling")
    /// Users can have a number.
    public static let phones = DirectoryFeature(rawValue: "phones")
    /// A number can be kept without a proof of it, so that it signs no user in.
    public static let unprovenPhones = DirectoryFeature(rawValue: "unprovenPhones")
    /// A user can have a photo's address.
    public static let photos = DirectoryFeature(rawValue: "photos")
    /// There is a place for data that the user may change.
    public static let userMetadata = DirectoryFeature(rawValue: "userMetadata")
    /// There is a place for data that only servers see.
    public static let privateMetadata = DirectoryFeature(rawValue: "privateMetadata")
    /// A user can be made with the id that another system has for the same person.
    public static let externalIDs = DirectoryFeature(rawValue: "externalIDs")
    /// A user can be made with the time of the account.
    public static let creationTimes = DirectoryFeature(rawValue: "creationTimes")
    /// A user can be made with the time of the last sign-in.
    public static let signInTimes = DirectoryFeature(rawValue: "signInTimes")
    /// A password given as text can be exempt from the project's policy.
    public static let policyExemptions = DirectoryFeature(rawValue: "policyExemptions")
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
