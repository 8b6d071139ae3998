internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A ticket that the Backend API issued: it signs a user in, or permits a sign-up.
struct TicketRecord: Record {
    enum Kind: String, ColumnValue {
        case signInToken = "sign_in_token"
        case invitation
        case actorToken = "actor_token"
        /// A ticket that an app gets for an opened link. It represents the link, and a second factor is still required.
        case approvedLink = "approved_link"
        /// A ticket that makes its user a member of an organization, after a sign-in or a sign-up.
        case organizationInvitation = "organization_invitation"
    }

    var id: String
    var kind: Kind
    var token: String
    /// `pending`, `accepted` or `revoked`.
    var status: String
    var userID: String?
    var emailAddress: String?
    var publicMetadata: JSONObject
    var redirectURL: String?
    var actor: JSON?
    var expireAt: Instant
    var createdAt: Instant
    var updatedAt: Instant

    // Further values of invitations to an organization.

    var organizationID: String?
    /// The key of the role that the member will have.
    var role: String?
    var inviterID: String?
    var privateMetadata: JSONObject = [:]
    /// The domain whose enrollment mode created the ticket.
    var domainID: String?
}

extension TicketRecord {
    /// Returns the status at `now`: an open ticket whose lifetime is over is expired.
    func status(at now: Instant) -> String { status == "pending" && expireAt <= now ? "expired" : status }

    init() {
        self.init(
            id: "", kind: .signInToken, token: "", status: "", publicMetadata: [:], expireAt: .distantPast,
            createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<TicketRecord>(
        "tickets",
        [
            Column("id", \.id, .key), Column("kind", \.kind), Column("token", \.token, .unique), Column("status", \.status),
            Column("user_id", \.userID, .belongs(to: "users")), Column("email_address", \.emailAddress),
            Column("public_metadata", \.publicMetadata), Column("redirect_url", \.redirectURL), Column("actor", \.actor),
            Column("expire_at", \.expireAt), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
            Column("organization_id", \.organizationID, .belongs(to: "organizations")), Column("role", \.role),
            Column("inviter_id", \.inviterID), Column("private_metadata", \.privateMetadata), Column("domain_id", \.domainID),
        ],
        indexes: [Index("tickets_by_organization", on: "organization_id")])
}
