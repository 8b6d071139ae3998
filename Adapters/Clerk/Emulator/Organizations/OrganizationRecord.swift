internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// An organization of users.
struct OrganizationRecord: StoredRecord {
    let id: String
    var name: String
    var slug: String
    var imageURL: String?
    /// The most members, open invitations included; 0 for any number.
    var membershipLimit: Int
    var allowsAdminDelete: Bool
    var publicMetadata: JSONObject = [:]
    var privateMetadata: JSONObject = [:]
    var createdBy: String?
    var roleSetKey: String
    var createdAt: Instant
    var updatedAt: Instant

    static let table = "organizations"
    static let columns = [
        "id", "name", "slug", "image_url", "membership_limit", "admin_delete", "public_metadata", "private_metadata",
        "created_by",
        "role_set_key", "created_at", "updated_at",
    ]
}

extension OrganizationRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        name = try row["name"]
        slug = try row["slug"]
        imageURL = try row["image_url"]
        membershipLimit = try row["membership_limit"]
        allowsAdminDelete = try row["admin_delete"]
        publicMetadata = (try row["public_metadata"] as StoredJSON).object
        privateMetadata = (try row["private_metadata"] as StoredJSON).object
        createdBy = try row["created_by"]
        roleSetKey = try row["role_set_key"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, name, slug, imageURL, membershipLimit, allowsAdminDelete, StoredJSON(.object(publicMetadata)),
            StoredJSON(.object(privateMetadata)), createdBy, roleSetKey, createdAt, updatedAt,
        ]
    }
}

/// A user's place in an organization.
struct MembershipRecord: StoredRecord {
    let id: String
    let organizationID: String
    let userID: String
    /// The key of a role, `org:admin`.
    var role: String
    var publicMetadata: JSONObject = [:]
    var privateMetadata: JSONObject = [:]
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "memberships"
    static let columns = [
        "id", "organization_id", "user_id", "role", "public_metadata", "private_metadata", "created_at", "updated_at",
    ]
}

extension MembershipRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        organizationID = try row["organization_id"]
        userID = try row["user_id"]
        role = try row["role"]
        publicMetadata = (try row["public_metadata"] as StoredJSON).object
        privateMetadata = (try row["private_metadata"] as StoredJSON).object
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, organizationID, userID, role, StoredJSON(.object(publicMetadata)), StoredJSON(.object(privateMetadata)),
            createdAt,
            updatedAt,
        ]
    }
}

/// A way into an organization that waits for an answer: a suggestion to a user, or a user's request to be a member.
struct EnrollmentRecord: StoredRecord {
    enum Kind: String {
        /// Made for a user whose proven address is of one of the organization's domains.
        case suggestion
        /// Made by a user who accepted a suggestion.
        case request
    }

    let id: String
    let kind: Kind
    let organizationID: String
    let userID: String
    /// The domain that it was made for.
    let domainID: String?
    /// `pending`, `accepted`, `completed` or `rejected`.
    var status: String
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "enrollments"
    static let columns = ["id", "kind", "organization_id", "user_id", "domain_id", "status", "created_at", "updated_at"]
}

extension EnrollmentRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        kind = Kind(rawValue: try row["kind"] as String) ?? .suggestion
        organizationID = try row["organization_id"]
        userID = try row["user_id"]
        domainID = try row["domain_id"]
        status = try row["status"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [id, kind.rawValue, organizationID, userID, domainID, status, createdAt, updatedAt]
    }
}
