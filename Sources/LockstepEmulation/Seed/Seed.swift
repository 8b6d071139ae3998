public import LockstepPrimitives

/// The state of a backend as a file: users, organizations and changed settings, in one form for every provider.
///
/// It uses the values of the control routes. `docs/seed.schema.json` describes the file.
public struct Seed: Sendable, Hashable {
    /// The version of the format that this build reads and writes.
    public static let version = 1

    /// The providers that a seed can limit a value to.
    public static let providers = ["firebase", "gotrue", "clerk"]

    /// The users, in the order of their creation.
    public var users: [SeedUser]
    /// The organizations, in the order of their creation.
    public var organizations: [SeedOrganization]
    /// The settings that differ from the initial ones, by provider and by the provider's own names.
    public var settings: [String: JSONObject]

    /// Creates a seed.
    public init(
        users: [SeedUser] = [], organizations: [SeedOrganization] = [], settings: [String: JSONObject] = [:]
    ) {
        self.users = users
        self.organizations = organizations
        self.settings = settings
    }

    /// Returns the part of the seed for one provider.
    ///
    /// - Parameter provider: The name of the provider.
    /// - Returns: The part of the seed for one provider.
    public func limited(to provider: String) -> Seed {
        func isMeant(_ only: [String]) -> Bool { only.isEmpty || only.contains(provider) }
        return Seed(
            users: users.filter { isMeant($0.only) }, organizations: organizations.filter { isMeant($0.only) },
            settings: settings.filter { $0.key == provider })
    }

    /// The seed as JSON, with the version.
    ///
    /// It contains password hashes and refresh tokens. Do not show it.
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

/// An organization of a seed.
public struct SeedOrganization: Sendable, Hashable {
    /// A member of an organization.
    public struct Member: Sendable, Hashable {
        /// The id or the address of a user of the seed.
        public var user: String
        /// The role, by the provider's own name: `org:admin`.
        public var role: String

        /// Creates a member.
        public init(user: String, role: String) {
            self.user = user
            self.role = role
        }
    }

    /// The id; `nil` creates a new one.
    public var id: String?
    /// The name to show.
    public var name: String
    /// The name in URLs; `nil` derives it from the name.
    public var slug: String?
    /// The address of a picture.
    public var photoURL: String?
    /// The metadata that only a server changes.
    public var appMetadata: JSONObject
    /// The metadata that only a server sees.
    public var privateMetadata: JSONObject
    /// The members.
    public var members: [Member]
    /// The creation time.
    public var createdAt: Instant?
    /// The providers that get the organization; empty for all.
    public var only: [String]

    /// Creates an organization without members.
    public init(id: String? = nil, name: String) {
        self.id = id
        self.name = name
        appMetadata = [:]
        privateMetadata = [:]
        members = []
        only = []
    }
}
