@_exported public import Lockstep
public import LockstepDirectory
public import LockstepPasswords
public import LockstepPrimitives

/// The backend from which users move.
public struct MoveSource: Sendable {
    /// Its users.
    public let directory: any UserDirectory
    /// The project, as a string that does not depend on its address.
    ///
    /// Ids on the target are derived from it.
    public let project: String

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - directory: Its users, with password hashes if it exports them.
    ///   - project: The project.
    public init(_ directory: any UserDirectory, project: String) {
        self.directory = directory
        self.project = project
    }

    /// The source and the target of a run.
    public var mark: String { "\(directory.name) \(project)" }
}

/// The backend to which users move, with the facts that its directory does not report.
public struct MoveTarget: Sendable {
    /// The ids that the target accepts.
    public enum IDs: Sendable {
        /// UUIDs only.
        case uuids
        /// The source's own.
        case kept
    }

    /// The way users are read and written.
    public enum Access: String, Sendable, Hashable {
        /// Through the administrator's API.
        case api
        /// In the rows of the database.
        case database
    }

    /// Its users.
    public let directory: any UserDirectory
    /// The project, as a string that does not depend on its address.
    public let project: String
    /// Its name in a sentence, such as "GoTrue" (default: the directory's name).
    public var title: String
    /// The directory that reads the project's settings (default: ``directory``, which may return none).
    public var settings: any UserDirectory
    /// The way users are written.
    public var road = MoveRoad()
    /// The way users are read and written.
    ///
    /// A run continues only in the way it was planned.
    public var access = Access.api
    /// The largest number of users in one batch.
    public var batchSize = 100
    /// Whether ``directory`` returns password hashes, so that they can be compared.
    public var returnsHashes = false
    /// Returns the tables that refer to the given users, with the number of rows.
    public var references: @Sendable (_ ids: [String]) async throws(AuthError) -> [DirectoryReference] = {
        (_: [String]) async throws(AuthError) -> [DirectoryReference] in []
    }
    /// The ids that the target accepts.
    public let ids: IDs
    /// Returns a hash in a form that the target accepts; `nil` if it does not accept it.
    public var hashText: @Sendable (PasswordHash) -> String?
    /// Returns whether the target accepts an address.
    public var acceptsAddress: @Sendable (String) -> Bool = { _ in true }
    /// Returns whether the target accepts identities of a provider.
    public var acceptsProvider: @Sendable (IdentityProvider) -> Bool = { _ in true }
    /// The largest number of users on the target that a plan reads completely.
    ///
    /// With more users, it looks up only possible duplicates.
    public var scannedUsers = 10_000
    /// Sets the password hash of an existing user; `nil` if the target does not support it.
    public var setPasswordHash: (@Sendable (_ hash: Secret, _ id: String) async throws(AuthError) -> Void)?
    /// Whether each user must have an address or a number.
    public var needsAddressOrNumber = true
    /// Whether users with an unverified address cannot sign in.
    public var verifiesFirst = true
    /// Whether the first sign-in with a provider finds the user by the verified address.
    public var linksByAddress = true
    /// The number of emails that it sends per hour, set by the operator; `nil` if unknown.
    public var mailsPerHour: Int?
    /// The default number of emails that it sends per hour; `nil` if there is none.
    public var usualMailsPerHour: Int?
    /// The largest size of claims and user data together, in bytes of JSON; `nil` for no limit.
    public var dataLimit: Int?
    /// The members of the user's metadata that the target sets itself.
    public var ownUserData: Set<String> = []
    /// The members of the server's metadata that the target sets itself.
    public var ownClaims: Set<String> = []

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - directory: Its users.
    ///   - project: The project.
    ///   - ids: The ids that the target accepts.
    ///   - hashText: Returns a hash in a form that the target accepts.
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

    /// The source and the target of a run.
    public var mark: String { "\(directory.name) \(project)" }
}
