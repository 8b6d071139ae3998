public import LockstepDirectory
public import LockstepPasswords

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

    /// Its users.
    public let directory: any UserDirectory
    /// The project, as text that stays the same wherever it is reached.
    public let project: String
    /// The ids that it accepts.
    public let ids: IDs
    /// Returns a hash as the target accepts it; `nil` if it does not.
    public let hashText: @Sendable (PasswordHash) -> String?
    /// Returns whether it accepts an address.
    public var acceptsAddress: @Sendable (String) -> Bool = { _ in true }
    /// Whether each user needs an address or a number.
    public var needsAddressOrNumber = true
    /// Whether a user whose address is not verified cannot sign in.
    public var verifiesFirst = true
    /// How many mails it sends in an hour; `nil` if that is not known.
    public var mailsPerHour: Int?
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
        self.ids = ids
        self.hashText = hashText
    }

    /// What a run is bound to.
    public var mark: String { "\(directory.name) \(project)" }
}
