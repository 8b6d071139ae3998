@_exported public import Lockstep
public import LockstepDirectory
public import LockstepPasswords
public import LockstepPrimitives

/// The backend that users come from.
public struct MoveSource: Sendable {
    /// Its users.
    public let directory: any UserDirectory
    /// The project, as text that stays the same wherever it is reached: ids at the target are made of it.
    public let project: String

    /// A source.
    ///
    /// - Parameters:
    ///   - directory: Its users, with hashes of passwords if it gives them out.
    ///   - project: The project.
    public init(_ directory: any UserDirectory, project: String) {
        self.directory = directory
        self.project = project
    }

    /// What a run is bound to.
    public var mark: String { "\(directory.name) \(project)" }
}

/// The backend that users go to, with what its directory does not say itself.
public struct MoveTarget: Sendable {
    /// The ids that it accepts.
    public enum IDs: Sendable {
        /// UUIDs only.
        case uuids
        /// The source's own.
        case kept
    }

    /// How the users are read and written.
    public enum Access: String, Sendable, Hashable {
        /// By the administrator's API.
        case api
        /// In the rows of the database.
        case database
    }

    /// Its users.
    public let directory: any UserDirectory
    /// The project, as text that stays the same wherever it is reached.
    public let project: String
    /// Its name in a sentence, such as "GoTrue"; by default the directory's.
    public var title: String
    /// The directory that shows the project's settings; ``directory`` by default, which may show none.
    public var settings: any UserDirectory
    /// How users are written here.
    public var road = MoveRoad()
    /// How its users are read and written: a run continues only as it was planned.
    public var access = Access.api
    /// The largest number of users in one batch.
    public var batchSize = 100
    /// Whether ``directory`` returns the hashes of passwords, so that they are compared.
    public var returnsHashes = false
    /// Returns the tables that refer to users, with the number of their rows for the users with the given ids.
    public var references: @Sendable (_ ids: [String]) async throws(AuthError) -> [DirectoryReference] = {
        (_: [String]) async throws(AuthError) -> [DirectoryReference] in []
    }
    /// The ids that it accepts.
    public let ids: IDs
    /// Returns a hash as the target accepts it; `nil` if it does not.
    public let hashText: @Sendable (PasswordHash) -> String?
    /// Returns whether it accepts an address.
    public var acceptsAddress: @Sendable (String) -> Bool = { _ in true }
    /// Returns whether it accepts identities of a provider.
    public var acceptsProvider: @Sendable (IdentityProvider) -> Bool = { _ in true }
    /// Up to so many users of the target are read as a whole for a plan; of more, only those who may be in the way are looked up.
    public var scannedUsers = 10_000
    /// Sets the hash of an existing user's password; `nil` if the target cannot.
    public var setPasswordHash: (@Sendable (_ hash: Secret, _ id: String) async throws(AuthError) -> Void)?
    /// Whether each user needs an address or a number.
    public var needsAddressOrNumber = true
    /// Whether a user whose address is not verified cannot sign in.
    public var verifiesFirst = true
    /// Whether the first sign-in at a provider's page finds the user by the verified address.
    public var linksByAddress = true
    /// How many emails it sends in an hour, as the operator says; `nil` if nobody has said.
    public var mailsPerHour: Int?
    /// How many emails it sends in an hour unless somebody has changed that; `nil` if there is no such number.
    public var usualMailsPerHour: Int?
    /// Members of the user's own data that the target sets itself.
    public var ownUserData: Set<String> = []
    /// Members of the server's data that the target sets itself.
    public var ownClaims: Set<String> = []

    /// A target.
    ///
    /// - Parameters:
    ///   - directory: Its users.
    ///   - project: The project.
    ///   - ids: The ids that it accepts.
    ///   - hashText: A hash as the target accepts it.
    public init(
        _ directory: any UserDirectory, project: String, ids: IDs, hashText: @escaping @Sendable (PasswordHash) -> String?
    ) {
        self.directory = directory
        self.project = project
        title = directory.name
        settings = directory
        self.ids = ids
        self.hashText = hashText
    }

    /// What a run is bound to.
    public var mark: String { "\(directory.name) \(project)" }
}
