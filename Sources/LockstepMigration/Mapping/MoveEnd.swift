@_exported public import Lockstep
public import LockstepDirectory
public import LockstepPasswords
public import LockstepPrimitives

/// A part of a source whose users the source does not list, such as a tenant of a Firebase project.
public struct MoveTenant: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The number of users.
    public let users: Int

    /// Creates the description of a tenant.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - users: The number of users.
    public init(name: String, users: Int) {
        self.name = name
        self.users = users
    }
}

/// The format of a file that is the source of a move.
public struct SourceForm: Sendable, Hashable {
    /// The name of the format, such as `Firebase auth:export (JSON)`.
    public let name: String
    /// A sentence for each kind of values that the file does not contain.
    public let lacks: [String]

    /// Creates the description of a format.
    ///
    /// - Parameters:
    ///   - name: The name of the format.
    ///   - lacks: A sentence for each kind of values that the file does not contain.
    public init(name: String, lacks: [String]) {
        self.name = name
        self.lacks = lacks
    }
}

/// The backend that users are moved from.
public struct MoveSource: Sendable {
    /// The directory of the source's users.
    public var directory: any UserDirectory
    /// A string that identifies the project, even if its URL changes.
    ///
    /// The ids on the target are computed from this string.
    public let project: String
    /// The directory that reads the settings of the project.
    ///
    /// The default is ``directory``, which may return no settings.
    public var settings: any UserDirectory
    /// The way in which users are read.
    ///
    /// A run can be continued only in the same way.
    public var access = MoveTarget.Access.api
    /// Whether users with an unverified email address cannot sign in.
    public var verifiesFirst = false
    /// The members of the metadata that users can change, from which the name and the photo are taken first.
    public var profile = ProfileMembers()
    /// The members that the source itself adds to the metadata that users can change.
    public var ownUserData: Set<String> = []
    /// The members that the source itself adds to the metadata that only a server can change.
    public var ownClaims: Set<String> = []
    /// Returns the tenants, whose users ``directory`` does not list.
    public var tenants: @Sendable () async throws(AuthError) -> [MoveTenant] = {
        () async throws(AuthError) -> [MoveTenant] in []
    }
    /// What the source has beside its users, and no move copies.
    public var lists: [MoveList] = []
    /// Returns the ids of the users whom a file of the source names, although the source no longer has them.
    ///
    /// A plan calls it after it has read all users.
    public var unlisted: @Sendable () async throws(AuthError) -> [String] = { () async throws(AuthError) -> [String] in [] }

    /// Returns the format of the file that the source is; `nil` for a backend, and for a file in the neutral format.
    ///
    /// A plan calls it after it has read all users.
    public var form: @Sendable () -> SourceForm? = { nil }

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - directory: The directory of the source's users. If the directory can return password hashes, the run moves the hashes.
    ///   - project: A string that identifies the project, even if its URL changes.
    public init(_ directory: any UserDirectory, project: String) {
        self.directory = directory
        settings = directory
        self.project = project
    }

    /// The text from which the ids of new users are computed.
    var space: String { "\(directory.name) \(project)" }

    /// The text that identifies this backend, and the way to read it, in the journal.
    public var mark: String { access == .api ? space : "\(space) (\(access.rawValue))" }
}

/// The backend that users are moved to.
///
/// The type also contains facts that the backend's directory does not return.
public struct MoveTarget: Sendable {
    /// The ids that the target accepts for new users.
    public enum IDs: Sendable {
        /// UUIDs only.
        case uuids
        /// The ids of the source.
        case kept
        /// Ids that the target makes.
        ///
        /// A new user gets the id of the source as the external id, by which the run finds the user.
        case assigned
    }

    /// The way in which users are read and written.
    public enum Access: String, Sendable, Hashable {
        /// With the API for administrators.
        case api
        /// With SQL in the database.
        case database
        /// With the API for administrators, and a file that the backend has exported.
        case export
    }

