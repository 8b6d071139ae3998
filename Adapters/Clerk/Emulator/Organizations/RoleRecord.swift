internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A role of members, with the keys of its permissions.
struct RoleRecord: StoredRecord {
    let id: String
    var key: String
    var name: String
    var summary: String?
    var permissions: [String]
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "roles"
    static let columns = ["id", "key", "name", "summary", "permissions", "created_at", "updated_at"]

    /// Whether an organization's creator can have it: Clerk asks for these three.
    var isCreatorEligible: Bool { Set(SystemPermission.ofCreators.map(\.rawValue)).isSubset(of: permissions) }
}

extension RoleRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        key = try row["key"]
        name = try row["name"]
        summary = try row["summary"]
        permissions = (try row["permissions"] as StoredJSON).texts
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [id, key, name, summary, StoredJSON(.strings(permissions)), createdAt, updatedAt]
    }
}

/// A permission that roles can hold.
struct PermissionRecord: StoredRecord {
    let id: String
    var key: String
    var name: String
    var summary: String
    /// Whether Clerk itself looks at it; such a one cannot be changed.
    let isSystems: Bool
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "permissions"
    static let columns = ["id", "key", "name", "summary", "system", "created_at", "updated_at"]
}

extension PermissionRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        key = try row["key"]
        name = try row["name"]
        summary = try row["summary"]
        isSystems = try row["system"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] { [id, key, name, summary, isSystems, createdAt, updatedAt] }
}

/// The permissions that Clerk itself looks at.
enum SystemPermission: String, CaseIterable {
    case manageProfile = "org:sys_profile:manage"
    case deleteProfile = "org:sys_profile:delete"
    case readMemberships = "org:sys_memberships:read"
    case manageMemberships = "org:sys_memberships:manage"
    case readDomains = "org:sys_domains:read"
    case manageDomains = "org:sys_domains:manage"
    case manageConnections = "org:sys_entconns:manage"

    /// What a creator's role needs at least.
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
struct RoleSetRecord: StoredRecord {
    let id: String
    var key: String
    var name: String
    var summary: String?
    var isInitial: Bool
    /// The keys of its roles.
    var roles: [String]
    var defaultRole: String?
    var creatorRole: String?
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "role_sets"
    static let columns = [
        "id", "key", "name", "summary", "initial", "roles", "default_role", "creator_role", "created_at", "updated_at",
    ]
}

extension RoleSetRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        key = try row["key"]
        name = try row["name"]
        summary = try row["summary"]
        isInitial = try row["initial"]
        roles = (try row["roles"] as StoredJSON).texts
        defaultRole = try row["default_role"]
        creatorRole = try row["creator_role"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, key, name, summary, isInitial, StoredJSON(.strings(roles)), defaultRole, creatorRole, createdAt, updatedAt,
        ]
    }
}
