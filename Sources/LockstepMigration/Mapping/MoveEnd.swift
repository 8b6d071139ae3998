public import LockstepDirectory
public import LockstepPasswords

/// The backend that users come from, with what its directory does not say itself.
public struct MoveSource: Sendable {
    /// Its users.
    public let directory: any UserDirectory
    /// The project, as text that stays the same wherever it is reached: ids at the target are made of it.
    public let project: String
    /// Returns what the directory's values do not say about a user.
    public let facts: @Sendable (DirectoryUser) -> SourceFacts
    /// Returns how many users the project counts; `nil` if it does not say.
    public let count: @Sendable () async throws(AuthError) -> Int?

    /// A source.
    ///
    /// - Parameters:
    ///   - directory: Its users, with hashes of passwords if it gives them out.
    ///   - project: The project.
    ///   - facts: What the directory's values do not say about a user.
    ///   - count: How many users the project counts.
    public init(
        _ directory: any UserDirectory, project: String, facts: @escaping @Sendable (DirectoryUser) -> SourceFacts,
        count: @escaping @Sendable () async throws(AuthError) -> Int? = { () throws(AuthError) in nil }
    ) {
        self.directory = directory
        self.project = project
        self.facts = facts
        self.count = count
    }

    /// What a run is bound to.
    public var mark: String { "\(directory.name) \(project)" }
}

/// What the values of a directory do not say about one of its users.
public struct SourceFacts: Sendable, Hashable {
    /// The reason for which a user's password has no hash here.
    public enum MissingHash: String, Sendable, CaseIterable {
        /// The administrator's key may not read hashes.
        case notPermitted
        /// The server has encrypted it with a key of its own.
        case encrypted
        /// It was imported, and the backend has not made a hash of its own yet.
        case imported
        /// This API gives out no hashes.
        case notInThisAPI
    }

    /// The kind of a second factor.
    public enum Factor: String, Sendable, CaseIterable {
        /// An authenticator app.
        case app
        /// A number.
        case phone
        /// A passkey.
        case passkey
    }

    /// Why the hash is missing; `nil` if it is there, or if the user has no password.
    public var missingHash: MissingHash?
    /// The second factors.
    public var factors: [Factor]
    /// Whether the number is verified.
    public var isPhoneConfirmed: Bool
    /// The tenant, if the user belongs to one.
    public var tenant: String?

    /// Facts about a user.
    public init(
        missingHash: MissingHash? = nil, factors: [Factor] = [], isPhoneConfirmed: Bool = false, tenant: String? = nil
    ) {
        self.missingHash = missingHash
        self.factors = factors
        self.isPhoneConfirmed = isPhoneConfirmed
        self.tenant = tenant
    }
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
