internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A role of members, with the keys of its permissions.
struct RoleRecord: Record {
    var id: String
    var key: String
    var name: String
    var summary: String?
    var permissions: [String]
    var createdAt: Instant
    var updatedAt: Instant

    /// Whether the creator of an organization can have the role.
    ///
    /// Clerk requires these three permissions.
    var isCreatorEligible: Bool { Set(SystemPermission.ofCreators.map(\.rawValue)).isSubset(of: permissions) }
}

extension RoleRecord {
    init() { self.init(id: "", key: "", name: "", permissions: [], createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<RoleRecord>(
        "roles",
        [
            Column("id", \.id, .key), Column("key", \.key, .unique), Column("name", \.name), Column("summary", \.summary),
            Column("permissions", texts: \.permissions), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ])
}

/// A permission that roles can have.
struct PermissionRecord: Record {
    var id: String
    var key: String
    var name: String
    var summary: String
    /// Whether Clerk itself uses the permission; such a permission cannot be changed.
    var isSystems: Bool
    var createdAt: Instant
    var updatedAt: Instant
}

extension PermissionRecord {
    init() {
        self.init(id: "", key: "", name: "", summary: "", isSystems: false, createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<PermissionRecord>(
        "permissions",
        [
            Column("id", \.id, .key), Column("key", \.key, .unique), Column("name", \.name), Column("summary", \.summary),
            Column("system", \.isSystems), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ])
}

/// The permissions that Clerk itself uses.
enum SystemPermission: String, CaseIterable {
    case manageProfile = "org:sys_profile:manage"
    case deleteProfile = "org:sys_profile:delete"
    case readMemberships = "org:sys_memberships:read"
    case manageMemberships = "org:sys_memberships:manage"
    case readDomains = "org:sys_domains:read"
    case manageDomains = "org:sys_domains:manage"
    case manageConnections = "org:sys_entconns:manage"

    /// The permissions that the role of a creator must have.
    static let ofCreators: [SystemPermission] = [.manageProfile, .readMemberships, .manageMemberships]

    /// The name in lists.
    var title: String {
        switch self {
        case .manageProfile: "Manage organization"
        case .deleteProfile: "Delete organization"
        case .readMemberships: "Read members"
        case .manageMemberships: "Manage members"
        case .readDomains: "Read domains"
        case .manageDomains: "Manage domains"
        case .manageConnections: "Manage enterprise connections"
        }
    }
}

/// A choice of roles that organizations use.
struct RoleSetRecord: Record {
    var id: String
    var key: String
    var name: String
    var summary: String?
    var isInitial: Bool
    /// The keys of its roles.
    var roles: [String]
    var defaultRole: String?
    var creatorRole: String?
    var createdAt: Instant
    var updatedAt: Instant
}

extension RoleSetRecord {
    init() { self.init(id: "", key: "", name: "", isInitial: false, roles: [], createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<RoleSetRecord>(
        "role_sets",
        [
            Column("id", \.id, .key), Column("key", \.key, .unique), Column("name", \.name), Column("summary", \.summary),
            Column("initial", \.isInitial), Column("roles", texts: \.roles), Column("default_role", \.defaultRole),
            Column("creator_role", \.creatorRole), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ])
}