    /// The directory of the target's users.
    public let directory: any UserDirectory
    /// A string that identifies the project, even if its URL changes.
    public let project: String
    /// The name of the target in a sentence, such as "GoTrue".
    ///
    /// Default: the name of the directory.
    public var title: String
    /// The directory that reads the settings of the project.
    ///
    /// The default is ``directory``, which may return no settings.
    public var settings: any UserDirectory
    /// The way in which users are written, and its side effects.
    public var road = MoveRoad()
    /// The way in which users are read and written.
    ///
    /// A run can be continued only in the same way.
    public var access = Access.api
    /// The maximum number of users in one batch.
    public var batchSize = 100
    /// The features whose values ``directory`` returns as they were written, so that a verification can compare them.
    ///
    /// Default: the features of the directory.
    public var comparable: Set<DirectoryFeature>
    /// Whether ``directory`` returns password hashes and the secrets of second factors, so that a verification can compare them.
    public var returnsHashes = false
    /// Whether ``directory`` returns for each user whether the user has a password, so that a verification can compare it.
    public var returnsHasPassword = false
    /// Returns the tables with rows that refer to the given users, and the number of these rows.
    public var references: @Sendable (_ ids: [String]) async throws(AuthError) -> [DirectoryReference] = {
        (_: [String]) async throws(AuthError) -> [DirectoryReference] in []
    }
    /// The ids that the target accepts for new users.
    public let ids: IDs
    /// Converts a hash to a format that the target accepts; `nil` if the target does not accept the hash.
    public var hashText: @Sendable (PasswordHash) -> String?
    /// Returns whether the target accepts an address.
    public var acceptsAddress: @Sendable (String) -> Bool = { _ in true }
    /// Returns whether the target accepts accounts at an identity provider.
    public var acceptsProvider: @Sendable (IdentityProvider) -> Bool = { _ in true }
    /// Returns whether the target accepts a second factor of a new user.
    ///
    /// By default, it accepts each factor that its directory can write.
    public var acceptsFactor: @Sendable (DirectoryFactor, NewDirectoryUser) -> Bool = { _, _ in true }
    /// Splits a name into a first and a last name, as the target stores it; `nil` if the target stores the name as it is.
    public var splitName: (@Sendable (_ name: String) -> (first: String, last: String))?
    /// Whether a user can have several accounts at one identity provider.
    public var hasIdentitiesOfOneProvider = true
    /// If the target has at most this number of users, the plan reads all of them.
    ///
    /// Otherwise, the plan looks up only users that may be duplicates.
    public var scannedUsers = 10_000
    /// Sets the password hash of an existing user; `nil` if the target cannot change a hash.
    public var setPasswordHash: (@Sendable (_ hash: Secret, _ id: String) async throws(AuthError) -> Void)?
    /// The requests of a target that writes some users in several of them; `nil` if one request writes a user.
    public var parts: MoveParts?
    /// Whether no two users can have the same number as a second factor, and no user can also sign in with it.
    public var claimsFactorNumbers = false
    /// Whether each user must have an email address or a phone number.
    public var needsAddressOrNumber = true
    /// Whether users with an unverified email address cannot sign in.
    public var verifiesFirst = true
    /// Whether the target reserves an unverified address for its user, unless the run leaves it unclaimed.
    public var reservesAddresses = false
    /// Whether a first sign-in with an identity provider finds the existing user with the same verified email address.
    public var linksByAddress = true
    /// Whether such a sign-in also finds a user whose address is not verified.
    public var linksUnverified = true
    /// The number of emails per hour that the target sends, as the operator has stated it; `nil` if unknown.
    public var mailsPerHour: Int?
    /// The number of emails per hour that this kind of target sends by default; `nil` if there is no default.
    public var usualMailsPerHour: Int?
    /// The limits for the size of values, each for one value or for the sum of several values.
    public var limits: [MoveLimit] = []
    /// A sentence about a way of writing that takes values which this way does not, and how to choose it; `nil` if there is none.
    public var otherWay: String?
    /// A sentence about the first sign-ins of moved users, for the operator; `nil` if nothing slows them.
    public var firstSignIns: String?
    /// The end of the addresses of temporary users, at which no person has a mailbox.
    public var canaryEnding = "@canary.lockstep.invalid"
    /// Whether the target may ask for a code at the first sign-in on a device, also if the password is correct.
    public var asksNewDevices = false
    /// Lets a temporary user sign in on a new device without a code; `nil` if the operator has not chosen this.
    public var trustNewDevices: (@Sendable (_ id: String) async throws(AuthError) -> Void)?
    /// The largest whole number in metadata and claims that the target keeps exactly.
    public var largestNumber = Int64.max
    /// Whether the target can store texts with NUL characters.
    public var acceptsNUL = true
    /// The members of the metadata that users can change, into which the name and the photo are also written.
    public var profile = ProfileMembers()
    /// The members that the target itself adds to the metadata that users can change.
    public var ownUserData: Set<String> = []
    /// The members that the target itself adds to the metadata that only a server can change.
    public var ownClaims: Set<String> = []

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - directory: The directory of the target's users.
    ///   - project: A string that identifies the project, even if its URL changes.
    ///   - ids: The ids that the target accepts for new users.
    ///   - hashText: Converts a hash to a format that the target accepts; `nil` if the target does not accept the hash.
    public init(
        _ directory: any UserDirectory, project: String, ids: IDs, hashText: @escaping @Sendable (PasswordHash) -> String?
    ) {
        self.directory = directory
        self.project = project
        title = directory.name
        settings = directory
        comparable = directory.features
        self.ids = ids
        self.hashText = hashText
    }

    /// The text that identifies this backend in the journal.
    public var mark: String { "\(directory.name) \(project)" }
}
