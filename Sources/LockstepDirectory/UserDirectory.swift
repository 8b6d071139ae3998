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
}

extension UserDirectory {
    /// All users, page by page.
    public func all(pageSize: Int = 100) -> DirectoryUsers { DirectoryUsers(directory: self, pageSize: pageSize) }
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
