public import LockstepPrimitives
internal import LockstepUserFields

/// The state of a backend in a file: its users, organizations and changed settings.
///
/// The format is the same for every provider. The values are the same as in the control routes. `docs/seed.schema.json` describes the
/// file.
///
/// ```swift
/// var ada = SeedUser()
/// ada.email = "ada@example.com"
/// ada.password = "Correct-Horse-1"
/// let users = try await server.panel.seeds?.plant(Seed(users: [ada]))
/// print(users ?? 0)
/// ```
public struct Seed: Sendable, Hashable {
    /// The version of the file format that this program reads and writes.
    public static let version = 1

    /// The names of the providers.
    ///
    /// A part of the seed can be limited to some of them.
    public static let providers = ["firebase", "gotrue", "clerk"]

    /// The users, in the order in which they are created.
    public var users: [SeedUser]
    /// The organizations, in the order in which they are created.
    public var organizations: [SeedOrganization]
    /// The settings that differ from the initial ones.
    ///
    /// The key is the name of the provider. Each provider has its own names of settings.
    public var settings: [String: JSONObject]

    /// Creates a seed.
    ///
    /// - Parameters:
    ///   - users: The users, in the order in which they are created.
    ///   - organizations: The organizations, in the order in which they are created.
    ///   - settings: The settings that differ from the initial ones, by provider.
    public init(
        users: [SeedUser] = [], organizations: [SeedOrganization] = [], settings: [String: JSONObject] = [:]
    ) {
        self.users = users
        self.organizations = organizations
        self.settings = settings
    }

    /// Returns the part of the seed that is for one provider.
    ///
    /// - Parameter provider: The name of the provider.
    public func limited(to provider: String) -> Seed {
        func isMeant(_ only: [String]) -> Bool { only.isEmpty || only.contains(provider) }
        return Seed(
            users: users.filter { isMeant($0.only) }, organizations: organizations.filter { isMeant($0.only) },
            settings: settings.filter { $0.key == provider })
    }

    /// The seed as JSON, with its version.
    ///
    /// The seed contains password hashes and refresh tokens, so do not show it.
    public var json: JSON {
        var members: JSONObject = ["version": .int(Int64(Self.version)), "users": .array(users.map { .object($0.object) })]
        if !organizations.isEmpty { members["organizations"] = .array(organizations.map { .object($0.object) }) }
        if !settings.isEmpty {
            let names = Self.providers.filter { settings[$0] != nil }
            members["settings"] = .object(JSONObject(names.map { ($0, .object(settings[$0] ?? [:])) }))
        }
        return .object(members)
    }
}

/// An organization in a seed.
public struct SeedOrganization: Sendable, Hashable {
    /// A member of an organization.
    public struct Member: Sendable, Hashable {
        /// The id or the email address of a user in the seed.
        public var user: String
        /// The provider's own name for the member's role: `org:admin`.
        public var role: String

        /// Creates a member.
        ///
        /// - Parameters:
        ///   - user: The id or the email address of a user in the seed.
        ///   - role: The provider's own name for the member's role.
        public init(user: String, role: String) {
            self.user = user
            self.role = role
        }
    }

    /// The id of the organization; `nil` to create a new id.
    public var id: String?
    /// The display name.
    public var name: String
    /// The name in URLs; `nil` to make the name from the display name.
    public var slug: String?
    /// The URL of the organization's picture.
    public var photoURL: String?
    /// The metadata that only a server can change.
    public var appMetadata: JSONObject
    /// The metadata that only a server can read.
    public var privateMetadata: JSONObject
    /// The members of the organization.
    public var members: [Member]
    /// The time when the organization was created.
    public var createdAt: Instant?
    /// The providers that create this organization; empty for all providers.
    public var only: [String]

    /// Creates an organization without members.
    ///
    /// - Parameters:
    ///   - id: The id of the organization; `nil` to create a new id.
    ///   - name: The display name.
    public init(id: String? = nil, name: String) {
        self.id = id
        self.name = name
        appMetadata = [:]
        privateMetadata = [:]
        members = []
        only = []
    }
}
