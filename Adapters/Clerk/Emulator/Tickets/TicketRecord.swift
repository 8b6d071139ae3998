import LockstepPrimitives

/// A ticket that the Backend API gave out: it signs a user in, or permits a sign-up.
struct TicketRecord: StoredRecord {
    enum Kind: String {
        case signInToken = "sign_in_token"
        case invitation
        case actorToken = "actor_token"
    }

    let id: String
    let kind: Kind
    let token: String
    /// `pending`, `accepted` or `revoked`.
    var status: String
    let userID: String?
    let emailAddress: String?
    let publicMetadata: JSONObject
    let redirectURL: String?
    let actor: JSON?
    let expireAt: Instant
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "tickets"
    static let columns = [
        "id", "kind", "token", "status", "user_id", "email_address", "public_metadata", "redirect_url", "actor", "expire_at",
        "created_at", "updated_at",
    ]
}

extension TicketRecord {
    init(_ row: inout RowReader) {
        id = row.text()
        kind = Kind(rawValue: row.text()) ?? .signInToken
        token = row.text()
        status = row.text()
        userID = row.optionalText()
        emailAddress = row.optionalText()
        publicMetadata = row.object()
        redirectURL = row.optionalText()
        actor = row.json()
        expireAt = row.time()
        createdAt = row.time()
        updatedAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(kind.rawValue), .text(token), .text(status), .text(userID), .text(emailAddress),
            .object(publicMetadata),
            .text(redirectURL), .json(actor), .time(expireAt), .time(createdAt), .time(updatedAt),
        ]
    }
}
