internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// An organization of users.
struct OrganizationRecord: Record {
    var id: String
    var name: String
    var slug: String
    var imageURL: String?
    /// The maximum number of members, including open invitations; 0 for no limit.
    var membershipLimit: Int
    var allowsAdminDelete: Bool
    var publicMetadata: JSONObject = [:]
    var privateMetadata: JSONObject = [:]
    var createdBy: String?
    var roleSetKey: String
    var createdAt: Instant
    var updatedAt: Instant
}

extension OrganizationRecord {
    init() {
        self.init(
            id: "", name: "", slug: "", membershipLimit: 0, allowsAdminDelete: false, roleSetKey: "", createdAt: .distantPast,
            updatedAt: .distantPast)
    }

    static let table = Table<OrganizationRecord>(
        "organizations",
        [
            Column("id", \.id, .key), Column("name", \.name), Column("slug", \.slug, .unique),
            Column("image_url", \.imageURL), Column("membership_limit", \.membershipLimit),
            Column("admin_delete", \.allowsAdminDelete), Column("public_metadata", \.publicMetadata),
            Column("private_metadata", \.privateMetadata), Column("created_by", \.createdBy),
            Column("role_set_key", \.roleSetKey), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ])
}

/// A user's membership of an organization.
struct MembershipRecord: Record {
    var id: String
    var organizationID: String
    var userID: String
    /// The key of a role, `org:admin`.
    var role: String
    var publicMetadata: JSONObject = [:]
    var privateMetadata: JSONObject = [:]
    var createdAt: Instant
    var updatedAt: Instant
}

extension MembershipRecord {
    init() { self.init(id: "", organizationID: "", userID: "", role: "", createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<MembershipRecord>(
        "memberships",
        [
            Column("id", \.id, .key), Column("organization_id", \.organizationID, .belongs(to: "organizations")),
            Column("user_id", \.userID, .belongs(to: "users")), Column("role", \.role),
            Column("public_metadata", \.publicMetadata), Column("private_metadata", \.privateMetadata),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ],
        rules: ["UNIQUE (organization_id, user_id)"],
        indexes: [Index("memberships_by_user", on: "user_id")])
}

/// A way into an organization that needs a response: a suggestion to a user, or a user's request for membership.
struct EnrollmentRecord: Record {
    enum Kind: String, ColumnValue {
        /// A suggestion for a user with a verified address of one of the organization's domains.
        case suggestion
        /// A request by a user who accepted a suggestion.
        case request
    }

    var id: String
    var kind: Kind
    var organizationID: String
    var userID: String
    /// The domain for which it was created.
    var domainID: String?
    /// `pending`, `accepted`, `completed` or `rejected`.
    var status: String
    var createdAt: Instant
    var updatedAt: Instant
}

extension EnrollmentRecord {
    init() {
        self.init(
            id: "", kind: .suggestion, organizationID: "", userID: "", status: "", createdAt: .distantPast,
            updatedAt: .distantPast)
    }

    static let table = Table<EnrollmentRecord>(
        "enrollments",
        [
            Column("id", \.id, .key), Column("kind", \.kind),
            Column("organization_id", \.organizationID, .belongs(to: "organizations")),
            Column("user_id", \.userID, .belongs(to: "users")),
            Column("domain_id", \.domainID, .refers(to: "organization_domains")), Column("status", \.status),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ],
        indexes: [Index("enrollments_by_user", on: "user_id"), Index("enrollments_by_organization", on: "organization_id")])
}
